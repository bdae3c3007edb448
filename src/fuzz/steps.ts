/** What a person does with a bot, step by step: as calls of a testbed, as typed lines, and as the code of a test. */
import { OptionType } from '../command/types.ts'
import { countCharacters, withoutRuns } from '../core/text.ts'
import { componentsOf, type Component } from '../interaction/component.ts'
import { ButtonStyle, ComponentType } from '../interaction/types.ts'
import type { ServerSettings } from '../world/server.ts'
import type { Suggestion } from '../testbed/clients.ts'
import type { Shown } from '../testbed/shown.ts'
import type { Testbed } from '../testbed/testbed.ts'
import { fitted, type Given, type Place, type Use } from './plan.ts'

type Values = { readonly [customId: string]: string | readonly string[] }

/** What a person does with an answer; `on` is the number of the step that was answered. */
export type Reaction =
  | { readonly kind: 'press'; readonly on: number; readonly name: string }
  | {
      readonly kind: 'choose'
      readonly on: number
      readonly name: string
      readonly values: readonly string[]
    }
  | { readonly kind: 'submit'; readonly on: number; readonly name: string; readonly values: Values }

/** One interaction of a person with the bot. A use with a `focused` option asks for suggestions. */
export type Step = { readonly kind: 'use'; readonly use: Use } | Reaction

/** What a step leads to. */
export type Reply = Shown | readonly Suggestion[]

// --- Lines ----------------------------------------------------------------------------------------------------

const { USER, CHANNEL, ROLE, MENTIONABLE } = OptionType

function textOf({ option, value }: Given, server: ServerSettings): string {
  const choice = option.choices?.find((one) => one.value === value)
  if (choice !== undefined) return choice.name
  const isMention = [USER, CHANNEL, ROLE, MENTIONABLE].some((type) => type === option.type)
  if (isMention) {
    const user = server.members.find(({ user: { id } }) => id === value)?.user.username
    const role = server.roles.find(({ id }) => id === value)?.name
    const channel = server.channels.find(({ id }) => id === value)?.name
    if (option.type === CHANNEL) return channel === undefined ? `<#${value}>` : `#${channel}`
    return `@${user ?? role ?? value}`
  }
  if (typeof value !== 'number') return String(value)
  // A person types no exponents.
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}

