/** Reads a list of options, and each option of it: unknown JSON in, definitions out, everything wrong noted. */
import { isObject, withoutNegativeZero } from '../core/json.ts'
import type { Rule } from '../core/rule.ts'
import { readChoices } from './choice.ts'
import type { CommandOption } from './definition.ts'
import { descriptionLength } from './description.ts'
import { admits, OptionType, type Admission, type ChannelType, type Range } from './kinds.ts'
import { checkText, readLocalizations, textSort, type NameSink } from './localized.ts'
import { nameLength } from './name.ts'
import * as lists from './option-list.ts'
import { NameTable, nameClashes, type OptionHolder } from './option-list.ts'
import * as rules from './option.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'

const { SUB_COMMAND_GROUP } = OptionType

export const strictName = textSort(nameLength, true)
export const description = textSort(descriptionLength, false)

// One table for each depth of lists. Readings never overlap: nothing in them waits.
const tables = [new NameTable(), new NameTable(), new NameTable()]

/**
 * Reads the options of a command, subcommand or group. More than the limit are counted, not read; what is nested
 * where nothing may be nested is not descended into, so depth is bounded by the grammar.
 */
export function readOptions(
  reading: Reading,
  values: readonly unknown[],
  holder: OptionHolder,
): CommandOption[] {
  const { path, depth } = reading
  if (!lists.optionCount.check(values.length))
    reading.add(lists.optionCount, { actual: values.length }, 'options')
  const count = Math.min(values.length, lists.OPTIONS_MAX)
  const names = tables[depthOf[holder]]!
  names.clear()
  const options: CommandOption[] = []
  let optionalBefore = -1
  let firstType: unknown
  path[depth] = 'options'
  reading.depth = depth + 2
  for (let i = 0; i < count; i++) {
    path[depth + 1] = i
    const option = readOption(reading, values[i], holder, names, i)
    options.push(option)
    const { type, required } = option
    if (type === undefined) continue
    firstType ??= type
    if (holder === 'command' && !lists.optionMixture.check(type, firstType))
      reading.add(lists.optionMixture, { type })
    if (lists.isNesting(type)) continue
    if (!lists.optionOrder.check(required === true, optionalBefore >= 0)) {
      reading.add(lists.optionOrder, { before: lists.called(options[optionalBefore]!, optionalBefore) })
    } else if (required !== true && optionalBefore < 0) optionalBefore = i
  }
  if (names.perhaps) reportClashes(reading, options)
  reading.depth = depth
  return options
}

// A list inside another is read while the other is, so each kind of holder has a table of its own.
const depthOf: { readonly [Holder in OptionHolder]: number } = { command: 0, group: 1, subcommand: 2 }

function reportClashes(reading: Reading, options: readonly CommandOption[]): void {
  for (const { index, locale, name, other, otherLocale } of nameClashes(options)) {
    reading.path[reading.depth - 1] = index
    if (locale === null) reading.add(lists.optionUnique, { name, index: other })
    else {
      const params = { name, other: lists.called(options[other]!, other), locale: otherLocale }
      reading.add(lists.optionLocalizedUnique, params, 'name_localizations', locale)
    }
  }
}

const known: ReadonlySet<string> = new Set([
  'type',
  'name',
  'name_localizations',
  'description',
  'description_localizations',
  'required',
  'choices',
  'options',
  'channel_types',
  'min_value',
  'max_value',
  'min_length',
  'max_length',
  'autocomplete',
])

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

// What stands for an option that is no object: nothing about it is known.
const unread = {} as CommandOption

