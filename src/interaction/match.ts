/** The values a person gives, held against the definition of the command (clauses 2.11-05, 2.11-07). */
import type { CommandBody, OptionBody, OptionValue } from '../command/define.ts'
import { admits, CommandType, commandTypeNames, OptionType } from '../command/kinds.ts'
import { found, type Found } from '../command/shape.ts'
import { deepFreeze } from '../core/freeze.ts'
import { withoutNegativeZero } from '../core/json.ts'
import type { Report } from '../core/report.ts'
import { rule } from '../core/rule.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { counted, countCharacters, fits, given, listed, quoted, type Given } from '../core/text.ts'
import {
  badLength,
  maxLength,
  minLength,
  notNumber,
  numberMax,
  numberMin,
  oneOf,
  required,
} from '../core/wire.ts'
import type { FilledOption, FocusedOption, OptionsTree, SubcommandGroupOf, SubcommandOf } from './payload.ts'

const { CHAT_INPUT, USER, MESSAGE } = CommandType
const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, NUMBER, BOOLEAN, CHANNEL, MENTIONABLE, ATTACHMENT } =
  OptionType

/** What a person says when they use a command. */
export interface Said {
  /** The names below the command, with spaces between: `'user get'`. */
  readonly subcommand?: string
  /** Values by default name. */
  readonly options?: { readonly [name: string]: OptionValue | undefined }
  /** For autocomplete: the default name of the option that is being typed. */
  readonly focused?: string
  /** The user or message a command of a context menu is used on. */
  readonly target?: string
}

/** The kinds of things ids stand for. */
export type ThingKind = 'users' | 'roles' | 'channels' | 'messages' | 'attachments'

/** What is known of the things that ids stand for. */
export interface Known {
  /** The kinds of things an id is known to be; none when nothing is known of it. */
  kinds(id: string): readonly ThingKind[]
  /** The type of a channel, if it is known. */
  channelType(id: string): number | undefined
}

/** An id that stands for something, in an option or as a target. */
export interface Reference {
  readonly id: string
  readonly option: OptionBody
}

/** What a person said, as an interaction carries it. */
export interface Matched {
  readonly options: OptionsTree<FilledOption | FocusedOption>
  readonly references: readonly Reference[]
}

// --- Rules --------------------------------------------------------------------------------------------------

const invalidCommand = {
  code: 'INTERACTION_APPLICATION_COMMAND_INVALID',
  message: 'Invalid interaction application command',
}

const asked = (option: object, options: object = {}, rest: object = {}) => ({
  command: { name: 'a', description: 'b', options: [{ name: 'o', description: 'b', ...option }] },
  request: { options, ...rest },
})

const grouped = /* @__PURE__ */ deepFreeze({
  name: 'a',
  description: 'b',
  options: [
    { type: SUB_COMMAND, name: 's', description: 'b' },
    {
      type: SUB_COMMAND_GROUP,
      name: 'g',
      description: 'b',
      options: [{ type: SUB_COMMAND, name: 's', description: 'b' }],
    },
  ],
} as const)

/** What there is instead. */
function offered(what: string, names: readonly string[]): string {
  return names.length === 1 ? `the only ${what} is ${names[0]}` : `the ${what}s are ${listed(names)}`
}

export const subcommandMissing = rule({
  code: 'subcommand.missing',
  clause: '2.7-03',
  summary: 'A command that has subcommands is used by one of them, never by itself.',
  on: 'interaction',
  check: (subcommand: unknown) => typeof subcommand === 'string' && subcommand !== '',
  message: ({ subcommands }: { subcommands: readonly string[] }) =>
    subcommands.length === 0
      ? 'is missing, and the command has only empty groups: nobody can use it'
      : `is missing; a command with subcommands is used by one of them: ${listed(subcommands, 'or')}`,
  wire: invalidCommand,
  breaks: () => ({ body: { command: grouped, request: {} }, path: ['subcommand'] }),
})

