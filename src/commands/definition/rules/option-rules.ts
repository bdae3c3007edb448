/**
 * Rules about one option: the fields that its type allows, its bounds, autocomplete (clauses 2.4 and 2.5). Rules about a list of
 * them: count, nesting, order, and names that must differ (clauses 2.4, 2.7, 2.10-06).
 */
import { isObject, valueAt } from '../../../core/json.ts'
import {
  inRange,
  listRule,
  namedNumbers,
  numbersIn,
  removeField,
  removeValue,
  typeIn,
} from '../../../core/rules/rule-kinds.ts'
import { NO_PARAMS, rule, warning, type Range, type WireError } from '../../../core/rules/rule.ts'
import { listed, quoted } from '../../../core/text.ts'
import { fileTypeRules } from './file-type-rules.ts'
import { DIRECT_CHANNEL_TYPES, FILE_TYPES, since, type PlatformChange } from '../../../model/platform.ts'
import { notNumber, numberMax, numberMin } from '../../../core/rules/wire-errors.ts'
import type { CommandOption } from '../../../model/command-definition.ts'
import {
  optionTraits,
  ChannelType,
  isNesting,
  numberRange,
  OptionType,
  type OptionTraits,
} from '../../../model/command-types.ts'

export const LENGTH_MAX = 6000

interface OnlyFor<Name extends string> {
  /** The trait of a type that allows the field. */
  readonly column: Exclude<keyof OptionTraits, 'name'>
  readonly name: Name
  readonly clause: string
  /** The fields in words, for the error of the service. */
  readonly fields: string
  /** Default: the name */
  readonly field?: string
  /** The end of the service's code. Default: from the name */
  readonly error?: string
  /** Default: as documented in August 2026 */
  readonly change?: PlatformChange
}

