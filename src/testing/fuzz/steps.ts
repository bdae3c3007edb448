/** What a person does with a bot, step by step: as calls of a testbed, as typed lines, and as the code of a test. */
import { CommandType } from '../../model/command-types.ts'
import { componentsOf, type AnswerVerb } from '../../interactions/usage/component.ts'
import {
  menuKinds,
  type Component,
  type InputValue,
  type ModalValues,
} from '../../interactions/usage/component-values.ts'
import { objectsIn } from '../../interactions/usage/modal-inputs.ts'
import { ComponentType } from '../../model/interaction-types.ts'
import type { ServerSettings } from '../../model/server.ts'
import type { Suggestion } from '../testbed/people/suggestion.ts'
import type { Shown } from '../testbed/answers/shown.ts'
import type { Testbed } from '../testbed/bed.ts'
import { vitest } from '../test-code/frameworks.ts'
import { javaScript, Variable, type Value, type Who } from '../test-code/language.ts'
import {
  componentName,
  mentionOf,
  reactionName,
  typedLine,
  usableComponents,
} from '../test-code/typed-text.ts'
import { fileNamesFor, fitted, idsOf, type Use } from './planned-uses.ts'

const { awaited, call, declare } = javaScript

export interface Reaction {
  readonly kind: AnswerVerb
  /** The number of the step that was answered. */
  readonly on: number
  /** Whether it is on the first follow-up of that answer. */
  readonly isOnFollowUp: boolean
  /** The button or the menu; the title of the modal. */
  readonly name: string
  readonly values: ModalValues
  /** Another person than that of the answer, who sees it. */
  readonly as?: { readonly name: string; readonly place: Use['place'] }
}

/** A minute without an interaction: cooldowns pass, and timers of the bot fire. */
export interface Wait {
  readonly kind: 'wait'
}

export const MINUTE = 60_000
export const WAIT: Wait = { kind: 'wait' }

/** One interaction of a person with the bot, or a wait. A use with a `focused` option asks for suggestions. */
export type Step = { readonly kind: 'use'; readonly use: Use } | Reaction | Wait

export type Reply = Shown | readonly Suggestion[]

// --- Texts ----------------------------------------------------------------------------------------------------

/** The line that a person types for a use of a slash command. */
export const lineOfUse = ({ subject, values }: Use, server: ServerSettings): string =>
  typedLine(subject.name, values, server)

export function stepName(step: Step): string {
  if (step.kind === 'wait') return 'a minute later'
  if (step.kind === 'use')
    return step.use.focused === undefined ? 'use' : `suggestions of ${step.use.focused}`
  return `${step.kind} ${step.name}${step.isOnFollowUp ? ' of a follow-up' : ''}`
}

/** Everything that a person entered, for a search. */
export function entered(step: Step, server: ServerSettings): string {
  if (step.kind === 'use') return lineOfUse(step.use, server)
  return step.kind === 'submit' ? JSON.stringify(step.values) : ''
}

// --- Calls ----------------------------------------------------------------------------------------------------

/** The method of a person or of an answer, and its arguments. */
function stepCall(
  step: Exclude<Step, Wait>,
  server: ServerSettings,
): readonly [method: string, ...values: readonly Value[]] {
  if (step.kind !== 'use') {
    const { kind, name } = step
    const values = step.values as { readonly [input: string]: Value }
    return kind === 'submit' ? [kind, values] : [kind, name, ...Object.values(values).flat()]
  }
  const { subject, target, focused, texts } = step.use
  switch (subject.type) {
    case CommandType.USER:
      return ['useOn', subject.path, target]
    case CommandType.MESSAGE:
      return ['useOn', subject.path, { id: '6001', content: texts[0] ?? '' }]
    case CommandType.PRIMARY_ENTRY_POINT:
      return ['launch']
    default:
      return [focused === undefined ? 'use' : 'suggestions', lineOfUse(step.use, server)]
  }
}

/** Does a step. @param replies those of the earlier steps */
export async function carryOutStep(
  bed: Testbed,
  server: ServerSettings,
  step: Exclude<Step, Wait>,
  replies: readonly Reply[],
): Promise<Reply | undefined> {
  const [method, ...given] = stepCall(step, server)
  const values: unknown[] = [...given]
  let target: object
  if (step.kind === 'use') {
    const { as, ...place } = step.use.place
    target = bed.as(as, { server: server.id, ...place })
  } else {
    const first = replies[step.on] as Shown
    const shown = step.isOnFollowUp ? (first.followUps[0] ?? (await first.followedUp())) : first
    target = shown
    if (step.as !== undefined) {
      const { as: _, ...place } = step.as.place
      target = bed.as(step.as.name, { server: server.id, ...place })
      values.unshift(shown)
    }
  }
  const reply = await (target as { [method: string]: (...values: unknown[]) => any })[method]!(...values)
  return method === 'launch' ? (reply.shown ?? undefined) : reply
}

/** The statements of a test that does the steps. @param end the last statements */
export function codeOf(steps: readonly Step[], server: ServerSettings, end: readonly string[]): string {
  const statements = steps.map((step, index) => {
    const name = answerName(index)
    const isUsed = steps.some((later) => 'on' in later && later.on === index)
    const call = awaited(callCode(step, server))
    return isUsed || end.some((line) => line.includes(`${name}.`)) ? declare(name, call) : call
  })
  const title = steps
    .map((step) => (step.kind === 'use' ? lineOfUse(step.use, server) : stepName(step)))
    .join(', ')
  return vitest.test(title, [...statements, ...end])
}

/** The variable with the answer to a step. */
export const answerName = (index: number): string => `shown${index || ''}`

