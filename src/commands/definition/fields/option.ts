/** Reads the options of a command, subcommand or group (clauses 2.4, 2.5, 2.7). */
import { withoutNegativeZero } from '../../../core/json.ts'
import {
  known,
  lenient,
  nullable,
  wholeOf,
  type FieldReader,
  type Fields,
} from '../../../core/rules/readers.ts'
import { holds, type Rule } from '../../../core/rules/rule.ts'
import { readChoices } from './choice.ts'
import type { CommandOption, ListedTexts, Writable } from '../../../model/command-definition.ts'
import { choiceRules } from '../rules/choice-rules.ts'
import { descriptionRules } from '../rules/command-rules.ts'
import { type Reading, readNumbers } from '../rules/reading.ts'
import { strictName, textReader, textKind, translationsOf } from './localized-text.ts'
import {
  channelTypes,
  optionListRules as lists,
  OPTIONS_MAX,
  optionRules as rules,
  type OptionHolder,
} from '../rules/option-rules.ts'
import { readFileTypes } from '../rules/file-type-rules.ts'
import * as shape from '../../../core/rules/shape-rules.ts'
import {
  optionTraits,
  isNesting,
  OptionType,
  type ChannelType,
  type OptionTraits,
} from '../../../model/command-types.ts'

/** The descriptions of slash commands and of options. */
export const slashDescription = /* @__PURE__ */ textKind(descriptionRules.descriptionLength, {
  isVisible: true,
})

// There are thirteen channel types: an item after so many is a repetition.
const READ_CHANNEL_TYPES = 25

type OnlyFor = Rule<string, any, [row: OptionTraits]>

/** Whether an option's type has a field. If the type is invalid, nothing is known of that. */
function isAllowed(reading: Reading, rule: OnlyFor, { type }: CommandOption): boolean {
  return type === undefined || reading.check(rule, optionTraits[type]!)
}

/** A flag of some types only. `false` is tolerated on every type (2.1-23), and absent. */
/* @__NO_SIDE_EFFECTS__ */
function flag(rule: OnlyFor): FieldReader<boolean, Reading, CommandOption> {
  return (reading, value, option) =>
    reading.check(shape.boolean, value) && value && isAllowed(reading, rule, option) ? true : undefined
}

/** A list of some types only. An empty one is tolerated on every type (2.1-23), and absent. */
/* @__NO_SIDE_EFFECTS__ */
function list<T>(
  rule: OnlyFor,
  read: (reading: Reading, list: readonly unknown[], option: CommandOption) => T,
): FieldReader<T, Reading, CommandOption> {
  return (reading, value, option) =>
    reading.check(shape.list, value) && value.length > 0 && isAllowed(reading, rule, option)
      ? read(reading, value, option)
      : undefined
}

function bound(reading: Reading, value: unknown, option: CommandOption): number | undefined {
  if (!isAllowed(reading, rules.optionRange, option)) return undefined
  const range = optionTraits[option.type]?.range
  const form = range?.integer && !Number.isFinite(value) ? shape.integer : shape.number
  if (!reading.check(form, value) || range == null) return undefined
  reading.check(rules.rangeInteger, value, range)
  reading.check(rules.rangeLimits, value, range)
  return withoutNegativeZero(value)
}

/* @__NO_SIDE_EFFECTS__ */
function length(rule: Rule<string, any, [value: number]>): FieldReader<number, Reading, CommandOption> {
  return (reading, value, option) => {
    if (!isAllowed(reading, rules.optionLength, option) || !reading.check(shape.integer, value))
      return undefined
    reading.check(rule, value)
    return withoutNegativeZero(value)
  }
}

function readType(reading: Reading, value: unknown): OptionType | undefined {
  if (typeof value === 'number' && optionTraits[value] !== undefined) return value as OptionType
  if (reading.check(shape.present, value)) reading.check(rules.optionType, value)
  return undefined
}

/** The fields of an option. */
export const optionFields = {
  type: readType,
  name: textReader(strictName),
  name_localizations: nullable(translationsOf('name', strictName)),
  description: textReader(slashDescription),
  description_localizations: nullable(translationsOf('description', slashDescription)),
  required: lenient(flag(rules.optionRequired)),
  choices: lenient(
    list(rules.optionChoices, (reading, items, { type }) => {
      const row = optionTraits[type]
      return readChoices(reading, items, row?.choices ? row.range : undefined)
    }),
  ),
  autocomplete: lenient(flag(rules.optionAutocomplete)),
  channel_types: lenient(
    list(rules.optionChannelTypes, (reading, items) =>
      readNumbers<ChannelType>(reading, items, READ_CHANNEL_TYPES, channelTypes),
    ),
  ),
  file_types: lenient(list(rules.optionFileTypes, (reading, items) => readFileTypes(reading, items))),
  min_value: lenient(bound),
  max_value: lenient(bound),
  min_length: lenient(length(rules.minLengthBound)),
  max_length: lenient(length(rules.maxLengthBound)),
  // Which ones may be nested depends on what holds this option; `readOption` reads them.
  options: lenient(list(rules.optionOptions, (_, items) => items as CommandOption[])),
  name_localized: known,
  description_localized: known,
} as const satisfies Fields<CommandOption & ListedTexts, Reading>

