/** Rules about one option: the fields its type admits, its bounds, autocomplete (clauses 2.4 and 2.5). */
import { removeField, removeValue, replaceValue } from '../core/fixes.ts'
import { NO_PARAMS, rule, warning, type Broken, type Pick, type WireError } from '../core/rule.ts'
import { listed } from '../core/text.ts'
import { notNumber, numberMax, numberMin, oneOfNumbers, unique } from '../core/wire.ts'
import { withOption, withSubcommand, type Body } from './breaking.ts'
import {
  admits,
  admitting,
  ChannelType,
  integerRange,
  isNesting,
  namedNumbers,
  numberRange,
  OptionType,
  typeAdvice,
  typeNamed,
  type Admission,
  type Range,
} from './types.ts'
import { distinctItems, found, type Found } from './shape.ts'

const { STRING, INTEGER, NUMBER, CHANNEL } = OptionType

const types = /* @__PURE__ */ Object.values(OptionType)
const LAST_TYPE = /* @__PURE__ */ types.at(-1)!

export const optionType = rule({
  code: 'option.type',
  clause: '2.4-01',
  summary: `The type of an option is one of 1 to ${LAST_TYPE}.`,
  // A key of the table could be a text as well: `'3'`, or `'length'`.
  check: (type: unknown) =>
    typeof type === 'number' && admits[type] !== undefined ? undefined : found(type),
  message: ({ actual, given }: Found) => `is ${actual}; ${typeAdvice(OptionType, given)}`,
  wire: oneOfNumbers(types),
  fix: replaceValue((type) => typeNamed(OptionType, type)),
  breaks: (body: Body, pick) => withOption(body, pick, { type: pick(2) === 0 ? LAST_TYPE + 1 : 0 }, 'type'),
})

// --- Fields that belong to some types only ------------------------------------------------------------------

export interface Misplaced {
  readonly type: string
}

/** A field of the table of types. */
type Column = Exclude<keyof Admission, 'name'>

/** What rules about a field for some types of options share. */
/* @__NO_SIDE_EFFECTS__ */
function onlyFor(column: Column) {
  return {
    check: (row: Admission): Misplaced | undefined => (row[column] ? undefined : { type: row.name }),
    message: ({ type }: Misplaced) =>
      `is not allowed on an option of type ${type}, only on ${listed(admitting(column))}; leave it out`,
    fix: removeValue,
  }
}

/** Breaks such a rule: a command with one more option, of a type that does not allow the field. */
function misplace(body: Body, pick: Pick, column: Column, field: string, value: unknown): Broken {
  const others = types.filter((type) => !admits[type]![column])
  const type = others[pick(others.length)]!
  const option = { type, [field]: value }
  return isNesting(type) ? withSubcommand(body, option, field) : withOption(body, pick, option, field)
}

function notConfigurable(what: string, code: string): WireError {
  return { code, message: `${what} cannot be configured for this type of option` }
}

export const optionRequired = rule({
  code: 'option.required',
  clause: '2.4-06',
  summary: `\`required\` is for options of type ${listed(admitting('value'))} only.`,
  ...onlyFor('value'),
  wire: notConfigurable('Required', 'APPLICATION_COMMAND_REQUIRED_INVALID'),
  breaks: (body: Body, pick) => misplace(body, pick, 'value', 'required', true),
})

export const optionChoices = rule({
  code: 'option.choices',
  clause: '2.4-08',
  summary: `\`choices\` is for options of type ${listed(admitting('choices'))} only.`,
  ...onlyFor('choices'),
  wire: notConfigurable('Choices', 'APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID'),
  breaks: (body: Body, pick) => misplace(body, pick, 'choices', 'choices', [{ name: 'a', value: 'a' }]),
})

export const optionOptions = rule({
  code: 'option.options',
  clause: '2.4-09',
  summary: `\`options\` is for options of type ${listed(admitting('options'))} only.`,
  ...onlyFor('options'),
  wire: notConfigurable('Sub-options', 'APPLICATION_COMMAND_OPTIONS_SUB_OPTIONS_INVALID'),
  breaks: (body: Body, pick) =>
    misplace(body, pick, 'options', 'options', [{ type: STRING, name: 'a', description: 'b' }]),
})