/** A step as an expression, whose answers are `shown`, `shown1` and so on. */
export function callCode(step: Step, server: ServerSettings): string {
  if (step.kind === 'wait') return call({ by: null, verb: 'advance', values: [MINUTE] })
  const [verb, ...values] = stepCall(step, server)
  if (step.kind === 'use') return call({ by: whoOf(step.use.place), verb, values })
  const first = answerName(step.on)
  const shown = new Variable(step.isOnFollowUp ? `(await ${first}.followedUp())` : first)
  if (step.as === undefined) return call({ by: shown, verb, values })
  return call({ by: whoOf({ ...step.as.place, as: step.as.name }), verb, values: [shown, ...values] })
}

const whoOf = ({ as: name, ...place }: Use['place']): Who => ({ name, place })

// --- Reactions ------------------------------------------------------------------------------------------------

/** Everything that a person can do with an answer and its first follow-up. @param on the number of the answered step */
export function reactionsTo(shown: Shown, on: number, use: Use, server: ServerSettings): readonly Reaction[] {
  const { modal, followUps } = shown
  if (modal !== null) return [{ ...submission(modal, use, server), on, isOnFollowUp: false }]
  return [shown, ...followUps.slice(0, 1)].flatMap((one, index) =>
    pressesOf(one, use, server).map((reaction) => ({ ...reaction, on, isOnFollowUp: index > 0 })),
  )
}

/** The names of what a person can use on an answer: its buttons and menus, or its modal. */
export function componentsShown({ message, deleted, modal }: Shown): readonly string[] {
  if (modal !== null) return [reactionName(modal.title)]
  const components = deleted ? [] : usableComponents(message?.components)
  return components.map((component) => reactionName(componentName(component, components)))
}

type OnMessage = Omit<Reaction, 'on' | 'isOnFollowUp'>

function pressesOf({ message, deleted }: Shown, use: Use, server: ServerSettings): readonly OnMessage[] {
  const components = deleted ? [] : usableComponents(message?.components)
  return components.flatMap((component): readonly OnMessage[] => {
    const { type } = component
    const id = String(component.custom_id)
    const name = componentName(component, components)
    if (type === ComponentType.BUTTON) return [{ kind: 'press', name, values: {} }]
    const chosen = choicesOf(component, use, server)
    return chosen === undefined ? [] : [{ kind: 'choose', name, values: { [id]: chosen } }]
  })
}

/** As many values of a menu or a group as it requires, at least one; undefined if it has too few, or is none of them. */
function choicesOf(menu: Component, use: Use, server: ServerSettings) {
  const { type, options, channel_types: types } = menu
  const ids = idsOf(menuKinds[Number(type)] ?? [], server, types as readonly number[] | undefined)
  // By name, so that a test of a failure is right for a testbed whose ids differ.
  const names = ids.map((id) => mentionOf(id, server)!)
  const values = [...objectsIn(options).map(({ value }) => String(value)), ...names]
  return values.length < leastOf(menu) ? undefined : pickedOf(values, menu, use)
}

/** The number of values that an input requires, at least one. */
function leastOf({ min_values: least }: Component): number {
  return Math.max(1, typeof least === 'number' ? least : 1)
}

function pickedOf<T>(list: readonly T[], input: Component, { picks: [pick = 0] }: Use): readonly T[] {
  return Array.from({ length: leastOf(input) }, (_, index) => list[(pick + index) % list.length]!)
}

function submission(modal: NonNullable<Shown['modal']>, use: Use, server: ServerSettings): OnMessage {
  const entries = componentsOf(modal.components).flatMap((input, index): [string, InputValue][] => {
    const { type, custom_id: id } = input
    const valueOf = inputValues[Number(type)] ?? choicesOf
    const value = valueOf(input, use, server, index)
    return typeof id === 'string' && value !== undefined ? [[id, value]] : []
  })
  return { kind: 'submit', name: modal.title, values: Object.fromEntries(entries) }
}

type ValueOf = (input: Component, use: Use, server: ServerSettings, index: number) => InputValue | undefined

/** What a person enters in the inputs of a modal; the others are menus and groups of options. */
const inputValues: { readonly [type: number]: ValueOf } = {
  [ComponentType.TEXT_INPUT](input, { texts }, _, index) {
    const { min_length, max_length: max = 4_000, required = true } = input
    const least = required === true ? 1 : 0
    const min = typeof min_length === 'number' ? Math.max(least, min_length) : least
    return fitted(texts[index % texts.length] ?? '', { min, max: max as number })
  },
  [ComponentType.CHECKBOX]: (_, { picks: [pick = 0] }) => pick % 2 === 0,
  [ComponentType.FILE_UPLOAD]: (input, use) =>
    pickedOf(fileNamesFor(input.file_types), input, use).map((filename) => ({ filename })),
}

// --- Histories ------------------------------------------------------------------------------------------------

/** The steps that the last one needs, numbered anew. */
export function chainOf(steps: readonly Step[]): readonly Step[] {
  if (steps.at(-1)!.kind === 'wait') return [...chainOf(steps.slice(0, -1)), WAIT]
  const needed: number[] = []
  for (let at: number | undefined = steps.length - 1; at !== undefined;) {
    needed.unshift(at)
    const step: Step = steps[at]!
    at = 'on' in step ? step.on : undefined
  }
  return needed.map((number) => {
    const step = steps[number]!
    return 'on' in step ? { ...step, on: needed.indexOf(step.on) } : step
  })
}

/** Several histories as one. */
export function joinHistories(histories: readonly (readonly Step[])[]): readonly Step[] {
  return histories.reduce(
    (all, steps) => [
      ...all,
      ...steps.map((step) => ('on' in step ? { ...step, on: step.on + all.length } : step)),
    ],
    [],
  )
}

export function useOf([first]: readonly Step[]): Use {
  return (first as Extract<Step, { kind: 'use' }>).use
}