export const subcommandUnknown = rule({
  code: 'subcommand.unknown',
  clause: '2.7-03',
  summary: 'The subcommand is one the command has.',
  on: 'interaction',
  check: (option: OptionBody | undefined) => option?.type === SUB_COMMAND,
  message: ({ subcommand, subcommands }: { subcommand: string; subcommands: readonly string[] }) =>
    subcommands.length === 0
      ? `is ${quoted(subcommand)}, but the command has no subcommands`
      : `is ${quoted(subcommand)}; ${offered('subcommand', subcommands)}`,
  wire: invalidCommand,
  breaks: (_, pick) => ({
    body: { command: grouped, request: { subcommand: ['g', 'x', 's s', 'g x'][pick(4)] } },
    path: ['subcommand'],
  }),
})

export const argumentsNone = rule({
  code: 'arguments.none',
  clause: '2.11-03',
  summary: 'Only slash commands take options.',
  on: 'interaction',
  check: (type: CommandType, count: number) => type === CHAT_INPUT || count === 0,
  message: ({ type }: { type: CommandType }) =>
    `is given, but ${article(commandTypeNames[type])} command takes no options`,
  wire: invalidCommand,
  breaks: () => ({
    body: { command: { type: USER, name: 'A' }, request: { target: '1', options: { o: 'x' } } },
    path: ['options'],
  }),
})

export const targetRequired = rule({
  code: 'target.required',
  clause: '2.11-03',
  summary: 'A user command is used on a user and a message command on a message.',
  on: 'interaction',
  check: (target: unknown, type: CommandType) => (type !== USER && type !== MESSAGE) || isSnowflake(target),
  message: ({ actual, type }: Found & { type: CommandType }) =>
    `is ${actual}; a ${commandTypeNames[type]} command is used on a ${commandTypeNames[type]}, whose id belongs here`,
  wire: required,
  breaks: (_, pick) => ({
    body: { command: { type: pick(2) === 0 ? USER : MESSAGE, name: 'A' }, request: {} },
    path: ['target'],
  }),
})

export const targetNone = rule({
  code: 'target.none',
  clause: '2.11-03',
  summary: 'Slash commands and entry points are used on nothing.',
  on: 'interaction',
  check: (target: unknown, type: CommandType) => type === USER || type === MESSAGE || target === undefined,
  message: ({ type }: { type: CommandType }) =>
    `is given, but ${article(commandTypeNames[type])} command is used on nothing`,
  wire: invalidCommand,
  breaks: () => ({
    body: { command: { name: 'a', description: 'b' }, request: { target: '1' } },
    path: ['target'],
  }),
})

export const argumentUnknown = rule({
  code: 'argument.unknown',
  clause: '2.11-07',
  summary: 'Every value is for an option of the command or of its subcommand.',
  on: 'interaction',
  check: (options: readonly OptionBody[], name: string) => options.some((option) => option.name === name),
  message: ({ names }: { names: readonly string[] }) =>
    names.length === 0
      ? 'is no option; there are none here'
      : `is no option here; ${offered('option', names)}`,
  wire: invalidCommand,
  breaks: () => ({ body: asked({ type: STRING }, { x: 'v' }), path: ['options', 'x'] }),
})

export const argumentRequired = rule({
  code: 'argument.required',
  clause: '2.11-07',
  summary: 'Required options are filled in, save while something is still being typed.',
  on: 'interaction',
  check: (option: OptionBody, value: unknown) => option.required !== true || value !== undefined,
  message: () => 'is missing, and the option is required',
  wire: required,
  breaks: () => ({ body: asked({ type: STRING, required: true }), path: ['options', 'o'] }),
})

const takes: { readonly [type: number]: string } = {
  [STRING]: 'a string',
  [INTEGER]: 'a whole number',
  [NUMBER]: 'a finite number',
  [BOOLEAN]: 'true or false',
}

export interface Mistyped extends Found {
  readonly type: OptionType
}

