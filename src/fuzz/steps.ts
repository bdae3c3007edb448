/** What a person does with a bot, step by step: as calls of a testbed, as typed lines, and as the code of a test. */
import { CommandType, OptionType } from '../command/types.ts'
import { withoutRuns } from '../core/text.ts'
import { componentsOf, type Component } from '../interaction/component.ts'
import { ButtonStyle, ComponentType } from '../interaction/types.ts'
import type { ServerSettings } from '../world/server.ts'
import type { Suggestion } from '../testbed/clients.ts'
import type { Shown } from '../testbed/shown.ts'
import type { Testbed } from '../testbed/testbed.ts'
import { fitted, type Given, type Use } from './plan.ts'

type Values = { readonly [customId: string]: string | readonly string[] }

/** What a person does with an answer. */
export interface Reaction {
  readonly kind: 'press' | 'choose' | 'submit'
  /** The number of the step that was answered. */
  readonly on: number
  /** Whether it is on the first follow-up of that answer. */
  readonly isOnFollowUp: boolean
  /** The button or the menu; the title of the modal. */
  readonly name: string
  /** What is chosen or entered. */
  readonly values: Values
}

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
  return `${step.kind} ${step.name}${step.isOnFollowUp ? ' of a follow-up' : ''}`
}

/** Everything that a person entered, for a search. */
export function entered(step: Step, server: ServerSettings): string {
  if (step.kind === 'use') return lineOf(step.use, server)
  return step.kind === 'submit' ? JSON.stringify(step.values) : ''
}

// --- Calls ----------------------------------------------------------------------------------------------------

/** The target of a message command. */
function contentOf({ texts: [content = ''] }: Use): string {
  return content
}

/** Does a step. @param replies those of the earlier steps */
export async function act(
  bed: Testbed,
  server: ServerSettings,
  step: Step,
  replies: readonly Reply[],
): Promise<Reply | undefined> {
  if (step.kind === 'use') {
    const { subject, place, target, focused } = step.use
    const { as, ...options } = place
    const actor = bed.as(as, { server: server.id, ...options })
    if (subject.type === CommandType.USER) return actor.useOn(subject.path, target)
    if (subject.type === CommandType.MESSAGE)
      return actor.useOn(subject.path, { id: '6001', content: contentOf(step.use) } as never)
    if (subject.type === CommandType.PRIMARY_ENTRY_POINT) return (await actor.launch()).shown ?? undefined
    const line = lineOf(step.use, server)
    return focused === undefined ? actor.use(line) : actor.suggestions(line)
  }
  const answer = replies[step.on] as Shown
  const shown = step.isOnFollowUp ? (answer.followUps[0] ?? (await answer.followedUp())) : answer
  const { kind, name, values } = step
  if (kind === 'press') return shown.press(name)
  return kind === 'choose' ? shown.choose(name, ...Object.values(values).flat()) : shown.submit(values)
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
  const text = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ')
  if (step.kind !== 'use') {
    const { kind, on, isOnFollowUp, name, values } = step
    const answer = `shown${on || ''}`
    const shown = isOnFollowUp ? `(await ${answer}.followedUp())` : answer
    return `${shown}.${kind}(${kind === 'submit' ? text(values) : text(name, ...Object.values(values).flat())})`
  }
  const { subject, place, target, focused } = step.use
  const { as, ...options } = place
  const actor = `bed.as(${text(as, options)})`
  if (subject.type === CommandType.USER) return `${actor}.useOn(${text(subject.path, target)})`
  if (subject.type === CommandType.MESSAGE)
    return `${actor}.useOn(${text(subject.path)}, { id: "6001", content: ${literal(contentOf(step.use))} })`
  if (subject.type === CommandType.PRIMARY_ENTRY_POINT) return `${actor}.launch()`
  return `${actor}.${focused === undefined ? 'use' : 'suggestions'}(${literal(lineOf(step.use, server))})`
}

// --- Reactions ------------------------------------------------------------------------------------------------

const LINKS: ReadonlySet<unknown> = new Set([ButtonStyle.LINK, ButtonStyle.PREMIUM])

/** Everything that a person can do with an answer and its first follow-up. @param on the number of the answered step */
export function reactionsTo(shown: Shown, on: number, use: Use, server: ServerSettings): readonly Reaction[] {
  const { modal, followUps } = shown
  if (modal !== null) return [{ ...submission(modal, use, server), on, isOnFollowUp: false }]
  const own = (one: Shown, isOnFollowUp: boolean) =>
    pressesOf(one, use, server).map((reaction) => ({ ...reaction, on, isOnFollowUp }))
  return [...own(shown, false), ...followUps.slice(0, 1).flatMap((one) => own(one, true))]
}

type OnMessage = Omit<Reaction, 'on' | 'isOnFollowUp'>

function pressesOf({ message, deleted }: Shown, use: Use, server: ServerSettings): readonly OnMessage[] {
  const all = deleted ? [] : componentsOf(message?.components)
  const components = all.filter(({ disabled }) => disabled !== true)
  return components.flatMap((component): readonly OnMessage[] => {
    const { type, custom_id: id, style } = component
    if (typeof id !== 'string' || LINKS.has(style)) return []
    const isButton = type === ComponentType.BUTTON
    // A label stays the same where a bot draws custom_ids by chance.
    const key = isButton ? 'label' : 'placeholder'
    const label = component[key]
    const isAlone = components.filter((one) => one[key] === label).length === 1
    const name = typeof label === 'string' && isAlone ? label : id
    if (isButton) return [{ kind: 'press', name, values: {} }]
    const chosen = choicesOf(component, use, server)
    return chosen === undefined ? [] : [{ kind: 'choose', name, values: { [id]: chosen } }]
  })
}

/** As many values of a menu as it requires, at least one; undefined if it has too few, or is not a menu. */
function choicesOf(
  menu: Component,
  { picks }: Pick<Use, 'picks'>,
  server: ServerSettings,
): readonly string[] | undefined {
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

function submission({ title, components }: Modal, { texts, ...use }: Use, server: ServerSettings): OnMessage {
  const entries = componentsOf(components).flatMap((input, index): [string, Values[string]][] => {
    const { type, custom_id: id, min_length, max_length: max = 4_000, required = true } = input
    const least = required === true ? 1 : 0
    const min = typeof min_length === 'number' ? Math.max(least, min_length) : least
    const text = fitted(texts[index % texts.length] ?? '', { min, max: max as number })
    const value = type === ComponentType.TEXT_INPUT ? text : choicesOf(input, use, server)
    return typeof id === 'string' && value !== undefined ? [[id, value]] : []
  })
  return { kind: 'submit', name: title, values: Object.fromEntries(entries) }
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

/** The first use of a history. */
export function useOf([first]: readonly Step[]): Use {
  return (first as Extract<Step, { kind: 'use' }>).use
}
