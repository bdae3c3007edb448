/** Rules about how a command is used: its subcommand, its target, the values and the focused option (clauses 2.6, 2.7, 2.11). */
import type { OptionBody } from '../../model/command-definition.ts'
import { LENGTH_MAX } from '../../commands/definition/rules/option-rules.ts'
import { CommandType, commandTypeNames, optionTraits, OptionType } from '../../model/command-types.ts'
import { isOfFileType, type NamedFile } from '../../model/file-types.ts'
import { FILE_TYPES, since } from '../../model/platform.ts'
import type { OptionValue } from './usage.ts'
import { found, inRange } from '../../core/rules/rule-kinds.ts'
import { holds, NO_PARAMS, rule, type Range } from '../../core/rules/rule.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { counted, countCharacters, fits, given, listed, quoted, type ParamValue } from '../../core/text.ts'

const { CHAT_INPUT, USER, MESSAGE } = CommandType
const { SUB_COMMAND, STRING, INTEGER, NUMBER, BOOLEAN, CHANNEL, MENTIONABLE } = OptionType

export type MentionKind = 'users' | 'roles' | 'channels'
/** The maps of `resolved` that can hold the object of an id. */
export type ObjectKind = MentionKind | 'messages' | 'attachments'

/** What the ids of an option refer to, by its type. */
export const mentionKinds: { readonly [type: number]: readonly MentionKind[] } = {
  [OptionType.USER]: ['users'],
  [CHANNEL]: ['channels'],
  [OptionType.ROLE]: ['roles'],
  [MENTIONABLE]: ['users', 'roles'],
}

interface ValueForm {
  readonly words: string
  readonly isValid: (value: unknown) => boolean
}

/** The values that an option of a type takes; the other types take ids. */
const valueForms: { readonly [type: number]: ValueForm } = {
  [STRING]: { words: 'a string', isValid: (value) => typeof value === 'string' },
  [INTEGER]: { words: 'a whole number', isValid: Number.isInteger },
  [NUMBER]: { words: 'a finite number', isValid: Number.isFinite },
  [BOOLEAN]: { words: 'true or false', isValid: (value) => typeof value === 'boolean' },
}
const ID: ValueForm = { words: 'an id such as "1029384756"', isValid: isSnowflake }

/** The names to choose from, as a sentence. */
function offered(what: string, names: readonly string[]): string {
  return names.length === 1 ? `the only ${what} is ${names[0]}` : `the ${what}s are ${listed(names)}`
}

/** The rules about the subcommand, the options as a whole, and the target. */
export const usageRules = {
  subcommandMissing: rule({
    code: 'subcommand.missing',
    clause: '2.7-03',
    summary: 'A command with subcommands is used by one of them, never by itself.',
    check: (subcommand: unknown, subcommands: readonly string[]) =>
      typeof subcommand === 'string' && subcommand !== '' ? undefined : { subcommands },
    message: ({ subcommands }) =>
      subcommands.length === 0
        ? 'is missing, and cannot be given: the command has only groups without subcommands'
        : `is missing; a command with subcommands is used by one of them: ${listed(subcommands, 'or')}`,
  }),
  subcommandUnknown: rule({
    code: 'subcommand.unknown',
    clause: '2.7-03',
    summary: 'The subcommand is a subcommand of the command.',
    check: (option: OptionBody | undefined, subcommand: string, subcommands: readonly string[]) =>
      option?.type === SUB_COMMAND ? undefined : { subcommand: String(given(subcommand)), subcommands },
    message: ({ subcommand, subcommands }) =>
      subcommands.length === 0
        ? `is ${quoted(subcommand)}, but the command has no subcommands`
        : `is ${quoted(subcommand)}; ${offered('subcommand', subcommands)}`,
  }),
  argumentsNone: rule({
    code: 'arguments.none',
    clause: '2.11-03',
    summary: 'Only slash commands take options.',
    check: (type: CommandType, count: number) => (type === CHAT_INPUT || count === 0 ? undefined : { type }),
    message: ({ type }) => `must be absent: ${article(commandTypeNames[type])} command has no options`,
  }),
  targetRequired: rule({
    code: 'target.required',
    clause: '2.11-03',
    summary: 'A user command is used on a user and a message command on a message.',
    check: (target: unknown, type: CommandType) =>
      (type !== USER && type !== MESSAGE) || isSnowflake(target) ? undefined : { ...found(target), type },
    message: ({ actual, type }) =>
      `is ${actual}; expected the id of the ${commandTypeNames[type]} that the ${commandTypeNames[type]} command is used on`,
  }),
  targetNone: rule({
    code: 'target.none',
    clause: '2.11-03',
    summary: 'Slash commands and entry points have no target.',
    check: (target: unknown, type: CommandType) =>
      type === USER || type === MESSAGE || target === undefined ? undefined : { type },
    about: 'text',
    message: ({ type }) => `must be absent: ${article(commandTypeNames[type])} command has no target`,
  }),
} as const