export const optionChannelTypes = rule({
  code: 'option.channel_types',
  clause: '2.4-10',
  summary: `\`channel_types\` is for options of type ${listed(admitting('channelTypes'))} only.`,
  ...onlyFor('channelTypes'),
  wire: notConfigurable('Channel types', 'APPLICATION_COMMAND_OPTIONS_CHANNEL_TYPES_INVALID'),
  breaks: (body: Body, pick) => misplace(body, pick, 'channelTypes', 'channel_types', [0]),
})

export const optionRange = rule({
  code: 'option.range',
  clause: '2.4-11',
  summary: `\`min_value\` is for options of type ${listed(admitting('range'))} only.`,
  ...onlyFor('range'),
  wire: notConfigurable('Minimum and maximum value', 'APPLICATION_COMMAND_OPTIONS_RANGE_INVALID'),
  breaks: (body: Body, pick) => misplace(body, pick, 'range', 'min_value', 0),
})

export const optionLength = rule({
  code: 'option.length',
  clause: '2.4-12',
  summary: `\`max_length\` is for options of type ${listed(admitting('length'))} only.`,
  ...onlyFor('length'),
  wire: notConfigurable('Minimum and maximum length', 'APPLICATION_COMMAND_OPTIONS_LENGTH_INVALID'),
  breaks: (body: Body, pick) => misplace(body, pick, 'length', 'max_length', 1),
})

export const optionAutocomplete = rule({
  code: 'option.autocomplete',
  clause: '2.4-13',
  summary: `\`autocomplete\` is for options of type ${listed(admitting('choices'))} only.`,
  ...onlyFor('choices'),
  wire: notConfigurable('Autocomplete', 'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID'),
  breaks: (body: Body, pick) => misplace(body, pick, 'choices', 'autocomplete', true),
})

export const autocompleteChoices = rule({
  code: 'option.autocomplete_choices',
  clause: '2.4-13',
  summary: 'An option has choices or autocomplete, not both.',
  check: (autocomplete: boolean, choices: number) => (autocomplete && choices > 0 ? NO_PARAMS : undefined),
  message: () => 'is true although there are choices; keep one of the two',
  wire: {
    code: 'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID',
    message: 'Autocomplete cannot be configured together with choices',
  },
  offers: { 'Keep the choices': removeValue, 'Keep autocomplete': removeField('choices') },
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      { type: STRING, choices: [{ name: 'a', value: 'a' }], autocomplete: true },
      'autocomplete',
    ),
})

// --- Bounds ---------------------------------------------------------------------------------------------------

export interface Fraction {
  readonly value: number
}

export const rangeInteger = rule({
  code: 'range.integer',
  clause: '2.4-11',
  summary: 'The bounds of an INTEGER option are whole numbers.',
  check: (value: number, range: Range) => (!range.integer || Number.isInteger(value) ? undefined : { value }),
  message: ({ value }: Fraction) => `is ${value}; the bounds of an INTEGER option are whole numbers`,
  wire: ({ value }: Fraction) => notNumber(value, 'int'),
  breaks: (body: Body, pick) => withOption(body, pick, { type: INTEGER, min_value: 0.5 }, 'min_value'),
})

export interface OutOfRange {
  readonly value: number
  readonly min: number
  readonly max: number
  readonly integer: boolean
}

/** The check and the message for a number outside the range of its type, of choices and of bounds. */
export const inRange = {
  check: (value: number, range: Range): OutOfRange | undefined =>
    value >= range.min && value <= range.max ? undefined : { value, ...range },
  message: ({ value, min, max }: OutOfRange): string =>
    `is ${value}; expected a number from ${min} to ${max}`,
}

export function wireOfRange({ value, min, max, integer }: OutOfRange): WireError {
  const type = integer ? 'int' : 'float'
  return value > max ? numberMax(type, max) : numberMin(type, min)
}