function readOption(
  reading: Reading,
  body: unknown,
  holder: OptionHolder,
  names: NameSink,
  index: number,
): CommandOption {
  if (!isObject(body)) {
    reading.add(shape.object, shape.found(body))
    return unread
  }
  // Authors write keys in any order and leave most out. Going through what is there once, into variables, does not
  // care; asking for each key by name gets slower with every order that was ever seen.
  let type: unknown
  let name: unknown
  let nameTexts: unknown
  let text: unknown
  let texts: unknown
  let required: unknown
  let choices: unknown
  let options: unknown
  let channelTypes: unknown
  let minValue: unknown
  let maxValue: unknown
  let minLength: unknown
  let maxLength: unknown
  let autocomplete: unknown
  for (const key in body) {
    const field = body[key]
    switch (key) {
      case 'type':
        type = field
        break
      case 'name':
        name = field
        break
      case 'name_localizations':
        nameTexts = field
        break
      case 'description':
        text = field
        break
      case 'description_localizations':
        texts = field
        break
      case 'required':
        required = field
        break
      case 'choices':
        choices = field
        break
      case 'options':
        options = field
        break
      case 'channel_types':
        channelTypes = field
        break
      case 'min_value':
        minValue = field
        break
      case 'max_value':
        maxValue = field
        break
      case 'min_length':
        minLength = field
        break
      case 'max_length':
        maxLength = field
        break
      case 'autocomplete':
        autocomplete = field
        break
      case 'name_localized':
      case 'description_localized':
        break // What a list answers; clients send it back.
      default:
        if (field !== undefined) reading.unknown(known, key)
    }
  }

  const row = readType(reading, type, holder)
  if (typeof name === 'string') checkText(reading, name, strictName, 'name', undefined, names, index)
  else if (reading.is(shape.present, name, 'name')) reading.is(shape.string, name, 'name')
  const defaultName = typeof name === 'string' ? name : undefined
  const name_localizations = readLocalizations(
    reading,
    nameTexts,
    'name_localizations',
    defaultName,
    strictName,
    names,
    index,
  )
  if (typeof text === 'string') checkText(reading, text, description, 'description')
  else if (reading.is(shape.present, text, 'description')) reading.is(shape.string, text, 'description')
  const defaultText = typeof text === 'string' ? text : undefined
  const description_localizations = readLocalizations(
    reading,
    texts,
    'description_localizations',
    defaultText,
    description,
  )

  const option = {
    type: row === undefined ? undefined : type,
    name: defaultName,
    name_localizations,
    description: defaultText,
    description_localizations,
  } as Writable<CommandOption>

  if (
    required !== undefined &&
    flagFor(reading, required, 'required', row?.value, rules.optionRequired, row)
  ) {
    option.required = true
  }
  let choiceTotal = 0
  if (choices !== undefined) {
    const list = listFor(reading, choices, 'choices', row?.choices, rules.optionChoices, row)
    if (list !== undefined && list.length > 0) {
      choiceTotal = list.length
      option.choices = readChoices(reading, list, rangeOf(row))
    }
  }
  if (autocomplete !== undefined) {
    const on = flagFor(reading, autocomplete, 'autocomplete', row?.choices, rules.optionAutocomplete, row)
    if (on) option.autocomplete = true
    if (!rules.autocompleteChoices.check(on, choiceTotal))
      reading.add(rules.autocompleteChoices, {}, 'autocomplete')
  }
  if (channelTypes !== undefined) {
    const list = listFor(
      reading,
      channelTypes,
      'channel_types',
      row?.channelTypes,
      rules.optionChannelTypes,
      row,
    )
    if (list !== undefined && list.length > 0) option.channel_types = readChannelTypes(reading, list)
  }
  if (minValue !== undefined || maxValue !== undefined) {
    const min = readBound(reading, minValue, 'min_value', row)
    const max = readBound(reading, maxValue, 'max_value', row)
    if (min !== undefined) option.min_value = min
    if (max !== undefined) option.max_value = max
    if (!rules.rangeInverted.check(min, max))
      reading.add(rules.rangeInverted, { min: min!, max: max! }, 'min_value')
  }
  if (minLength !== undefined || maxLength !== undefined) {
    const min = readLength(reading, minLength, 'min_length', row, rules.minLengthBound)
    const max = readLength(reading, maxLength, 'max_length', row, rules.maxLengthBound)
    if (min !== undefined) option.min_length = min
    if (max !== undefined) option.max_length = max
    if (!rules.lengthInverted.check(min, max))
      reading.add(rules.lengthInverted, { min: min!, max: max! }, 'min_length')
  }
  let nested = 0
  if (options !== undefined) {
    const list = listFor(reading, options, 'options', row?.options, rules.optionOptions, row)
    nested = list?.length ?? 0
    // Only where this option may stand are its own options worth a look; elsewhere they would nest without end.
    if (
      list !== undefined &&
      nested > 0 &&
      row?.options === true &&
      lists.optionNesting.check(type, holder)
    ) {
      option.options = readOptions(reading, list, type === SUB_COMMAND_GROUP ? 'group' : 'subcommand')
    }
  }
  if (!lists.groupEmpty.check(type, nested)) reading.add(lists.groupEmpty, {})
  return option
}

