/** Rules about one option: the fields its type admits, its bounds, autocomplete (clauses 2.4 and 2.5). */
import { removeField, removeValue } from '../core/fixes.ts'
import { NO_PARAMS, rule, warning } from '../core/rule.ts'
import { listed } from '../core/text.ts'
import { inRange, numbersIn, typeIn } from './number-kinds.ts'
import { notNumber, numberMax, numberMin } from '../core/wire.ts'
import {
  admitting,
  ChannelType,
  namedNumbers,
  numberRange,
  OptionType,
  type Admission,
  type Range,
} from './types.ts'

export const optionType = rule({
  code: 'option.type',
  clause: '2.4-01',
  summary: `The type of an option is one of 1 to ${Object.values(OptionType).at(-1)}.`,
  ...typeIn(OptionType),
})

// --- Fields that belong to some types only ------------------------------------------------------------------

interface Placement<Code extends string> {
  readonly code: Code
  readonly clause: string
  readonly field: string
  /** The fields in words, and the code of the error of the service. */
  readonly error: readonly [fields: string, code: string]
}

/** A rule that a field is for some types of options only. */
function onlyFor<const Code extends string>(
  column: Exclude<keyof Admission, 'name'>,
  { code, clause, field, error: [fields, errorCode] }: Placement<Code>,
) {
  const types = listed(admitting(column))
  return rule({
    code,
    clause,
    summary: `\`${field}\` is for options of type ${types} only.`,
    check: (row: Admission) => (row[column] ? undefined : { type: row.name }),
    message: ({ type }) => `is not allowed on an option of type ${type}, only on ${types}; leave it out`,
    wire: {
      code: `APPLICATION_COMMAND_${errorCode}_INVALID`,
      message: `${fields} cannot be configured for this type of option`,
    },
    fix: removeValue,
  })
}

export const optionRequired = onlyFor('value', {
  code: 'option.required',
  clause: '2.4-06',
  field: 'required',
  error: ['Required', 'REQUIRED'],
})

export const optionChoices = onlyFor('choices', {
  code: 'option.choices',
  clause: '2.4-08',
  field: 'choices',
  error: ['Choices', 'OPTIONS_CHOICES'],
})

export const optionOptions = onlyFor('options', {
  code: 'option.options',
  clause: '2.4-09',
  field: 'options',
  error: ['Sub-options', 'OPTIONS_SUB_OPTIONS'],
})

export const optionChannelTypes = onlyFor('channelTypes', {
  code: 'option.channel_types',
  clause: '2.4-10',
  field: 'channel_types',
  error: ['Channel types', 'OPTIONS_CHANNEL_TYPES'],
})

export const optionRange = onlyFor('range', {
  code: 'option.range',
  clause: '2.4-11',
  field: 'min_value',
  error: ['Minimum and maximum value', 'OPTIONS_RANGE'],
})

export const optionLength = onlyFor('length', {
  code: 'option.length',
  clause: '2.4-12',
  field: 'max_length',
  error: ['Minimum and maximum length', 'OPTIONS_LENGTH'],
})

export const optionAutocomplete = onlyFor('choices', {
  code: 'option.autocomplete',
  clause: '2.4-13',
  field: 'autocomplete',
  error: ['Autocomplete', 'OPTIONS_AUTOCOMPLETE'],
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
})

// --- Bounds ---------------------------------------------------------------------------------------------------

export const rangeInteger = rule({
  code: 'range.integer',
  clause: '2.4-11',
  summary: 'The bounds of an INTEGER option are whole numbers.',
  check: (value: number, range: Range) => (!range.integer || Number.isInteger(value) ? undefined : { value }),
  message: ({ value }) => `is ${value}; the bounds of an INTEGER option are whole numbers`,
  wire: ({ value }) => notNumber(value, 'int'),
})

export const rangeLimits = rule({
  code: 'range.limits',
  clause: '2.4-11',
  limit: { min: numberRange.min, max: numberRange.max },
  summary: 'The bounds of a number are inside the range of its option type.',
  ...inRange,
})

export const LENGTH_MAX = 6000

function lengthBound<const Code extends string>(code: Code, field: string, min: number) {
  return rule({
    code,
    clause: '2.4-12',
    limit: { min, max: LENGTH_MAX },
    summary: `\`${field}\` is from ${min} to ${LENGTH_MAX}.`,
    check: (value: number) => (value >= min && value <= LENGTH_MAX ? undefined : { value }),
    message: ({ value }) => `is ${value}; ${min} to ${LENGTH_MAX} is allowed`,
    wire: ({ value }) => (value < min ? numberMin('int', min) : numberMax('int', LENGTH_MAX)),
  })
}

export const minLengthBound = lengthBound('length.min', 'min_length', 0)
export const maxLengthBound = lengthBound('length.max', 'max_length', 1)

function inverted<const Code extends string>(
  code: Code,
  clause: string,
  bound: 'value' | 'length',
  what: string,
) {
  return warning({
    code,
    clause,
    summary: `\`min_${bound}\` is not above \`max_${bound}\`.`,
    check: (min: number | undefined, max: number | undefined) =>
      min === undefined || max === undefined || min <= max ? undefined : { min, max },
    message: ({ min, max }) => `is ${min}, above max_${bound} ${max}: no ${what} can satisfy both`,
  })
}

export const rangeInverted = inverted('range.inverted', '2.4-11', 'value', 'value')
export const lengthInverted = inverted('length.inverted', '2.4-12', 'length', 'text')

// --- Channel types --------------------------------------------------------------------------------------------

export const channelTypes = numbersIn(ChannelType, {
  field: 'channel_types',
  clause: '2.4-10',
  items: 'The channel types of an option',
  form: 'channel types',
  advice: `the channel types are ${listed(namedNumbers(ChannelType))}`,
})

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
  channelTypes.known,
  channelTypes.repeated,
] as const