export const rangeLimits = rule({
  code: 'range.limits',
  clause: '2.4-11',
  limit: { min: numberRange.min, max: numberRange.max },
  summary: 'The bounds of a number are inside the range of its option type.',
  ...inRange,
  wire: wireOfRange,
  breaks: (body: Body, pick) =>
    pick(2) === 0
      ? withOption(body, pick, { type: INTEGER, max_value: integerRange.max + 1 }, 'max_value')
      : withOption(body, pick, { type: NUMBER, min_value: -(2 ** 53) - 2 }, 'min_value'),
})

export const rangeInverted = warning({
  code: 'range.inverted',
  clause: '2.4-11',
  summary: '`min_value` is not above `max_value`.',
  check: inverted,
  message: ({ min, max }: Inverted) => `is ${min}, above max_value ${max}: no value can satisfy both`,
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: INTEGER, min_value: 2, max_value: 1 }, 'min_value'),
})

function inverted(min: number | undefined, max: number | undefined): Inverted | undefined {
  return min === undefined || max === undefined || min <= max ? undefined : { min, max }
}

export interface Inverted {
  readonly min: number
  readonly max: number
}

export const LENGTH_MAX = 6000

/* @__NO_SIDE_EFFECTS__ */
function lengthBound(min: number) {
  return {
    limit: { min, max: LENGTH_MAX },
    check: (value: number) => (value >= min && value <= LENGTH_MAX ? undefined : { value }),
    message: ({ value }: Fraction) => `is ${value}; ${min} to ${LENGTH_MAX} is allowed`,
  }
}

export const minLengthBound = rule({
  code: 'length.min',
  clause: '2.4-12',
  summary: `\`min_length\` is from 0 to ${LENGTH_MAX}.`,
  ...lengthBound(0),
  wire: ({ value }: Fraction) => (value < 0 ? numberMin('int', 0) : numberMax('int', LENGTH_MAX)),
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: STRING, min_length: pick(2) === 0 ? -1 : LENGTH_MAX + 1 }, 'min_length'),
})

export const maxLengthBound = rule({
  code: 'length.max',
  clause: '2.4-12',
  summary: `\`max_length\` is from 1 to ${LENGTH_MAX}.`,
  ...lengthBound(1),
  wire: ({ value }: Fraction) => (value < 1 ? numberMin('int', 1) : numberMax('int', LENGTH_MAX)),
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: STRING, max_length: pick(2) === 0 ? 0 : LENGTH_MAX + 1 }, 'max_length'),
})

export const lengthInverted = warning({
  code: 'length.inverted',
  clause: '2.4-12',
  summary: '`min_length` is not above `max_length`.',
  check: inverted,
  message: ({ min, max }: Inverted) => `is ${min}, above max_length ${max}: no text can satisfy both`,
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: STRING, min_length: 2, max_length: 1 }, 'min_length'),
})

// --- Channel types --------------------------------------------------------------------------------------------

const channelTypeValues: readonly unknown[] = Object.values(ChannelType)
const channelTypeWords = listed(namedNumbers(ChannelType))

export const channelTypeKnown = rule({
  code: 'channel_types.known',
  clause: '2.4-10',
  summary: 'The channel types of an option are channel types.',
  check: (type: unknown) => (channelTypeValues.includes(type) ? undefined : found(type)),
  message: ({ actual }: Found) => `is ${actual}; the channel types are ${channelTypeWords}`,
  wire: oneOfNumbers(Object.values(ChannelType)),
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: CHANNEL, channel_types: [0, 7] }, 'channel_types', 1),
})

export const channelTypeRepeated = rule({
  code: 'channel_types.repeated',
  clause: '2.4-10',
  summary: 'The channel types of an option differ from one another.',
  ...distinctItems,
  wire: unique,
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: CHANNEL, channel_types: [0, 2, 0] }, 'channel_types', 2),
})

/** What the reader of channel types runs. */
export const channelTypes = { known: channelTypeKnown, repeated: channelTypeRepeated }

export const optionRules = [
  optionType,
  optionRequired,
  optionChoices,
  optionOptions,
  optionChannelTypes,
  optionRange,
  optionLength,
  optionAutocomplete,
  autocompleteChoices,
  rangeInteger,
  rangeLimits,
  rangeInverted,
  minLengthBound,
  maxLengthBound,
  lengthInverted,
  channelTypeKnown,
  channelTypeRepeated,
] as const