export const argumentRules = {
  unknown: rule({
    code: 'argument.unknown',
    clause: '2.11-07',
    summary: 'Every value belongs to an option of the command or of its subcommand.',
    check: (options: readonly OptionBody[], name: string) =>
      options.some((option) => option.name === name)
        ? undefined
        : { names: options.map((option) => option.name) },
    about: 'text',
    message: ({ names }) =>
      names.length === 0
        ? 'is not an option; there are none'
        : `is not an option; ${offered('option', names)}`,
  }),
  required: rule({
    code: 'argument.required',
    clause: '2.11-07',
    summary: 'Required options have a value, except in autocomplete.',
    check: (option: OptionBody, value: unknown) =>
      option.required !== true || value !== undefined ? undefined : NO_PARAMS,
    message: () => 'is missing, and the option is required',
  }),
  type: rule({
    code: 'argument.type',
    clause: '2.11-07',
    summary:
      'A value has the type of its option; users, channels, roles, mentionables and attachments are ids.',
    check: (value: unknown, type: OptionType) =>
      formOf(type).isValid(value) ? undefined : { ...found(value), type },
    message: ({ actual, type }) =>
      `is ${actual}; an option of type ${optionTraits[type]?.name ?? type} takes ${formOf(type).words}`,
  }),
  range: rule({
    code: 'argument.range',
    clause: '2.11-07',
    summary: "A number is inside the range of its type and between the option's `min_value` and `max_value`.",
    check: inRange.check,
    message: ({ value, min, max }) => `is ${value}; the option takes ${min} to ${max}`,
  }),
  length: rule({
    code: 'argument.length',
    clause: '2.11-07',
    summary: `The length of a text is between the option's \`min_length\` and \`max_length\`; without them from 0 to ${LENGTH_MAX}.`,
    check: (text: string, min: number, max: number) =>
      fits(text, max) && (min === 0 || countCharacters(text) >= min)
        ? undefined
        : { actual: countCharacters(text), min, max },
    about: 'text',
    message: ({ actual, min, max }) => `has ${counted(actual, 'character')}; ${min} to ${max} are allowed`,
  }),
  choice: rule({
    code: 'argument.choice',
    clause: '2.6-03',
    summary: 'The value of an option with choices is the value of one of them.',
    check: (value: OptionValue, values: readonly (string | number)[]) =>
      (values as readonly OptionValue[]).includes(value) ? undefined : { value: given(value), values },
    message: ({ value, values }) => `is ${printed(value)}; ${offered('choice', values.map(printed))}`,
  }),
  channelType: rule({
    code: 'argument.channel_type',
    clause: '2.11-07',
    summary: 'A channel has one of the types of its option.',
    check: (type: number | undefined, types: readonly number[]) =>
      type === undefined || types.includes(type) ? undefined : { type, types },
    about: 'text',
    message: ({ type, types }) =>
      `is a channel of type ${type}; the option takes ${listed(types.map(String), 'or')}`,
  }),
  fileType: rule({
    code: 'argument.file_type',
    clause: '2.4-14',
    ...since(FILE_TYPES),
    summary: 'A file has one of the types of its option.',
    check: (file: NamedFile | undefined, types: readonly string[] | null | undefined) =>
      file === undefined || !types?.length || isOfFileType(file, types)
        ? undefined
        : { filename: file.filename, types },
    about: 'text',
    message: ({ filename, types }) => otherFileType(filename, types),
  }),
  kind: rule({
    code: 'argument.kind',
    clause: '2.5-03',
    summary:
      'An id is that of an object its option takes: a user, a channel, a role, a user or role, or an attachment.',
    check: (kinds: readonly ObjectKind[], wanted: readonly ObjectKind[]) =>
      kinds.length === 0 || kinds.some((kind) => wanted.includes(kind)) ? undefined : { kinds, wanted },
    about: 'text',
    message: ({ kinds, wanted }) =>
      `is the id of one of the ${listed(kinds, 'or')}; the option takes one of the ${listed(wanted, 'or')}`,
  }),
  place: rule({
    code: 'argument.place',
    clause: '2.11-07',
    summary: 'In a DM no channel and no role of a server can be chosen.',
    check: (noun: string | null) => (noun === null ? undefined : { noun }),
    about: 'text',
    message: ({ noun }) => notInDirectMessage(noun),
  }),
} as const

