/** Reads the options of a command, subcommand or group (clauses 2.4, 2.7, 2.10-06). */
import { holds } from '../core/rule.ts'
import type { CommandOption } from './definition.ts'
import { takeNameTable, returnNameTable } from './name-table.ts'
import * as rules from './option-list-rules.ts'
import { OPTIONS_MAX, quoteOption, type OptionHolder } from './option-list-rules.ts'
import { optionOptions } from './option-rules.ts'
import { optionFields, readList, readOption } from './option.ts'
import type { Reading } from './reading.ts'
import { admits, isNesting, OptionType } from './types.ts'

/** Reads all options of a command, at every depth. */
export function readCommandOptions(reading: Reading, list: readonly unknown[]): readonly CommandOption[] {
  const names = takeNameTable()
  reading.names = names
  const options = readOptions(reading, list, 'command')
  reading.names = null
  if (names.mayRepeat()) checkNames(reading, options)
  returnNameTable(names)
  return options
}

/** Placeholder for an option that is not an object. */
const UNREADABLE = {} as CommandOption

/** Reads one list. Options beyond the limit are counted but not read. */
function readOptions(
  reading: Reading,
  list: readonly unknown[],
  holder: OptionHolder,
): readonly CommandOption[] {
  reading.run(rules.optionCount, list, 'options')
  const names = reading.names!
  const number = names.startList()
  let optional: CommandOption | null = null
  let optionalIndex = 0
  let firstType: OptionType | undefined
  const options: CommandOption[] = []
  const outside = reading.enter('options')
  const count = Math.min(list.length, OPTIONS_MAX)
  for (let i = 0; i < count; i++) {
    const item = reading.item(list, i)
    if (!reading.object(item)) {
      options.push(UNREADABLE)
      continue
    }
    const fields = optionFields(reading, item)
    names.startOption(number, fields.name)
    const option = readOption(reading, fields)
    options.push(option)
    const { type } = option
    if (type !== undefined) {
      if (isNesting(type) || holder === 'group') {
        reading.run(rules.optionNesting, type, holder)
        reading.run(rules.groupContent, type, holder)
      }
      firstType ??= type
      if (holder === 'command' && type !== firstType) reading.run(rules.optionMixture, type, firstType)
    }
    const nested = readNested(reading, fields.options, type, holder)
    if (nested !== undefined) option.options = nested
    if (type === undefined || isNesting(type)) continue
    if (option.required === true) reading.run(rules.optionOrder, true, optional, optionalIndex)
    else if (optional === null) {
      optional = option
      optionalIndex = i
    }
  }
  reading.leave(outside)
  return options
}

/**
 * Reads the options of an option. They are read only where the option itself is allowed: elsewhere they could nest
 * without end.
 */
function readNested(
  reading: Reading,
  options: unknown,
  type: OptionType | undefined,
  holder: OptionHolder,
): readonly CommandOption[] | undefined {
  const row = type === undefined ? undefined : admits[type]
  const list = readList(reading, options, 'options', row, optionOptions)
  if (type === OptionType.SUB_COMMAND_GROUP) reading.run(rules.groupEmpty, type, list?.length ?? 0)
  if (list === undefined || row === undefined || !holds(rules.optionNesting, type, holder)) return undefined
  return readOptions(reading, list, type === OptionType.SUB_COMMAND_GROUP ? 'group' : 'subcommand')
}

// --- Names ----------------------------------------------------------------------------------------------------

/** One use of a name. */
interface Use {
  readonly option: CommandOption
  readonly index: number
  readonly list: readonly CommandOption[]
}

/**
 * Runs the rules about names on all options of a command. Each clash is reported once, at the later of the two or at the
 * localized name. Exact but slow; runs only when the table of names has seen a hash twice.
 */
function checkNames(reading: Reading, options: readonly CommandOption[]): void {
  const uses = { byDefault: new Map<string, Use[]>(), byLocale: new Map<string, Map<string, Use[]>>() }
  visitLists(reading, options, (list) => {
    checkDefaultNames(reading, list)
    list.forEach((option, index) => {
      if (option.name) append(uses.byDefault, option.name, { option, index, list })
    })
  })
  visitLists(reading, options, (list) => {
    reading.each(
      list,
      OPTIONS_MAX,
      (_, index) => checkLocalizedNames(reading, { option: list[index]!, index, list }, uses),
      'options',
    )
  })
}

/** Calls a function for each list of options, with the reading at its holder. */
function visitLists(
  reading: Reading,
  list: readonly CommandOption[],
  visit: (list: readonly CommandOption[]) => void,
): void {
  visit(list)
  reading.each(
    list,
    OPTIONS_MAX,
    (_, index) => {
      const nested = list[index]?.options
      if (nested !== undefined) visitLists(reading, nested, visit)
    },
    'options',
  )
}

function checkDefaultNames(reading: Reading, list: readonly CommandOption[]): void {
  const earlier = new Map<string, number>()
  list.forEach(({ name }, index) => {
    // A missing or empty name is reported already.
    if (name && reading.run(rules.optionUnique, name, earlier, 'options', index)) earlier.set(name, index)
  })
}

interface Uses {
  readonly byDefault: Map<string, Use[]>
  readonly byLocale: Map<string, Map<string, Use[]>>
}

function checkLocalizedNames(reading: Reading, own: Use, { byDefault, byLocale }: Uses): void {
  const key = 'name_localizations'
  for (const [locale, name] of Object.entries(own.option.name_localizations ?? {})) {
    if (name === '') continue
    const inLocale = byLocale.get(locale) ?? new Map<string, Use[]>()
    byLocale.set(locale, inLocale)
    const defaults = byDefault.get(name) ?? []
    const localized = inLocale.get(name) ?? []
    const inList = (other: Use) => other.list === own.list && other.index !== own.index
    // In other lists, options of one default name may also share their translations.
    const elsewhere = (other: Use) => other.list !== own.list && other.option.name !== own.option.name
    if (
      reading.run(rules.optionLocalizedUnique, name, nameOf(defaults.find(inList)), null, key, locale) &&
      reading.run(rules.optionLocalizedUnique, name, nameOf(localized.find(inList)), locale, key, locale) &&
      reading.run(rules.localizedElsewhere, name, nameOf(defaults.find(elsewhere)), null, key, locale)
    )
      reading.run(rules.localizedElsewhere, name, nameOf(localized.find(elsewhere)), locale, key, locale)
    append(inLocale, name, own)
  }
}

function nameOf(use: Use | undefined): string | null {
  return use === undefined ? null : quoteOption(use.option, use.index)
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}
