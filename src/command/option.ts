/** Reads one option by itself: everything but the options it holds (clauses 2.4 and 2.5). */
import { jsonValue, withoutNegativeZero, type Convertible, type JsonObject } from '../core/json.ts'
import type { Rule } from '../core/rule.ts'
import { readChoices } from './choice.ts'
import type { CommandOption, Fields, Writable } from './definition.ts'
import { descriptionLength } from './description.ts'
import { readLocalizations, readStrictName, readText, strictName, textKind } from './localized-text.ts'
import * as rules from './option-rules.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'
import { admits, type Admission, type OptionType } from './types.ts'

/** The descriptions of slash commands and of options. */
export const requiredDescription = textKind('description', descriptionLength, false)

// There are thirteen channel types: an item after so many is a repetition.
const READ_CHANNEL_TYPES = 25

export type OptionFields = Fields<CommandOption>

/** The fields that only the service's answers have; clients send them back. */
const ANSWERED: ReadonlySet<string> = new Set(['name_localized', 'description_localized'])

/** The fields of an option, all absent. */
function noFields(): OptionFields {
  return {
    type: undefined,
    name: undefined,
    name_localizations: undefined,
    description: undefined,
    description_localizations: undefined,
    required: undefined,
    choices: undefined,
    options: undefined,
    channel_types: undefined,
    min_value: undefined,
    max_value: undefined,
    min_length: undefined,
    max_length: undefined,
    autocomplete: undefined,
  }
}

/** The fields of an option that are given. Asking for each by name is slower, the more shapes of bodies were seen. */
export function optionFields(reading: Reading, body: JsonObject): OptionFields {
  const fields = noFields()
  for (const key in body) {
    const given = body[key] as Convertible
    const hasJson = typeof given === 'object' && given?.toJSON !== undefined
    const field: unknown = hasJson ? jsonValue(given, key) : given
    if (key === 'type') fields.type = field
    else if (key === 'name') fields.name = field
    else if (key === 'name_localizations') fields.name_localizations = field
    else if (key === 'description') fields.description = field
    else if (key === 'description_localizations') fields.description_localizations = field
    else if (key === 'required') fields.required = field
    else if (key === 'choices') fields.choices = field
    else if (key === 'options') fields.options = field
    else if (key === 'channel_types') fields.channel_types = field
    else if (key === 'min_value') fields.min_value = field
    else if (key === 'max_value') fields.max_value = field
    else if (key === 'min_length') fields.min_length = field
    else if (key === 'max_length') fields.max_length = field
    else if (key === 'autocomplete') fields.autocomplete = field
    else if (field !== undefined && !ANSWERED.has(key)) reading.warnUnknownKey(key, noFields)
  }
  return fields
}

/** Reads an option without the options it holds. What could not be read is absent. */
export function readOption(reading: Reading, fields: OptionFields): Writable<CommandOption> {
  const { names } = reading
  // In the order in which most bodies have the fields, so that issues are almost sorted when they are found.
  const row = readType(reading, fields.type)
  const name = readStrictName(reading, fields.name, names)
  const name_localizations = readLocalizations(reading, fields.name_localizations, name, strictName, names)
  const description = readText(reading, fields.description, requiredDescription)
  const option = {
    type: row === undefined ? undefined : fields.type,
    name,
    name_localizations,
    description,
    description_localizations: readLocalizations(
      reading,
      fields.description_localizations,
      description,
      requiredDescription,
    ),
  } as Writable<CommandOption>
  if (readFlag(reading, fields.required, 'required', row, rules.optionRequired)) option.required = true
  const choices = readList(reading, fields.choices, 'choices', row, rules.optionChoices)
  if (choices !== undefined)
    option.choices = readChoices(reading, choices, row?.choices ? row.range : undefined)
  const autocomplete = readFlag(reading, fields.autocomplete, 'autocomplete', row, rules.optionAutocomplete)
  if (autocomplete) {
    option.autocomplete = true
    reading.run(rules.autocompleteChoices, true, choices?.length ?? 0, 'autocomplete')
  }
  const types = readList(reading, fields.channel_types, 'channel_types', row, rules.optionChannelTypes)
  if (types !== undefined)
    option.channel_types = reading.numbers(types, READ_CHANNEL_TYPES, rules.channelTypes, 'channel_types')
  if (fields.min_value !== undefined || fields.max_value !== undefined) {
    const min = readBound(reading, fields.min_value, 'min_value', row)
    const max = readBound(reading, fields.max_value, 'max_value', row)
    if (min !== undefined) option.min_value = min
    if (max !== undefined) option.max_value = max
    reading.run(rules.rangeInverted, min, max, 'min_value')
  }
  if (fields.min_length !== undefined || fields.max_length !== undefined) {
    const min = readLength(reading, fields.min_length, 'min_length', row, rules.minLengthBound)
    const max = readLength(reading, fields.max_length, 'max_length', row, rules.maxLengthBound)
    if (min !== undefined) option.min_length = min
    if (max !== undefined) option.max_length = max
    reading.run(rules.lengthInverted, min, max, 'min_length')
  }
  return option
}

/** What the option's type admits; `undefined` if the type is invalid, which is reported. */
function readType(reading: Reading, type: unknown): Admission | undefined {
  const row = typeof type === 'number' ? admits[type as OptionType] : undefined
  if (row === undefined && reading.run(shape.present, type, 'type'))
    reading.run(rules.optionType, type, 'type')
  return row
}

type OnlyFor = Rule<string, any, [row: Admission]>

/**
 * A flag of some types only. `false` is tolerated on every type (2.1-23). If the type is invalid, nothing is known of what
 * it admits.
 */
function readFlag(
  reading: Reading,
  value: unknown,
  key: string,
  row: Admission | undefined,
  rule: OnlyFor,
): boolean {
  if (value === undefined || reading.flag(value, key) !== true) return false
  return row === undefined || reading.run(rule, row, key)
}

/** A list of some types only; `undefined` when it is empty, which is tolerated on every type (2.1-23). */
export function readList(
  reading: Reading,
  value: unknown,
  key: string,
  row: Admission | undefined,
  rule: OnlyFor,
): readonly unknown[] | undefined {
  if (value === undefined) return undefined
  const list = reading.list(value, key)
  if (list === undefined || list.length === 0) return undefined
  return row === undefined || reading.run(rule, row, key) ? list : undefined
}

function readBound(
  reading: Reading,
  value: unknown,
  key: string,
  row: Admission | undefined,
): number | undefined {
  if (value === undefined) return undefined
  if (value === null) return reading.nullAsAbsent(key)
  if (row !== undefined && !reading.run(rules.optionRange, row, key)) return undefined
  const range = row?.range
  const form = range?.integer && !Number.isFinite(value) ? shape.integer : shape.number
  if (!reading.run(form, value, key) || range == null) return undefined
  reading.run(rules.rangeInteger, value, range, key)
  reading.run(rules.rangeLimits, value, range, key)
  return withoutNegativeZero(value)
}

function readLength(
  reading: Reading,
  value: unknown,
  key: string,
  row: Admission | undefined,
  bound: Rule<string, any, [value: number]>,
): number | undefined {
  if (value === undefined) return undefined
  if (value === null) return reading.nullAsAbsent(key)
  if (row !== undefined && !reading.run(rules.optionLength, row, key)) return undefined
  if (!reading.run(shape.integer, value, key)) return undefined
  reading.run(bound, value, key)
  return withoutNegativeZero(value)
}
