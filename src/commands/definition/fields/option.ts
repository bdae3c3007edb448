/** Reads the options of a command, subcommand or group (clauses 2.4, 2.5, 2.7). */
import { withoutNegativeZero } from '../../../core/json.ts'
import { holds, type Rule } from '../../../core/rules/rule.ts'
import { readChoices } from './choice.ts'
import type { CommandOption, Writable } from '../../../model/command-definition.ts'
import { descriptionRules } from '../rules/command-rules.ts'
import { type Fields, type Reading, readNumbers, readObject, table } from './reading.ts'
import {
  ownText,
  readLocalizations,
  readText,
  strictName,
  textKind,
} from '../../localization/localized-text.ts'
import {
  channelTypes,
  optionListRules as lists,
  OPTIONS_MAX,
  optionRules as rules,
  type OptionHolder,
} from '../rules/option-rules.ts'
import * as shape from '../../../core/rules/shape-rules.ts'
import { optionTraits, isNesting, OptionType, type OptionTraits } from '../../../model/command-types.ts'

/** The descriptions of slash commands and of options. */
export const description = /* @__PURE__ */ textKind(descriptionRules.descriptionLength)

// There are thirteen channel types: an item after so many is a repetition.
const READ_CHANNEL_TYPES = 25

type OnlyFor = Rule<string, any, [row: OptionTraits]>

/** Whether an option's type has a field. If the type is invalid, nothing is known of that. */
function isAllowed(reading: Reading, rule: OnlyFor, { type }: CommandOption): boolean {
  return type === undefined || reading.check(rule, optionTraits[type]!)
}

/** A flag of some types only. `false` is tolerated on every type (2.1-23), and absent. */
function readFlag(reading: Reading, value: unknown, option: CommandOption, rule: OnlyFor): value is true {
  return reading.check(shape.boolean, value) && value && isAllowed(reading, rule, option)
}

/** A list of some types only. An empty one is tolerated on every type (2.1-23), and absent. */
function readList(
  reading: Reading,
  value: unknown,
  option: CommandOption,
  rule: OnlyFor,
): value is readonly unknown[] {
  return reading.check(shape.list, value) && value.length > 0 && isAllowed(reading, rule, option)
}

function readBound(reading: Reading, value: unknown, option: CommandOption): value is number {
  if (!isAllowed(reading, rules.optionRange, option)) return false
  const range = optionTraits[option.type]?.range
  const form = range?.integer && !Number.isFinite(value) ? shape.integer : shape.number
  if (!reading.check(form, value) || range == null) return false
  reading.check(rules.rangeInteger, value, range)
  reading.check(rules.rangeLimits, value, range)
  return true
}

type Bound = Rule<string, any, [value: number]>

function readLength(reading: Reading, value: unknown, option: CommandOption, rule: Bound): value is number {
  if (!isAllowed(reading, rules.optionLength, option) || !reading.check(shape.integer, value)) return false
  reading.check(rule, value)
  return true
}

function readType(reading: Reading, value: unknown): OptionType | undefined {
  if (typeof value === 'number' && optionTraits[value] !== undefined) return value as OptionType
  if (reading.check(shape.present, value)) reading.check(rules.optionType, value)
  return undefined
}

