/** Rules about the values of options (clauses 2.6-03, 2.11-07). */
import type { OptionBody } from '../command/definition.ts'
import { LENGTH_MAX } from '../command/option-rules.ts'
import { found, inRange } from '../core/rule-kinds.ts'
import { optionTraits, OptionType } from '../command/types.ts'
import type { OptionValue } from '../command/usage.ts'
import { NO_PARAMS, rule, type Range } from '../core/rule.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { counted, countCharacters, fits, given, listed, quoted, type Given } from '../core/text.ts'

const { STRING, INTEGER, NUMBER, BOOLEAN, CHANNEL, MENTIONABLE, ATTACHMENT } = OptionType

/** The maps of `resolved` that can hold the object of an id. */
export type ObjectKind = 'users' | 'roles' | 'channels' | 'messages' | 'attachments'

/** The names to choose from, as a sentence. */
export function offered(what: string, names: readonly string[]): string {
  return names.length === 1 ? `the only ${what} is ${names[0]}` : `the ${what}s are ${listed(names)}`
}

export const argumentUnknown = rule({
  code: 'argument.unknown',
  clause: '2.11-07',
  summary: 'Every value belongs to an option of the command or of its subcommand.',
  check: (options: readonly OptionBody[], name: string) =>
    options.some((option) => option.name === name)
      ? undefined
      : { names: options.map((option) => option.name) },
  about: 'text',
  message: ({ names }) =>
    names.length === 0 ? 'is not an option; there are none' : `is not an option; ${offered('option', names)}`,
})

export const argumentRequired = rule({
  code: 'argument.required',
  clause: '2.11-07',
  summary: 'Required options have a value, except in autocomplete.',
  check: (option: OptionBody, value: unknown) =>
    option.required !== true || value !== undefined ? undefined : NO_PARAMS,
  message: () => 'is missing, and the option is required',
})

const valueForms: { readonly [type: number]: string } = {
  [STRING]: 'a string',
  [INTEGER]: 'a whole number',
  [NUMBER]: 'a finite number',
  [BOOLEAN]: 'true or false',
}

export const argumentType = rule({
  code: 'argument.type',
  clause: '2.11-07',
  summary:
    'A value has the type of its option; users, channels, roles, mentionables and attachments are ids.',
  check: (value: unknown, type: OptionType) =>
    isOfType(value, type) ? undefined : { ...found(value), type },
  message: ({ actual, type }) =>
    `is ${actual}; an option of type ${optionTraits[type]?.name ?? type} takes ${valueForms[type] ?? 'an id such as "1029384756"'}`,
})

export function isOfType(value: unknown, type: OptionType): boolean {
  switch (type) {
    case STRING:
      return typeof value === 'string'
    case INTEGER:
      return Number.isInteger(value)
    case NUMBER:
      return Number.isFinite(value)
    case BOOLEAN:
      return typeof value === 'boolean'
    default:
      return isSnowflake(value)
  }
}

export const argumentRange = rule({
  code: 'argument.range',
  clause: '2.11-07',
  summary: "A number is inside the range of its type and between the option's `min_value` and `max_value`.",
  check: inRange.check,
  message: ({ value, min, max }) => `is ${value}; the option takes ${min} to ${max}`,
})

export const argumentLength = rule({
  code: 'argument.length',
  clause: '2.11-07',
  summary: `The length of a text is between the option's \`min_length\` and \`max_length\`; without them from 0 to ${LENGTH_MAX}.`,
  check: (text: string, min: number, max: number) =>
    fits(text, max) && (min === 0 || countCharacters(text) >= min)
      ? undefined
      : { actual: countCharacters(text), min, max },
  about: 'text',
  message: ({ actual, min, max }) => `has ${counted(actual, 'character')}; ${min} to ${max} are allowed`,
})

export const argumentChoice = rule({
  code: 'argument.choice',
  clause: '2.6-03',
  summary: 'The value of an option with choices is the value of one of them.',
  check: (value: OptionValue, values: readonly (string | number)[]) =>
    (values as readonly OptionValue[]).includes(value) ? undefined : { value: given(value), values },
  message: ({ value, values }) => `is ${printed(value)}; ${offered('choice', values.map(printed))}`,
})

export const argumentChannelType = rule({
  code: 'argument.channel_type',
  clause: '2.11-07',
  summary: 'A channel has one of the types of its option.',
  check: (type: number | undefined, types: readonly number[]) =>
    type === undefined || types.includes(type) ? undefined : { type, types },
  about: 'text',
  message: ({ type, types }) =>
    `is a channel of type ${type}; the option takes ${listed(types.map(String), 'or')}`,
})

/** The kinds of objects that an option of a type takes. */
export const objectKinds: { readonly [type: number]: readonly ObjectKind[] } = {
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
    'An id is that of an object its option takes: a user, a channel, a role, a user or role, or an attachment.',
  check: (kinds: readonly ObjectKind[], wanted: readonly ObjectKind[]) =>
    kinds.length === 0 || kinds.some((kind) => wanted.includes(kind)) ? undefined : { kinds, wanted },
  about: 'text',
  message: ({ kinds, wanted }) =>
    `is the id of one of the ${listed(kinds, 'or')}; the option takes one of the ${listed(wanted, 'or')}`,
})

/** The rules about the values of options. */
export const argumentRules = [
  argumentUnknown,
  argumentRequired,
  argumentType,
  argumentRange,
  argumentLength,
  argumentChoice,
  argumentChannelType,
  argumentKind,
] as const

function printed(value: Given): string {
  return typeof value === 'string' ? quoted(value, 40) : String(value)
}

/** The bounds of an option of a numeric type. Null is the same as no bound (clause 2.1-22). */
export function boundsOf({ type, min_value, max_value }: OptionBody): Range {
  const { min, max, integer } = optionTraits[type]!.range!
  return { min: Math.max(min, min_value ?? min), max: Math.min(max, max_value ?? max), integer }
}