/** What the option's type admits; `undefined` after saying that it is no type. */
function readType(reading: Reading, type: unknown, holder: OptionHolder): Admission | undefined {
  if (!reading.is(shape.present, type, 'type')) return undefined
  if (!rules.optionType.check(type)) {
    reading.add(rules.optionType, shape.found(type), 'type')
    return undefined
  }
  if (!lists.optionNesting.check(type, holder))
    reading.add(lists.optionNesting, { holder, type: type as number })
  if (!lists.groupContent.check(type, holder)) reading.add(lists.groupContent, {})
  return admits[type as number]
}

function rangeOf(row: Admission | undefined): Range | null | undefined {
  if (row === undefined || !row.choices) return undefined
  return row.range
}

type OnlyFor = Rule<string, { type: string }, [row: Admission]>

/**
 * A flag that only some types admit. `false` says nothing and is tolerated everywhere (2.1-23). When the type
 * could not be read, nothing is known of what it admits, and only the flag's own form is looked at.
 */
function flagFor(
  reading: Reading,
  value: unknown,
  key: string,
  admitted: boolean | undefined,
  rule: OnlyFor,
  row: Admission | undefined,
): boolean {
  if (reading.flag(value, key) !== true) return false
  if (admitted !== false) return true
  reading.add(rule, { type: row!.name }, key)
  return false
}

/** A list that only some types admit; an empty one says nothing and is tolerated everywhere (2.1-23). */
function listFor(
  reading: Reading,
  value: unknown,
  key: string,
  admitted: boolean | undefined,
  rule: OnlyFor,
  row: Admission | undefined,
): readonly unknown[] | undefined {
  const list = reading.items(value, key)
  if (list === undefined || list.length === 0 || admitted !== false) return list
  reading.add(rule, { type: row!.name }, key)
  return undefined
}

function readChannelTypes(reading: Reading, list: readonly unknown[]): readonly ChannelType[] {
  // There are thirteen to choose from: what follows twenty-five is only more of the same.
  const read = list.slice(0, 25).map(withoutNegativeZero)
  read.forEach((type, index) => {
    if (!rules.channelTypeKnown.check(type)) {
      reading.add(rules.channelTypeKnown, shape.found(type), 'channel_types', index)
    } else if (!rules.channelTypeRepeated.check(list, index)) {
      reading.add(rules.channelTypeRepeated, { value: type }, 'channel_types', index)
    }
  })
  return read as ChannelType[]
}

function readBound(
  reading: Reading,
  value: unknown,
  key: string,
  row: Admission | undefined,
): number | undefined {
  if (value === undefined) return undefined
  if (value === null) return reading.nothing(key)
  if (row !== undefined && !rules.optionRange.check(row)) {
    reading.add(rules.optionRange, { type: row.name }, key)
    return undefined
  }
  const range = row?.range
  if (!shape.number.check(value)) {
    reading.add(range?.integer ? shape.integer : shape.number, shape.found(value), key)
    return undefined
  }
  if (range == null) return undefined
  const bound = value as number
  if (!rules.rangeInteger.check(bound, range)) reading.add(rules.rangeInteger, { value: bound }, key)
  if (!rules.rangeLimits.check(bound, range)) reading.add(rules.rangeLimits, { value: bound, ...range }, key)
  return withoutNegativeZero(bound)
}

function readLength(
  reading: Reading,
  value: unknown,
  key: string,
  row: Admission | undefined,
  limits: Rule<string, { value: number }, [value: number]>,
): number | undefined {
  if (value === undefined) return undefined
  if (value === null) return reading.nothing(key)
  if (row !== undefined && !rules.optionLength.check(row)) {
    reading.add(rules.optionLength, { type: row.name }, key)
    return undefined
  }
  if (!reading.is<number>(shape.integer, value, key)) return undefined
  if (!limits.check(value)) reading.add(limits, { value }, key)
  return withoutNegativeZero(value)
}
