/** Rules about one option: the fields its type admits, its bounds, autocomplete (clauses 2.4 and 2.5). */
import { inRange, namedNumbers, numbersIn, removeField, removeValue, typeIn } from '../core/rule-kinds.ts'
import { NO_PARAMS, rule, warning, type Range } from '../core/rule.ts'
import { listed } from '../core/text.ts'
import { notNumber, numberMax, numberMin } from '../core/wire.ts'
import { admits, ChannelType, numberRange, OptionType, type Admission } from './types.ts'

export const LENGTH_MAX = 6000

/**
 * A rule that a field is for some types of options only.
 *
 * @param fields in words, for the error of the service
 */
/* @__NO_SIDE_EFFECTS__ */
function onlyFor<const Name extends string>(
  column: Exclude<keyof Admission, 'name'>,
  name: Name,
  clause: string,
  fields: string,
  field: string = name,
  error = `OPTIONS_${name.toUpperCase()}`,
) {
  const types = listed(admits.flatMap((row) => (row?.[column] ? [row.name] : [])))
  return rule({
    code: `option.${name}` as const,
    clause,
    summary: `\`${field}\` is for options of type ${types} only.`,
    check: (row: Admission) => (row[column] ? undefined : { type: row.name }),
    message: ({ type }) => `is not allowed on an option of type ${type}, only on ${types}; leave it out`,
    wire: {
      code: `APPLICATION_COMMAND_${error}_INVALID`,
      message: `${fields} cannot be configured for this type of option`,
    },
    fix: removeValue,
  })
}

/* @__NO_SIDE_EFFECTS__ */
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

/* @__NO_SIDE_EFFECTS__ */
function inverted<const Code extends string>(code: Code, clause: string, bound: string, what: string) {
  return warning({
    code,
    clause,
    summary: `\`min_${bound}\` is not above \`max_${bound}\`.`,
    check: (min: number | undefined, max: number | undefined) =>
      min === undefined || max === undefined || min <= max ? undefined : { min, max },
    message: ({ min, max }) => `is ${min}, above max_${bound} ${max}: no ${what} can satisfy both`,
  })
}

export const channelTypes = numbersIn(
  ChannelType,
  'channel_types',
  '2.4-10',
  'The channel types of an option',
  'channel types',
  `the channel types are ${listed(namedNumbers(ChannelType))}`,
)

export const optionRules = {
  optionType: rule({
    code: 'option.type',
    clause: '2.4-01',
    summary: `The type of an option is one of 1 to ${Object.values(OptionType).at(-1)}.`,
    ...typeIn(OptionType),
  }),
  optionRequired: onlyFor('value', 'required', '2.4-06', 'Required', 'required', 'REQUIRED'),
  optionChoices: onlyFor('choices', 'choices', '2.4-08', 'Choices'),
  optionOptions: onlyFor('options', 'options', '2.4-09', 'Sub-options', 'options', 'OPTIONS_SUB_OPTIONS'),
  optionChannelTypes: onlyFor('channelTypes', 'channel_types', '2.4-10', 'Channel types'),
  optionRange: onlyFor('range', 'range', '2.4-11', 'Minimum and maximum value', 'min_value'),
  optionLength: onlyFor('length', 'length', '2.4-12', 'Minimum and maximum length', 'max_length'),
  optionAutocomplete: onlyFor('choices', 'autocomplete', '2.4-13', 'Autocomplete'),
  autocompleteChoices: rule({
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
  }),
  rangeInteger: rule({
    code: 'range.integer',
    clause: '2.4-11',
    summary: 'The bounds of an INTEGER option are whole numbers.',
    check: (value: number, range: Range) =>
      !range.integer || Number.isInteger(value) ? undefined : { value },
    message: ({ value }) => `is ${value}; the bounds of an INTEGER option are whole numbers`,
    wire: ({ value }) => notNumber(value, 'int'),
  }),
  rangeLimits: rule({
    code: 'range.limits',
    clause: '2.4-11',
    limit: { min: numberRange.min, max: numberRange.max },
    summary: 'The bounds of a number are inside the range of its option type.',
    ...inRange,
  }),
  rangeInverted: inverted('range.inverted', '2.4-11', 'value', 'value'),
  minLengthBound: lengthBound('length.min', 'min_length', 0),
  maxLengthBound: lengthBound('length.max', 'max_length', 1),
  lengthInverted: inverted('length.inverted', '2.4-12', 'length', 'text'),
  channelKnown: channelTypes.known,
  channelRepeated: channelTypes.repeated,
} as const
