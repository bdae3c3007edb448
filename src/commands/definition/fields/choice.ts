/** Reads the choices of an option (clauses 2.4-08, 2.6-01, 2.6-02). */
import { isObject, withoutNegativeZero } from '../../../core/json.ts'
import { known, nullable, wholeOf, type Fields } from '../../../core/rules/readers.ts'
import type { Range } from '../../../core/rules/rule.ts'
import { CHOICE_VALUE_MAX, choiceRules as rules, CHOICES_MAX } from '../rules/choice-rules.ts'
import type { CommandChoice, ListedName, Writable } from '../../../model/command-definition.ts'
import type { Reading } from '../rules/reading.ts'
import { textReader, textKind, translationsOf } from './localized-text.ts'
import * as shape from '../../../core/rules/shape-rules.ts'

/** The values of an option's choices: numbers of a range, texts for null, any if the option's type is invalid. */
type Values = Range | null | undefined

const name = /* @__PURE__ */ textKind(rules.choiceName, { isVisible: true })

/** The fields of a choice. Its value is checked when the others are read. */
export const choiceFields = {
  name: textReader(name),
  name_localizations: nullable(translationsOf('name', name)),
  value: (_, value) => value as CommandChoice['value'],
  name_localized: known,
} as const satisfies Fields<CommandChoice & ListedName, Reading>

const readWhole = /* @__PURE__ */ wholeOf<Writable<CommandChoice>, Reading>(choiceFields, () => ({
  name: undefined,
  name_localizations: null,
  value: undefined,
}))

/** Reads the choices of an option. Choices beyond the limit are counted but not read. */
export function readChoices(
  reading: Reading,
  list: readonly unknown[],
  values: Values,
): readonly CommandChoice[] {
  reading.check(rules.choiceCount, list)
  const choices = reading.items(list, CHOICES_MAX, readChoice, values)
  warnAboutNames(reading, choices)
  warnAboutValues(reading, choices)
  return choices
}

function readChoice(reading: Reading, body: unknown, values: Values): CommandChoice {
  const choice = readWhole(reading, body)
  if (isObject(body)) choice.value = reading.at('value', readValue, choice.value, values) as string | number
  return choice
}

function readValue(reading: Reading, value: unknown, values: Values): unknown {
  if (value === undefined || value === null) reading.check(shape.present, value)
  else if (values === null) {
    if (typeof value !== 'string') reading.check(rules.choiceString, value)
    else reading.units += value.length
    if (typeof value === 'string' && value.length > CHOICE_VALUE_MAX)
      reading.check(rules.choiceValueLength, value)
  } else if (values !== undefined) {
    const form = values.integer ? rules.choiceInteger : rules.choiceNumber
    if (reading.check(form, value)) reading.check(rules.choiceRange, value as number, values)
  }
  return withoutNegativeZero(value)
}

// One loop for each field: a loop over both with the key as a variable takes longer.
function warnAboutNames(reading: Reading, choices: readonly CommandChoice[]): void {
  for (let index = 1; index < choices.length; index++) {
    const { name } = choices[index]!
    let first = 0
    while (first < index && choices[first]!.name !== name) first++
    if (first < index) warnAboutRepeat(reading, 'name', name, first, index)
  }
}

function warnAboutValues(reading: Reading, choices: readonly CommandChoice[]): void {
  for (let index = 1; index < choices.length; index++) {
    const { value } = choices[index]!
    let first = 0
    while (first < index && choices[first]!.value !== value) first++
    if (first < index) warnAboutRepeat(reading, 'value', value, first, index)
  }
}

function warnAboutRepeat(reading: Reading, key: string, value: unknown, first: number, index: number): void {
  // An invalid name or value is reported already.
  if (typeof value === 'string' || typeof value === 'number')
    reading.at([index, key], () => reading.check(rules.choiceRepeated, value, first, index))
}
