/** Reads the choices of an option (clauses 2.4-08, 2.6-01, 2.6-02). */
import { jsonValue, withoutNegativeZero, type Convertible, type JsonObject } from '../core/json.ts'
import * as rules from './choice-rules.ts'
import type { CommandChoice, Fields } from './definition.ts'
import { readLocalizations, readText, textKind } from './localized-text.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'
import type { Range } from './types.ts'

const choiceText = textKind('name', rules.choiceName, false)

/**
 * Reads the choices of an option. Choices beyond the limit are counted but not read.
 *
 * @param range bounds of the option's type; null for STRING, undefined if the type is invalid
 */
export function readChoices(
  reading: Reading,
  list: readonly unknown[],
  range: Range | null | undefined,
): readonly CommandChoice[] {
  reading.run(rules.choiceCount, list, 'choices')
  const choices: CommandChoice[] = []
  // One bit for each name and value so far: looking back at the choices is rarely necessary.
  let names = 0
  let values = 0
  const outside = reading.enter('choices')
  const count = Math.min(list.length, rules.CHOICES_MAX)
  for (let i = 0; i < count; i++) {
    const choice = readChoice(reading, reading.item(list, i), range)
    choices.push(choice)
    const name = bitOf(choice.name)
    const value = bitOf(choice.value)
    if ((names & name) !== 0 || (values & value) !== 0) warnAboutRepeats(reading, choices)
    names |= name
    values |= value
  }
  reading.leave(outside)
  return choices
}

/** Placeholder for a choice that is not an object. */
const UNREADABLE = {} as CommandChoice

function readChoice(reading: Reading, body: unknown, range: Range | null | undefined): CommandChoice {
  if (!reading.object(body)) return UNREADABLE
  const { name, name_localizations, value } = choiceFields(reading, body)
  const text = readText(reading, name, choiceText)
  return {
    name: text as string,
    name_localizations: readLocalizations(reading, name_localizations, text, choiceText),
    value: readValue(reading, value, range) as string | number,
  }
}

/** The fields of a choice, all absent. */
function noFields(): Fields<CommandChoice> {
  return { name: undefined, name_localizations: undefined, value: undefined }
}

/** The fields of a choice that are given. Asking for each by name is slower, the more shapes of bodies were seen. */
function choiceFields(reading: Reading, body: JsonObject): Fields<CommandChoice> {
  const fields = noFields()
  for (const key in body) {
    const given = body[key] as Convertible
    const hasJson = typeof given === 'object' && given?.toJSON !== undefined
    const field: unknown = hasJson ? jsonValue(given, key) : given
    if (key === 'name') fields.name = field
    else if (key === 'name_localizations') fields.name_localizations = field
    else if (key === 'value') fields.value = field
    else if (field !== undefined && key !== 'name_localized') reading.warnUnknownKey(key, noFields)
  }
  return fields
}

function readValue(reading: Reading, value: unknown, range: Range | null | undefined): unknown {
  if (range === null && typeof value === 'string') {
    reading.units += value.length
    if (value.length > rules.CHOICE_VALUE_MAX) reading.run(rules.choiceValueLength, value, 'value')
    return value
  }
  if (value === undefined || value === null) {
    reading.run(shape.present, value, 'value')
    return value
  }
  if (range === undefined) return withoutNegativeZero(value)
  if (range === null) reading.run(rules.choiceString, value, 'value')
  else if (reading.run(range.integer ? rules.choiceInteger : rules.choiceNumber, value, 'value'))
    reading.run(rules.choiceRange, value as number, range, 'value')
  return withoutNegativeZero(value)
}

/** Warns if an earlier choice has the name or the value of the last one. */
function warnAboutRepeats(reading: Reading, choices: readonly CommandChoice[]): void {
  const last = choices.length - 1
  const { name, value } = choices[last]!
  if (name !== undefined) {
    const first = choices.findIndex((choice) => choice.name === name)
    reading.run(rules.choiceRepeated, name, first, last, 'name')
  }
  if (value !== undefined) {
    const first = choices.findIndex((choice) => choice.value === value)
    reading.run(rules.choiceRepeated, value, first, last, 'value')
  }
}

/** One of 32 bits, the same for equal values and mostly another for different ones. */
function bitOf(value: unknown): number {
  if (typeof value === 'number') return 1 << value
  return typeof value === 'string' ? 1 << (value.length + value.charCodeAt(value.length - 1)) : 0
}