export const argumentType = rule({
  code: 'argument.type',
  clause: '2.11-07',
  summary: 'A value is of the type its option takes; users, channels and the like are given by their ids.',
  on: 'interaction',
  check: (value: unknown, type: OptionType) => {
    switch (type) {
      case STRING:
        return typeof value === 'string'
      case INTEGER:
        return Number.isInteger(value)
      case NUMBER:
        return typeof value === 'number' && Number.isFinite(value)
      case BOOLEAN:
        return typeof value === 'boolean'
      default:
        return isSnowflake(value)
    }
  },
  message: ({ actual, type }: Mistyped) =>
    `is ${actual}; an option of type ${admits[type]?.name ?? type} takes ${takes[type] ?? 'an id such as "1029384756"'}`,
  wire: ({ actual, given, type }: Mistyped) => {
    if (type === STRING)
      return { code: 'STRING_TYPE_CONVERT', message: `Could not convert ${actual} to string.` }
    if (type === BOOLEAN)
      return { code: 'BOOLEAN_TYPE_CONVERT', message: `Could not convert ${actual} to boolean.` }
    return notNumber(given, type === INTEGER ? 'int' : type === NUMBER ? 'float' : 'snowflake')
  },
  breaks(_, pick) {
    const types = Object.values(OptionType).filter((type) => admits[type]!.value)
    const type = types[pick(types.length)]!
    const wrong = type === STRING ? 5 : type === BOOLEAN ? 'yes' : type === NUMBER ? '1' : 1.5
    return { body: asked({ type }, { o: wrong }), path: ['options', 'o'] }
  },
})

export interface OutOfBounds {
  readonly value: number
  readonly min: number
  readonly max: number
  readonly integer: boolean
}

export const argumentRange = rule({
  code: 'argument.range',
  clause: '2.11-07',
  summary: "A number is inside the range of its type and between the option's `min_value` and `max_value`.",
  on: 'interaction',
  check: (value: number, bounds: { readonly min: number; readonly max: number }) =>
    value >= bounds.min && value <= bounds.max,
  message: ({ value, min, max }: OutOfBounds) => `is ${value}; the option takes ${min} to ${max}`,
  wire: ({ value, min, max, integer }: OutOfBounds) =>
    value > max ? numberMax(integer ? 'int' : 'float', max) : numberMin(integer ? 'int' : 'float', min),
  breaks(_, pick) {
    const type = pick(2) === 0 ? INTEGER : NUMBER
    const cases = [
      asked({ type, min_value: 2 }, { o: 1 }),
      asked({ type, max_value: 2 }, { o: 3 }),
      asked({ type }, { o: 2 ** 53 + 2 }),
    ]
    return { body: cases[pick(3)], path: ['options', 'o'] }
  },
})

export interface WrongLength {
  readonly actual: number
  readonly min: number
  readonly max: number | null
}

export const argumentLength = rule({
  code: 'argument.length',
  clause: '2.11-07',
  summary: "A text has as many characters as the option's `min_length` and `max_length` ask for.",
  on: 'interaction',
  check: (text: string, min: number, max: number | null) =>
    (max === null || fits(text, max)) && (min === 0 || countCharacters(text) >= min),
  message: ({ actual, min, max }: WrongLength) =>
    max === null
      ? `has ${counted(actual, 'character')}; at least ${min} are needed`
      : `has ${counted(actual, 'character')}; ${min} to ${max} are allowed`,
  wire: ({ min, max }: WrongLength) =>
    max === null ? minLength(min) : min === 0 ? maxLength(max) : badLength(min, max),
  breaks: (_, pick) => ({
    body:
      pick(2) === 0
        ? asked({ type: STRING, min_length: 2 }, { o: 'x' })
        : asked({ type: STRING, max_length: 2 }, { o: 'xyz' }),
    path: ['options', 'o'],
  }),
})

export const argumentChoice = rule({
  code: 'argument.choice',
  clause: '2.6-03',
  summary: 'Where an option has choices, its value is the value of one of them.',
  on: 'interaction',
  check: (value: OptionValue, values: readonly OptionValue[]) => values.includes(value),
  message: ({ value, values }: { value: Given; values: readonly (string | number)[] }) =>
    `is ${shown(value)}, which is none of the choices: ${listed(values.map(shown))}`,
  wire: ({ values }: { value: Given; values: readonly (string | number)[] }) => oneOf(values),
  breaks: () => ({
    body: asked({ type: STRING, choices: [{ name: 'x', value: 'v' }] }, { o: 'x' }),
    path: ['options', 'o'],
  }),
})