/** The line that a person types for a use of a slash command. */
export function lineOf({ subject, values }: Use, server: ServerSettings): string {
  const typed = values.map((given) => {
    const text = textOf(given, server)
    const isPlain = /^[^\s":\\]*$/u.test(text)
    return `${given.option.name}:${isPlain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`}`
  })
  return [subject.type === 1 ? `/${subject.path}` : subject.path, ...typed].join(' ')
}

/** A step in words. */
export function stepName(step: Step): string {
  if (step.kind === 'use')
    return step.use.focused === undefined ? 'use' : `suggestions of ${step.use.focused}`
  return `${step.kind} ${step.name}`
}

/** Everything that a person entered, for a search. */
export function entered(step: Step, server: ServerSettings): string {
  if (step.kind === 'use') return lineOf(step.use, server)
  return step.kind === 'submit' ? JSON.stringify(step.values) : ''
}

// --- Calls ----------------------------------------------------------------------------------------------------

function messageFor({ texts: [content = ''] }: Use) {
  return { id: '6001', content } as never
}

/** Does a step. @param replies those of the earlier steps */
export function act(
  bed: Testbed,
  server: ServerSettings,
  step: Step,
  replies: readonly Reply[],
): Promise<Reply> {
  if (step.kind === 'use') {
    const { subject, place, target, focused } = step.use
    const { as, ...options } = place
    const actor = bed.as(as, { server: server.id, ...options })
    if (subject.type === 2) return actor.useOn(subject.path, bed.people[target]!)
    if (subject.type === 3) return actor.useOn(subject.path, messageFor(step.use))
    const line = lineOf(step.use, server)
    return focused === undefined ? actor.use(line) : actor.suggestions(line)
  }
  const shown = replies[step.on] as Shown
  if (step.kind === 'press') return shown.press(step.name)
  return step.kind === 'choose' ? shown.choose(step.name, ...step.values) : shown.submit(step.values)
}

/** The statements of a test that does the steps. @param end the last statements */
export function codeOf(steps: readonly Step[], server: ServerSettings, end: readonly string[]): string {
  const statements = steps.map((step, index) => {
    const isRead = index === steps.length - 1 ? end.length > 0 : true
    return `${isRead ? `const shown${index || ''} = ` : ''}await ${callOf(step, server)}`
  })
  const title = steps
    .map((step) => (step.kind === 'use' ? lineOf(step.use, server) : stepName(step)))
    .join(', ')
  const lines = [...statements, ...end].map((line) => `  ${line}\n`).join('')
  return `test(${JSON.stringify(withoutRuns(title))}, async () => {\n${lines}})`
}

/** A text as JavaScript, its long runs of one character as calls of `repeat`. */
function literal(text: string): string {
  const parts = text.split(/((.)\2{49,})/su)
  // Each run is followed by its character.
  const words = parts.flatMap((part, index) => {
    if (index % 3 === 2 || part === '') return []
    const character = parts[index + 1]
    return index % 3 === 0
      ? [JSON.stringify(part)]
      : [`${JSON.stringify(character)}.repeat(${[...part].length})`]
  })
  return words.length === 0 ? '""' : words.join(' + ')
}

function callOf(step: Step, server: ServerSettings): string {
  const text = (value: unknown) => JSON.stringify(value)
  if (step.kind !== 'use') {
    const shown = `shown${step.on || ''}`
    if (step.kind === 'submit') return `${shown}.submit(${text(step.values)})`
    const values = step.kind === 'choose' ? step.values : []
    return `${shown}.${step.kind}(${[step.name, ...values].map(text).join(', ')})`
  }
  const { subject, place, target, focused } = step.use
  const { as, channel, locale } = place
  const actor = `bed.as(${text(as)}, ${text({ channel, locale })})`
  if (subject.type === 2) return `${actor}.useOn(${text(subject.path)}, bed.people[${text(target)}])`
  if (subject.type === 3) return `${actor}.useOn(${text(subject.path)}, ${text(messageFor(step.use))})`
  return `${actor}.${focused === undefined ? 'use' : 'suggestions'}(${literal(lineOf(step.use, server))})`
}

// --- Reactions ------------------------------------------------------------------------------------------------

const LINKS: ReadonlySet<unknown> = new Set([ButtonStyle.LINK, ButtonStyle.PREMIUM])

/** Everything that a person can do with an answer, each once. @param on the number of the answered step */
export function reactionsTo(shown: Shown, on: number, use: Use, server: ServerSettings): readonly Reaction[] {
  const { message, modal, deleted } = shown
  if (modal !== null) return [submission(modal, on, use, server)]
  const components = deleted
    ? []
    : componentsOf(message?.components).filter(({ disabled }) => disabled !== true)
  return components.flatMap((component): readonly Reaction[] => {
    const { type, custom_id: id, label, placeholder, style } = component
    if (typeof id !== 'string') return []
    // A label stays the same where a bot draws custom_ids by chance.
    const labels = components.filter((one) => one.label === label)
    if (type === ComponentType.BUTTON)
      return LINKS.has(style)
        ? []
        : [{ kind: 'press', on, name: typeof label === 'string' && labels.length === 1 ? label : id }]
    const values = choicesOf(component, use, server)
    if (values === undefined) return []
    const isAlone = components.filter((one) => one.placeholder === placeholder).length === 1
    return [
      { kind: 'choose', on, name: typeof placeholder === 'string' && isAlone ? placeholder : id, values },
    ]
  })
}

/** As many values of a menu as it requires, at least one; undefined if it has too few, or is not a menu. */
function choicesOf(menu: Component, { picks }: Use, server: ServerSettings): readonly string[] | undefined {
  const users = server.members.map(({ user }) => user.id)
  const roles = server.roles.map(({ id }) => id)
  const channelTypes = menu.channel_types as readonly number[] | undefined
  const channels = server.channels.filter(({ type = 0 }) =>
    channelTypes?.length ? channelTypes.includes(type) : true,
  )
  const all: { readonly [type: number]: readonly string[] } = {
    [ComponentType.STRING_SELECT]: ((menu.options ?? []) as { value: string }[]).map(({ value }) => value),
    [ComponentType.USER_SELECT]: users,
    [ComponentType.ROLE_SELECT]: roles,
    [ComponentType.MENTIONABLE_SELECT]: [...users, ...roles],
    [ComponentType.CHANNEL_SELECT]: channels.map(({ id }) => id),
  }
  const values = all[menu.type as number] ?? []
  const count = Math.max(1, typeof menu.min_values === 'number' ? menu.min_values : 1)
  const [pick = 0] = picks
  if (values.length < count) return undefined
  return Array.from({ length: count }, (_, index) => values[(pick + index) % values.length]!)
}

type Modal = NonNullable<Shown['modal']>

function submission(modal: Modal, on: number, use: Use, server: ServerSettings): Reaction {
  const values: { [customId: string]: string | readonly string[] } = {}
  for (const [index, input] of componentsOf(modal.components).entries()) {
    const { type, custom_id: id, min_length, max_length = 4_000, required = true } = input
    if (typeof id !== 'string') continue
    const min = typeof min_length === 'number' ? min_length : 0
    const bounds = { min: required === true ? Math.max(1, min) : min, max: max_length as number }
    const text = use.texts[index % use.texts.length] ?? ''
    const chosen = choicesOf(input, use, server)
    if (type === ComponentType.TEXT_INPUT) values[id] = fitted(text, bounds)
    else if (chosen !== undefined) values[id] = chosen
  }
  return { kind: 'submit', on, name: modal.title, values }
}

/** The steps that the last one needs, numbered anew. */
export function chainOf(steps: readonly Step[]): readonly Step[] {
  const needed: number[] = []
  for (let at: number | undefined = steps.length - 1; at !== undefined;) {
    needed.unshift(at)
    const step: Step = steps[at]!
    at = step.kind === 'use' ? undefined : step.on
  }
  return needed.map((number) => {
    const step = steps[number]!
    return step.kind === 'use' ? step : { ...step, on: needed.indexOf(step.on) }
  })
}

// --- Simpler steps --------------------------------------------------------------------------------------------

/** The texts of steps that can be shortened, with the steps for another text. */
export interface Shortenable {
  readonly text: string
  with(text: string): readonly Step[]
}

/** All inputs of the modals of a history. */
export function modalTexts(steps: readonly Step[]): readonly Shortenable[] {
  return steps.flatMap((step, at) =>
    step.kind !== 'submit'
      ? []
      : Object.entries(step.values).flatMap(([id, text]) =>
          typeof text !== 'string' || countCharacters(text) < 2
            ? []
            : {
                text,
                with: (shorter: string) =>
                  steps.with(at, { ...step, values: { ...step.values, [id]: shorter } }),
              },
        ),
  )
}

/** The history with another first use. */
export function withUse(steps: readonly Step[], change: Partial<Use>): readonly Step[] {
  return steps.map((step) => (step.kind === 'use' ? { ...step, use: { ...step.use, ...change } } : step))
}

/** The first use of a history. */
export function useOf([first]: readonly Step[]): Use {
  return (first as Extract<Step, { kind: 'use' }>).use
}

/** Whether a place is that of another use but for the language. */
export function isIn(place: Place, { as, channel }: Omit<Place, 'locale'>): boolean {
  return place.as === as && place.channel === channel
}