/** The fields of an option. */
export const optionFields = {
  type: {
    read: (reading, value, option) => void (option.type = readType(reading, value)!),
    required: true,
  },
  name: {
    read: (reading, value, option) => void (option.name = readText(reading, value, strictName)!),
    required: true,
  },
  name_localizations: {
    read(reading, value, option, body) {
      option.name_localizations = readLocalizations(reading, value, ownText(body.name), strictName)
    },
    null: 'absent',
    listed: 'name_localized',
  },
  description: {
    read: (reading, value, option) => void (option.description = readText(reading, value, description)!),
    required: true,
  },
  description_localizations: {
    read(reading, value, option, body) {
      option.description_localizations = readLocalizations(
        reading,
        value,
        ownText(body.description),
        description,
      )
    },
    null: 'absent',
    listed: 'description_localized',
  },
  required: {
    read(reading, value, option) {
      if (readFlag(reading, value, option, rules.optionRequired)) option.required = true
    },
  },
  choices: {
    read(reading, value, option) {
      if (!readList(reading, value, option, rules.optionChoices)) return
      const row = optionTraits[option.type]
      option.choices = readChoices(reading, value, row?.choices ? row.range : undefined)
    },
  },
  autocomplete: {
    read(reading, value, option) {
      if (!readFlag(reading, value, option, rules.optionAutocomplete)) return
      option.autocomplete = true
    },
  },
  channel_types: {
    read(reading, value, option) {
      if (readList(reading, value, option, rules.optionChannelTypes))
        option.channel_types = readNumbers(reading, value, READ_CHANNEL_TYPES, channelTypes)
    },
  },
  min_value: {
    read(reading, value, option) {
      if (readBound(reading, value, option)) option.min_value = withoutNegativeZero(value)
    },
  },
  max_value: {
    read(reading, value, option) {
      if (readBound(reading, value, option)) option.max_value = withoutNegativeZero(value)
    },
  },
  min_length: {
    read(reading, value, option) {
      if (readLength(reading, value, option, rules.minLengthBound))
        option.min_length = withoutNegativeZero(value)
    },
  },
  max_length: {
    read(reading, value, option) {
      if (readLength(reading, value, option, rules.maxLengthBound))
        option.max_length = withoutNegativeZero(value)
    },
  },
  options: {
    read(reading, value, option) {
      // Which ones may be nested depends on what holds this option; `readOption` reads them.
      if (readList(reading, value, option, rules.optionOptions)) option.options = value as CommandOption[]
    },
  },
  name_localized: {},
  description_localized: {},
} as const satisfies Fields<CommandOption>

const optionTable = /* @__PURE__ */ table<CommandOption>(optionFields, () => ({
  type: undefined,
  name: undefined,
  name_localizations: null,
  description: undefined,
  description_localizations: null,
}))

/** Reads one list of options, and those nested in it. Options beyond the limit are counted but not read. */
export function readOptions(
  reading: Reading,
  list: readonly unknown[],
  holder: OptionHolder,
): readonly CommandOption[] {
  reading.check(lists.optionCount, list)
  const options = reading.items(list, OPTIONS_MAX, readOption, holder)
  checkPlaces(reading, options, holder)
  return options
}

function readOption(reading: Reading, body: unknown, holder: OptionHolder): CommandOption {
  const option: Writable<CommandOption> = readObject(reading, body, optionTable)
  checkBounds(reading, option)
  if (option.autocomplete)
    reading.at('autocomplete', () =>
      reading.check(rules.autocompleteChoices, true, option.choices?.length ?? 0),
    )
  const { type, options } = option
  reading.check(lists.groupEmpty, type, options?.length ?? 0)
  if (options === undefined) return option
  // Elsewhere they could nest without end.
  if (type !== undefined && holds(lists.optionNesting, type, holder))
    option.options = reading.at(
      'options',
      readOptions,
      options,
      type === OptionType.SUB_COMMAND ? 'subcommand' : 'group',
    )
  else delete option.options
  return option
}

function checkBounds(reading: Reading, option: CommandOption): void {
  const row = optionTraits[option.type]
  if (row?.range && option.max_value !== undefined)
    reading.at('min_value', () => reading.check(rules.rangeInverted, option.min_value, option.max_value))
  if ((row === undefined || row.length) && option.max_length !== undefined)
    reading.at('min_length', () => reading.check(rules.lengthInverted, option.min_length, option.max_length))
}

/** Which types of options may stand in a list and beside each other, and in which order. */
function checkPlaces(reading: Reading, options: readonly CommandOption[], holder: OptionHolder): void {
  const firstType = options.find(({ type }) => type !== undefined)?.type
  let optional = -1
  for (const [index, { type, required }] of options.entries()) {
    if (type === undefined) continue
    // Most options are of the type of the first one, and none of these rules concerns them.
    if (type !== firstType || holder === 'group' || isNesting(type)) {
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