export const argumentChannelType = rule({
  code: 'argument.channel_type',
  clause: '2.11-07',
  summary: 'A channel is of one of the types its option offers.',
  on: 'interaction',
  check: (type: number | undefined, types: readonly number[]) => type === undefined || types.includes(type),
  message: ({ type, types }: { type: number; types: readonly number[] }) =>
    `is a channel of type ${type}; the option offers ${listed(types.map(String))}`,
  wire: ({ types }: { type: number; types: readonly number[] }) => oneOf(types),
  breaks: () => ({
    body: asked(
      { type: CHANNEL, channel_types: [0] },
      { o: '7' },
      { resolved: { channels: { '7': { id: '7', type: 2 } } } },
    ),
    path: ['options', 'o'],
  }),
})

const stands: { readonly [type: number]: readonly ThingKind[] } = {
  [OptionType.USER]: ['users'],
  [CHANNEL]: ['channels'],
  [OptionType.ROLE]: ['roles'],
  [MENTIONABLE]: ['users', 'roles'],
  [ATTACHMENT]: ['attachments'],
}

export const argumentKind = rule({
  code: 'argument.kind',
  clause: '2.5-03',
  summary:
    'An id stands for what its option takes: a user, a channel, a role, either of the first and the last, an attachment.',
  on: 'interaction',
  check: (kinds: readonly ThingKind[], wanted: readonly ThingKind[]) =>
    kinds.length === 0 || kinds.some((kind) => wanted.includes(kind)),
  message: ({ kinds, wanted }: { kinds: readonly ThingKind[]; wanted: readonly ThingKind[] }) =>
    `is known as one of the ${listed(kinds)}; the option takes one of the ${listed(wanted, 'or')}`,
  wire: invalidCommand,
  breaks: () => ({
    body: asked({ type: MENTIONABLE }, { o: '7' }, { resolved: { channels: { '7': { id: '7', type: 2 } } } }),
    path: ['options', 'o'],
  }),
})

export const focusedOption = rule({
  code: 'focused.option',
  clause: '2.11-05',
  summary: 'Suggestions are asked for while typing in an option that has autocomplete.',
  on: 'interaction',
  check: (option: OptionBody | undefined) => option?.autocomplete === true,
  message: ({ names }: { names: readonly string[] }) =>
    names.length === 0
      ? 'is no option with autocomplete; there are none here'
      : `is no option with autocomplete; ${offered('one', names)}`,
  wire: invalidCommand,
  breaks: (_, pick) => ({
    body: asked({ type: STRING }, {}, { focused: pick(2) === 0 ? 'o' : 'x' }),
    path: ['focused'],
  }),
})

export const focusedValue = rule({
  code: 'focused.value',
  clause: '2.11-05',
  summary: 'What is being typed could become a value: any beginning of a text, but no number that is none.',
  on: 'interaction',
  check: (value: unknown, option: OptionBody) => isPartial(value, option),
  message: ({ actual, type }: Mistyped) =>
    `is ${actual}, which the client does not send on for an option of type ${admits[type]?.name ?? type}`,
  wire: invalidCommand,
  breaks: (_, pick) => ({
    body: asked(
      { type: pick(2) === 0 ? INTEGER : NUMBER, autocomplete: true },
      { o: ['-', '1a', ' ', '1e999'][pick(4)] },
      { focused: 'o' },
    ),
    path: ['options', 'o'],
  }),
})

/** The rules about what a person says; they join the catalogue. */
export const interactionRules = [
  subcommandMissing,
  subcommandUnknown,
  argumentsNone,
  targetRequired,
  targetNone,
  argumentUnknown,
  argumentRequired,
  argumentType,
  argumentRange,
  argumentLength,
  argumentChoice,
  argumentChannelType,
  argumentKind,
  focusedOption,
  focusedValue,
] as const

/** For the types of commands: the one that begins with a vowel that is spoken is the entry point. */
function article(word: string): string {
  return `${word.startsWith('e') ? 'an' : 'a'} ${word}`
}

function shown(value: Given): string {
  return typeof value === 'string' ? quoted(value, 40) : String(value)
}

// --- Matching -----------------------------------------------------------------------------------------------

/** The type of a command; a body may leave it out (clause 2.1-02). */
export function typeOf(command: CommandBody): CommandType {
  return command.type ?? CHAT_INPUT
}

/**
 * Holds what a person said against a command, with every problem at its place in what they said.
 *
 * @returns nothing when the command is not of a kind that has options, or it is not known which of them count
 */