export function otherFileType(filename: string, types: readonly unknown[]): string {
  return `is the file ${quoted(filename, 40)}; only files of type ${listed(types.map(String), 'or')} can be attached`
}

/** @param noun what is chosen: `channel` or `role` */
export function notInDirectMessage(noun: string): string {
  return `is a ${noun} of a server; in a DM no ${noun} of a server can be chosen`
}

export const focusRules = {
  option: rule({
    code: 'focused.option',
    clause: '2.11-05',
    summary: 'Only an option with autocomplete can be focused.',
    check: (name: string, options: readonly OptionBody[]) =>
      options.find((option) => option.name === name)?.autocomplete === true
        ? undefined
        : { names: options.filter((option) => option.autocomplete === true).map((option) => option.name) },
    about: 'text',
    message: ({ names }) =>
      names.length === 0
        ? 'is not an option with autocomplete; the command has no such option'
        : `is not an option with autocomplete; ${offered('one', names)}`,
  }),
  value: rule({
    code: 'focused.value',
    clause: '2.11-05',
    summary:
      'The focused value is a partial string or a valid number: partial strings are allowed, partial numbers are not.',
    check: (value: unknown, option: OptionBody) => {
      if (isPartial(value, option)) return undefined
      return { ...found(value), type: option.type, bound: brokenBound(value, option) }
    },
    message: ({ actual, type, bound }) =>
      bound ??
      `is ${actual}; an option of type ${optionTraits[type]?.name ?? type} takes ${formOf(type).words}, and the client sends nothing else while a person types`,
  }),
} as const

function formOf(type: OptionType): ValueForm {
  return valueForms[type] ?? ID
}

/** The name of a command type with its article. Only that of the entry point starts with a vowel sound. */
function article(word: string): string {
  return `${word.startsWith('e') ? 'an' : 'a'} ${word}`
}

/** Whether a partial value passes the client's own checks (clause 2.11-05). An empty one does. */
function isPartial(value: unknown, option: OptionBody): boolean {
  if (option.type === STRING) {
    return typeof value === 'string' && fits(value, option.max_length ?? LENGTH_MAX)
  }
  if (value === '') return true
  const number = typedNumber(value)
  return formOf(option.type).isValid(number) && holds(argumentRules.range, number as number, boundsOf(option))
}

/** The number of a typed text; other values unchanged. */
function typedNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : value
}

/** The bound that a partial value of the right form breaks, as a message; null for another form. */
function brokenBound(value: unknown, option: OptionBody): string | null {
  const { type } = option
  if (type === STRING && typeof value === 'string') {
    const params = argumentRules.length.check(value, 0, option.max_length ?? LENGTH_MAX)
    return params === undefined ? null : argumentRules.length.message(params)
  }
  const number = typedNumber(value)
  if (!formOf(type).isValid(number)) return null
  const params = argumentRules.range.check(number as number, boundsOf(option))
  return params === undefined ? null : argumentRules.range.message(params)
}

function printed(value: ParamValue): string {
  return typeof value === 'string' ? quoted(value, 40) : String(value)
}

/** The bounds of an option of a numeric type. Null is the same as no bound (clause 2.1-22). */
export function boundsOf({ type, min_value, max_value }: OptionBody): Range {
  const { min, max, integer } = optionTraits[type]!.range!
  return { min: Math.max(min, min_value ?? min), max: Math.min(max, max_value ?? max), integer }
}
