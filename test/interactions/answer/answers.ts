import { defineCommand, OptionType, type Path } from 'commandry'
import { type AnyInteraction, validateCallback } from 'commandry/interactions'
import { type Fact, refusals } from '../../support/found.ts'
import { used } from '../../support/invoked.ts'

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
export const outside = (type: number, fields = {}): AnyInteraction => ({ ...interaction, type, ...fields })

export const suggestions = (choices: unknown) => ({ type: 8, data: { choices } })
export const button = { type: 2, style: 1, label: 'Undo', custom_id: 'undo' }
export const input = { type: 4, style: 1, label: 'Why', custom_id: 'why' }
export const row = (...components: object[]) => ({ type: 1, components })
const form = { custom_id: 'c', title: 't', components: [row(input)] }
export const modal = (fields: object) => ({ type: 9, data: { ...form, ...fields } })

/**
 * Problems in one text, the paths of a code together: `'shape.string content; message.legacy embeds poll'`.
 *
 * @param within the start of paths that is left out
 */
export function oneLine(facts: readonly Fact[], within: Path = []): string {
  const places = new Map<string, string[]>()
  for (const [code, path] of facts) {
    const isWithin = within.every((step, index) => path[index] === step)
    const place = path.slice(isWithin ? within.length : 0).join('.')
    places.set(code, [...(places.get(code) ?? []), place])
  }
  return Array.from(places, ([code, all]) => [code, ...all].join(' ').trimEnd()).join('; ')
}

/** The problems of an answer. */
export const faults = (callback: unknown, to: AnyInteraction = interaction, context = {}) =>
  oneLine(refusals(validateCallback(to, callback, context)))

/** The problems of a message or modal, with paths in its data, or in a part of that. */
export const faultsIn = (part: Path, callback: unknown) =>
  oneLine(refusals(validateCallback(interaction, callback)), ['data', ...part])
