import { defineCommand, OptionType } from 'commandry'
import { type AnyInteraction, validateCallback } from 'commandry/interactions'
import { type Fact, refusals } from '../support/found.ts'
import { used } from '../support/invoked.ts'

export const search = defineCommand({
  name: 'search',
  description: 'b',
  options: [
    { type: OptionType.STRING, name: 'query', description: 'b', autocomplete: true },
    { type: OptionType.INTEGER, name: 'page', description: 'b', autocomplete: true },
  ],
})
export const interaction = used(search)
/** The interaction as one of another type. */
export const outside = (type: number, fields: object = {}): AnyInteraction => ({
  ...interaction,
  type,
  ...fields,
})

export const suggestions = (choices: unknown) => ({ type: 8, data: { choices } })
export const button = { type: 2, style: 1, label: 'Undo', custom_id: 'undo' }
export const input = { type: 4, style: 1, label: 'Why', custom_id: 'why' }
export const row = (...components: object[]) => ({ type: 1, components })
export const modal = (fields: object) => ({
  type: 9,
  data: { custom_id: 'c', title: 't', components: [row(input)], ...fields },
})

/** Problems with their paths: `'shape.string data.content'`. */
export const lines = (facts: readonly Fact[]) =>
  facts.map(([code, path]) => `${code} ${path.join('.')}`.trimEnd())

/** The problems of an answer. */
export const faults = (callback: unknown, to: AnyInteraction = interaction, context = {}) =>
  lines(refusals(validateCallback(to, callback, context)))

/** The problems of the components of a message or modal, with paths in their list. */
export const faultsOfComponents = (callback: unknown) =>
  faults(callback).map((fault) => fault.replace(/ data\.components\.?/, ' ').trimEnd())