const readWhole = /* @__PURE__ */ wholeOf<Writable<CommandOption>, Reading>(optionFields, () => ({
  type: undefined,
  name: undefined,
  name_localizations: null,
  description: undefined,
  description_localizations: null,
}))

/** What holds a list of options; null for an option of a command whose type is invalid. */
type Holder = OptionHolder | null

/** Reads one list of options, and those nested in it. Options beyond the limit are counted but not read. */
export function readOptionList(
  reading: Reading,
  list: readonly unknown[],
  holder: Holder,
): readonly CommandOption[] {
  reading.check(lists.optionCount, list)
  const options = reading.items(list, OPTIONS_MAX, readOption, holder)
  checkPlaces(reading, options, holder)
  return options
}

function readOption(reading: Reading, body: unknown, holder: Holder): CommandOption {
  const option = readWhole(reading, body)
  checkBounds(reading, option)
  if (option.autocomplete)
    reading.at('autocomplete', () =>
      reading.check(rules.autocompleteChoices, true, option.choices?.length ?? 0),
    )
  const { type, options } = option
  reading.check(lists.groupEmpty, type, options?.length ?? 0)
  if (options === undefined) return option
  const nested = holderOf(type, holder)
  if (nested !== undefined) option.options = reading.at('options', readOptionList, options, nested)
  else delete option.options
  return option
}

/** What the options of an option are in; `undefined` where none are read, as they could nest without end. */
function holderOf(type: OptionType | undefined, holder: Holder): Holder | undefined {
  if (type === undefined && holder === 'command') return null
  const isGroup = type === OptionType.SUB_COMMAND_GROUP
  // A list that may be that of a group has subcommands at most.
  if (holds(lists.optionNesting, type ?? OptionType.SUB_COMMAND, holder ?? 'group'))
    return isGroup ? 'group' : 'subcommand'
  return undefined
}

function checkBounds(reading: Reading, option: CommandOption): void {
  const { min_value, max_value, min_length, max_length } = option
  const row = optionTraits[option.type]
  if (row?.range && option.max_value !== undefined)
    reading.at('min_value', () => reading.check(rules.rangeInverted, option.min_value, option.max_value))
  if ((row === undefined || row.length) && option.max_length !== undefined)
    reading.at('min_length', () => reading.check(rules.lengthInverted, option.min_length, option.max_length))
  const { choices = [] } = option
  if ((min_value ?? max_value ?? min_length ?? max_length) === undefined) return
  for (let index = 0; index < choices.length; index++) {
    const { value } = choices[index]!
    // A choice whose value is invalid is reported already.
    const isValid = typeof value === 'string' || typeof value === 'number'
    if (isValid && !holds(choiceRules.choiceOutside, value, option))
      reading.at(['choices', index, 'value'], () => reading.check(choiceRules.choiceOutside, value, option))
  }
}

/** Which types of options may stand in a list and beside each other, and in which order. */
function checkPlaces(reading: Reading, options: readonly CommandOption[], holder: Holder): void {
  const firstType = options.find(({ type }) => type !== undefined)?.type
  let optional = -1
  for (const [index, { type, required }] of options.entries()) {
    if (type === undefined) continue
    // Most options are of the type of the first one, and none of these rules concerns them.
    if (holder !== null && (type !== firstType || holder === 'group' || isNesting(type))) {
      reading.at(index, () => {
        reading.check(lists.optionNesting, type, holder)
        reading.check(lists.groupContent, type, holder)
        if (holder === 'command') reading.check(lists.optionMixture, type, firstType!)
      })
    }
    if (isNesting(type)) continue
    if (!required) {
      if (optional < 0) optional = index
    } else if (optional >= 0) reading.at(index, checkOrder, options[optional]!, optional)
  }
}

function checkOrder(reading: Reading, optional: CommandOption, index: number): void {
  reading.check(lists.optionOrder, true, optional, index)
}