export function matchOptions(
  report: Report,
  command: CommandBody,
  said: Said,
  known: Known,
): Matched | undefined {
  const type = typeOf(command)
  if (!targetRequired.check(said.target, type)) {
    report.add(targetRequired, { ...found(said.target), type }, 'target')
  }
  if (!targetNone.check(said.target, type)) report.add(targetNone, { type }, 'target')
  if (type !== CHAT_INPUT) {
    const count = Object.keys(said.options ?? {}).length
    if (!argumentsNone.check(type, count)) report.add(argumentsNone, { type }, 'options')
    if (said.subcommand !== undefined)
      report.add(subcommandUnknown, unknown(said.subcommand, []), 'subcommand')
    if (said.focused !== undefined) report.add(focusedOption, { names: [] }, 'focused')
    return undefined
  }
  const place = findSubcommand(report, command, said.subcommand)
  if (place === undefined) return undefined
  const matching = new Matching(report, place.options, said, known)
  return { options: place.wrap(matching.match()), references: matching.references }
}

type Entry = FilledOption | FocusedOption

interface SubcommandPlace {
  readonly options: readonly OptionBody[]
  readonly wrap: (options: readonly Entry[]) => OptionsTree<Entry>
}

/** The names of all subcommands of a command, groups before them: `'user get'`. */
export function subcommandsOf(command: Pick<CommandBody, 'options'>): readonly string[] {
  return (command.options ?? []).flatMap((option) => {
    if (option.type === SUB_COMMAND) return [option.name]
    if (option.type !== SUB_COMMAND_GROUP) return []
    return (option.options ?? []).map(({ name }) => `${option.name} ${name}`)
  })
}

function unknown(subcommand: string, subcommands: readonly string[]) {
  return { subcommand: String(given(subcommand)), subcommands }
}

function findSubcommand(
  report: Report,
  command: CommandBody,
  subcommand: string | undefined,
): SubcommandPlace | undefined {
  const options = command.options ?? []
  const subcommands = subcommandsOf(command)
  if (!options.some(({ type }) => admits[type]?.options)) {
    if (subcommand === undefined || subcommand === '') return { options, wrap: (entries) => entries }
    report.add(subcommandUnknown, unknown(subcommand, subcommands), 'subcommand')
    return undefined
  }
  if (!subcommandMissing.check(subcommand)) {
    report.add(subcommandMissing, { subcommands }, 'subcommand')
    return undefined
  }
  const [first = '', second, ...rest] = subcommand!.split(' ')
  const outer = options.find(({ name }) => name === first)
  const inner = second === undefined ? outer : outer?.options?.find(({ name }) => name === second)
  const isPath = rest.length === 0 && (outer?.type === SUB_COMMAND_GROUP) === (second !== undefined)
  if (!isPath || !subcommandUnknown.check(inner)) {
    report.add(subcommandUnknown, unknown(subcommand!, subcommands), 'subcommand')
    return undefined
  }
  return {
    options: inner!.options ?? [],
    wrap(entries) {
      const leaf: SubcommandOf<Entry> = {
        type: SUB_COMMAND,
        name: inner!.name,
        ...(entries.length > 0 && { options: entries }),
      }
      if (outer === inner) return [leaf]
      const group: SubcommandGroupOf<Entry> = { type: SUB_COMMAND_GROUP, name: first, options: [leaf] }
      return [group]
    },
  }
}

/** The values of one list of options. */
class Matching {
  readonly references: Reference[] = []
  readonly #report: Report
  readonly #options: readonly OptionBody[]
  readonly #said: Said
  readonly #values: { readonly [name: string]: unknown }
  readonly #known: Known

  constructor(report: Report, options: readonly OptionBody[], said: Said, known: Known) {
    this.#report = report
    this.#options = options
    this.#said = said
    this.#values = said.options ?? {}
    this.#known = known
  }