/** A rule that a field is for some types of options only. */
/* @__NO_SIDE_EFFECTS__ */
function onlyFor<const Name extends string>({
  column,
  name,
  clause,
  fields,
  field = name,
  error = `OPTIONS_${name.toUpperCase()}`,
  change,
}: OnlyFor<Name>) {
  const types = listed(optionTraits.flatMap((row) => (row?.[column] ? [row.name] : [])))
  return rule({
    code: `option.${name}` as const,
    clause,
    ...(change && since(change)),
    summary: `\`${field}\` is for options of type ${types} only.`,
    check: (row: OptionTraits) => (row[column] ? undefined : { type: row.name }),
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

const numbersOfChannels = numbersIn({
  members: ChannelType,
  field: 'channel_types',
  clause: '2.4-10',
  subject: 'The channel types of an option',
  known: 'channel types',
  advice: `the channel types are ${listed(namedNumbers(ChannelType))}`,
})

export const channelTypes = {
  ...numbersOfChannels,
  known: Object.freeze({ ...numbersOfChannels.known, ...since(DIRECT_CHANNEL_TYPES) }),
}

export const optionRules = {
  optionType: rule({
    code: 'option.type',
    clause: '2.4-01',
    summary: `The type of an option is one of 1 to ${Object.values(OptionType).at(-1)}.`,
    ...typeIn(OptionType),
  }),
  optionRequired: onlyFor({
    column: 'value',
    name: 'required',
    clause: '2.4-06',
    fields: 'Required',
    error: 'REQUIRED',
  }),
  optionChoices: onlyFor({ column: 'choices', name: 'choices', clause: '2.4-08', fields: 'Choices' }),
  optionOptions: onlyFor({
    column: 'options',
    name: 'options',
    clause: '2.4-09',
    fields: 'Sub-options',
    error: 'OPTIONS_SUB_OPTIONS',
  }),
  optionChannelTypes: onlyFor({
    column: 'channelTypes',
    name: 'channel_types',
    clause: '2.4-10',
    fields: 'Channel types',
  }),
  optionFileTypes: onlyFor({
    column: 'fileTypes',
    name: 'file_types',
    clause: '2.4-14',
    fields: 'File types',
    change: FILE_TYPES,
  }),
  optionRange: onlyFor({
    column: 'range',
    name: 'range',
    clause: '2.4-11',
    fields: 'Minimum and maximum value',
    field: 'min_value',
  }),
  optionLength: onlyFor({
    column: 'length',
    name: 'length',
    clause: '2.4-12',
    fields: 'Minimum and maximum length',
    field: 'max_length',
  }),
  optionAutocomplete: onlyFor({
    column: 'choices',
    name: 'autocomplete',
    clause: '2.4-13',
    fields: 'Autocomplete',
  }),
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
  ...fileTypeRules,
} as const

// --- Lists of options -----------------------------------------------------------------------------------------

const { SUB_COMMAND, SUB_COMMAND_GROUP } = OptionType

export const OPTIONS_MAX = 25

/** The holder of a list of options. */
export type OptionHolder = 'command' | 'subcommand' | 'group'

const NESTING = {
  code: 'APPLICATION_COMMAND_OPTIONS_NESTING_INVALID',
  message: 'Nesting of sub-commands is unsupported at this time',
}
const EXCLUSIVE = {
  code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
  message: 'Sub-command and sub-command group option types are mutually exclusive to all other types',
}

function firstOptional(options: unknown): number {
  return (options as readonly unknown[]).findIndex((option) => isObject(option) && option.required !== true)
}

function nameTaken({ name }: { name: string }): WireError {
  return {
    code: 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
    message: `Option name ${name} is already used in these options`,
  }
}

/** @param other the option that has the name, quoted; null for none */
function clash(name: string, other: string | null, locale: string | null) {
  return other === null ? undefined : { name, other, locale }
}

export const optionListRules = {
  optionCount: rule({
    ...listRule({
      code: 'options.count',
      clause: '8-03',
      subject: 'A command, a subcommand and a group have',
      item: 'option',
      max: OPTIONS_MAX,
    }),
    at: 'firstSurplusItem',
  }),
  optionNesting: rule({
    code: 'options.nesting',
    clause: '2.7-02',
    summary:
      'Subcommands are in a command or a group, groups only in a command, and nothing is nested deeper.',
    check: (type: unknown, holder: OptionHolder) =>
      !isNesting(type) || holder === 'command' || (holder === 'group' && type === SUB_COMMAND)
        ? undefined
        : { holder, type: type as number },
    message: ({ holder, type }) =>
      `is a ${type === SUB_COMMAND ? 'subcommand' : 'group'} inside a ${holder}; only command > group > subcommand can be nested`,
    wire: NESTING,
    at: { field: 'type' },
  }),
  groupContent: rule({
    code: 'options.group',
    clause: '2.7-01',
    summary: 'A group holds subcommands and no options of its own.',
    check: (type: unknown, holder: OptionHolder) =>
      holder !== 'group' || isNesting(type) ? undefined : NO_PARAMS,
    message: () => 'is in a group, which holds only subcommands; move it into one of them',
    wire: EXCLUSIVE,
    at: { field: 'type' },
  }),
  optionMixture: rule({
    code: 'options.mixed',
    clause: '2.7-03',
    summary: 'A command has subcommands and groups, or options of its own, not both.',
    check: (type: number, firstType: number) =>
      isNesting(type) === isNesting(firstType) ? undefined : { type },
    message: ({ type }) =>
      isNesting(type)
        ? 'is a subcommand or group beside other options; a command has either subcommands or options of its own'
        : 'is beside subcommands; a command with subcommands cannot have options of its own',
    wire: EXCLUSIVE,
    at: { field: 'type' },
  }),
  optionOrder: rule({
    code: 'options.order',
    clause: '2.4-07',
    summary: 'Required options come before optional ones.',
    check: (required: boolean, optional: Partial<CommandOption> | null, index: number) =>
      required && optional !== null ? { before: quoteOption(optional, index) } : undefined,
    message: ({ before }) => `is required but follows the optional option ${before}; move it up`,
    wire: {
      code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
      message: 'Required options must be placed before non-required options',
    },
    at: { field: 'required' },
    fix: (body, { path }) => [{ op: 'move', path, to: firstOptional(valueAt(body, path.slice(0, -1))) }],
  }),
  optionUnique: rule({
    code: 'options.unique',
    clause: '2.4-03',
    summary: 'The options of a list have different names.',
    check(name: string, earlier: ReadonlyMap<string, number>) {
      const index = earlier.get(name)
      return index === undefined ? undefined : { name, index }
    },
    message: ({ name, index }) =>
      `has the name ${quoted(name, 40)} of option ${index + 1} of the same list; names must differ`,
    wire: nameTaken,
    at: { field: 'name' },
  }),
  optionLocalizedUnique: rule({
    code: 'options.unique_localized',
    clause: '2.10-06',
    summary:
      'A localized option name differs from the default names and, in its locale, from the names of the other options.',
    check: clash,
    message: ({ name, other, locale }) =>
      locale === null
        ? `is ${quoted(name, 40)}, the default name of the option ${other} in the same list`
        : `is ${quoted(name, 40)}, which is also the ${locale} name of the option ${other} in the same list`,
    wire: nameTaken,
  }),
  localizedElsewhere: warning({
    code: 'options.localized_elsewhere',
    clause: '2.10-06',
    summary: 'A localized option name differs from the names of the options in other lists of the command.',
    check: clash,
    message: ({ name, other, locale }) =>
      locale === null
        ? `is ${quoted(name, 40)}, the default name of the option ${other} in another list of the command`
        : `is ${quoted(name, 40)}, which is also the ${locale} name of the option ${other} in another list`,
  }),
  groupEmpty: warning({
    code: 'options.empty_group',
    clause: '2.7-04',
    summary: 'A group has subcommands; a group without subcommands is not shown.',
    check: (type: unknown, options: number) =>
      type !== SUB_COMMAND_GROUP || options > 0 ? undefined : NO_PARAMS,
    message: () => 'is a group without subcommands, which Discord does not show; add a subcommand',
  }),
} as const

/** The name of an option in quotes, or its number: follows the word "option" in messages. */
export function quoteOption({ name }: Partial<CommandOption>, index: number): string {
  return name ? quoted(name, 40) : `number ${index + 1}`
}