  match(): readonly Entry[] {
    const { focused } = this.#said
    if (focused !== undefined) this.#checkFocus(focused)
    for (const name of Object.keys(this.#values)) {
      if (this.#values[name] === undefined || argumentUnknown.check(this.#options, name)) continue
      this.#report.add(
        argumentUnknown,
        { names: this.#options.map((option) => option.name) },
        'options',
        name,
      )
    }
    return this.#options.flatMap((option): Entry[] => {
      const value = Object.hasOwn(this.#values, option.name) ? this.#values[option.name] : undefined
      if (option.name === focused) return this.#focus(option, value ?? '')
      if (focused !== undefined) {
        // What is required may still be missing, and attachments are not sent before the command is.
        if (value === undefined || option.type === ATTACHMENT) return []
      } else if (!argumentRequired.check(option, value)) {
        this.#report.add(argumentRequired, {}, 'options', option.name)
      }
      return value === undefined ? [] : this.#fill(option, value)
    })
  }

  #checkFocus(focused: string): void {
    if (focusedOption.check(this.#options.find(({ name }) => name === focused))) return
    const names = this.#options.filter(({ autocomplete }) => autocomplete === true).map(({ name }) => name)
    this.#report.add(focusedOption, { names }, 'focused')
  }

  #focus({ name, type, ...option }: OptionBody, value: unknown): Entry[] {
    if (!focusedOption.check({ name, type, ...option })) return []
    if (!focusedValue.check(value, { name, type, ...option })) {
      this.#report.add(focusedValue, { ...found(value), type }, 'options', name)
      return []
    }
    return [{ name, type, value: String(value), focused: true } as FocusedOption]
  }

  #fill(option: OptionBody, value: unknown): Entry[] {
    const { name, type } = option
    if (!argumentType.check(value, type)) {
      this.#report.add(argumentType, { ...found(value), type }, 'options', name)
      return []
    }
    // Where there are choices they alone count; bounds could only repeat it (clause 2.6-03).
    if ((option.choices?.length ?? 0) > 0) this.#checkChoice(option, value as OptionValue)
    else if (typeof value === 'number') this.#checkNumber(option, value)
    else if (type === STRING) this.#checkText(option, value as string)
    else if (type !== BOOLEAN) this.#refer(option, value as string)
    return [{ name, type, value: withoutNegativeZero(value) } as FilledOption]
  }

  #checkNumber(option: OptionBody, value: number): void {
    const bounds = boundsOf(option)
    if (!argumentRange.check(value, bounds)) {
      this.#report.add(argumentRange, { value, ...bounds }, 'options', option.name)
    }
  }

  #checkText({ name, min_length, max_length }: OptionBody, text: string): void {
    const [min, max] = [min_length ?? 0, max_length ?? null]
    if (argumentLength.check(text, min, max)) return
    this.#report.add(argumentLength, { actual: countCharacters(text), min, max }, 'options', name)
  }

  #checkChoice({ name, choices = [] }: OptionBody, value: OptionValue): void {
    const values = choices.map((choice) => choice.value)
    if (argumentChoice.check(value, values)) return
    this.#report.add(argumentChoice, { value: given(value), values }, 'options', name)
  }

  #refer(option: OptionBody, id: string): void {
    const kinds = this.#known.kinds(id)
    const wanted = stands[option.type] ?? []
    if (!argumentKind.check(kinds, wanted)) {
      this.#report.add(argumentKind, { kinds, wanted }, 'options', option.name)
      return
    }
    const types = option.channel_types ?? []
    const type = this.#known.channelType(id)
    if (types.length > 0 && !argumentChannelType.check(type, types)) {
      this.#report.add(argumentChannelType, { type: type!, types }, 'options', option.name)
    }
    this.references.push({ id, option })
  }
}

/**
 * How small and how large a number may be for an option of a type that takes numbers. Here as for every bound, null
 * is the same as none (clause 2.1-22).
 */
function boundsOf({ type, min_value, max_value }: OptionBody): Omit<OutOfBounds, 'value'> {
  const { min, max, integer } = admits[type]!.range!
  return {
    min: Math.max(min, min_value ?? min),
    max: Math.min(max, max_value ?? max),
    integer,
  }
}

/** Whether what was typed so far passes the client's own checks (clause 2.11-05). Nothing typed yet does. */
function isPartial(value: unknown, option: OptionBody): boolean {
  if (option.type === STRING) {
    return typeof value === 'string' && fits(value, option.max_length ?? Infinity)
  }
  if (value === '') return true
  const number = typeof value === 'string' && /^-?[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : value
  return argumentType.check(number, option.type) && argumentRange.check(number as number, boundsOf(option))
}
