/** One choice, and the list of them (clauses 2.4-08, 2.6-01, 2.6-02). */
import { numberIn, replaceValue } from '../core/fixes.ts'
import { jsonValue, withoutNegativeZero, type Convertible, type JsonObject } from '../core/json.ts'
import { rule, warning } from '../core/rule.ts'
import { counted, fits, lengthOf, quoted } from '../core/text.ts'
import { badLength, maxLength, notNumber } from '../core/wire.ts'
import { broken, get, put, several, slash, someChoice, withOption, type Body } from './breaking.ts'
import type { CommandChoice, Fields } from './definition.ts'
import { integerRange, numberRange, OptionType, type Range } from './types.ts'
import { readLocalizations, readText, textKind } from './localized-text.ts'
import { inRange } from './option-rules.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'

export const CHOICES_MAX = 25
export const CHOICE_NAME_MIN = 1
export const CHOICE_NAME_MAX = 100
export const CHOICE_VALUE_MAX = 100

export interface Count {
  readonly actual: number
}

export const choiceCount = rule({
  code: 'choices.count',
  clause: '2.4-08',
  limit: { max: CHOICES_MAX },
  summary: `An option has at most ${CHOICES_MAX} choices.`,
  check: (choices: readonly unknown[]) =>
    choices.length <= CHOICES_MAX ? undefined : { actual: choices.length },
  message: ({ actual }: Count) =>
    `has ${counted(actual, 'choice')}; at most ${CHOICES_MAX} are allowed; use autocomplete for more`,
  wire: maxLength(CHOICES_MAX),
  at: 'firstSurplusItem',
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      { type: OptionType.INTEGER, choices: several(CHOICES_MAX + 1, (i) => ({ name: `c${i}`, value: i })) },
      'choices',
    ),
})

export const choiceName = rule({
  code: 'choice.name',
  clause: '2.6-01',
  limit: { min: CHOICE_NAME_MIN, max: CHOICE_NAME_MAX },
  summary: `The name of a choice has ${CHOICE_NAME_MIN} to ${CHOICE_NAME_MAX} characters.`,
  check: (text: string) =>
    text.length >= CHOICE_NAME_MIN && fits(text, CHOICE_NAME_MAX) ? undefined : { actual: lengthOf(text) },
  message: ({ actual }: Count) =>
    actual === 0
      ? 'is empty; the name of a choice has at least 1 character'
      : `has ${counted(actual, 'character')}; at most ${CHOICE_NAME_MAX} are allowed`,
  wire: badLength(CHOICE_NAME_MIN, CHOICE_NAME_MAX),
  breaks(body: Body, pick) {
    const { body: whole, path } = someChoice(slash(body), pick)
    const text = pick(2) === 0 ? '' : 'x'.repeat(CHOICE_NAME_MAX + 1)
    return broken(whole, pick(2) === 0 ? [...path, 'name'] : [...path, 'name_localizations', 'de'], text)
  },
})

export const choiceString = rule({
  code: 'choice.value_string',
  clause: '2.6-02',
  summary: 'The value of a choice of a STRING option is a string.',
  check: (value: unknown) => (typeof value === 'string' ? undefined : shape.found(value)),
  message: ({ actual }: shape.Found) => `is ${actual}; choices of a STRING option have string values`,
  wire: ({ actual }: shape.Found) => ({
    code: 'STRING_TYPE_CONVERT',
    message: `Could not convert ${actual} to string.`,
  }),
  fix: replaceValue((value) => (typeof value === 'number' ? String(value) : undefined)),
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      { type: OptionType.STRING, choices: [{ name: 'a', value: 1 }] },
      'choices',
      0,
      'value',
    ),
})

export const choiceInteger = rule({
  code: 'choice.value_integer',
  clause: '2.6-02',
  summary: 'The value of a choice of an INTEGER option is a whole number.',
  check: (value: unknown) => (Number.isInteger(value) ? undefined : shape.found(value)),
  message: ({ actual }: shape.Found) => `is ${actual}; choices of an INTEGER option are whole numbers`,
  wire: ({ given }: shape.Found) => notNumber(given, 'int'),
  fix: replaceValue((value) => {
    const number = numberIn(value)
    return Number.isInteger(number) ? number : undefined
  }),
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      { type: OptionType.INTEGER, choices: [{ name: 'a', value: 0.5 }] },
      'choices',
      0,
      'value',
    ),
})

export const choiceNumber = rule({
  code: 'choice.value_number',
  clause: '2.6-02',
  summary: 'The value of a choice of a NUMBER option is a finite number.',
  check: (value: unknown) => (Number.isFinite(value) ? undefined : shape.found(value)),
  message: ({ actual }: shape.Found) => `is ${actual}; choices of a NUMBER option are numbers`,
  wire: ({ given }: shape.Found) => notNumber(given, 'float'),
  fix: replaceValue(numberIn),
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      { type: OptionType.NUMBER, choices: [{ name: 'a', value: '1' }] },
      'choices',
      0,
      'value',
    ),
})

export const choiceRange = rule({
  code: 'choice.value_range',
  clause: '2.5-01',
  limit: { min: numberRange.min, max: numberRange.max },
  summary: 'The value of a choice is inside the range of its option type.',
  ...inRange,
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      pick(2) === 0
        ? { type: OptionType.INTEGER, choices: [{ name: 'a', value: integerRange.max + 1 }] }
        : { type: OptionType.NUMBER, choices: [{ name: 'a', value: -(2 ** 53) - 2 }] },
      'choices',
      0,
      'value',
    ),
})

export const choiceValueLength = rule({
  code: 'choice.value_length',
  clause: '2.6-02',
  limit: { max: CHOICE_VALUE_MAX },
  summary: `The string value of a choice has at most ${CHOICE_VALUE_MAX} characters.`,
  check: (text: string) => (fits(text, CHOICE_VALUE_MAX) ? undefined : { actual: lengthOf(text) }),
  message: ({ actual }: Count) =>
    `has ${counted(actual, 'character')}; at most ${CHOICE_VALUE_MAX} are allowed`,
  wire: maxLength(CHOICE_VALUE_MAX),
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      { type: OptionType.STRING, choices: [{ name: 'a', value: 'x'.repeat(CHOICE_VALUE_MAX + 1) }] },
      'choices',
      0,
      'value',
    ),
})

export interface Repeated {
  readonly value: string | number
  /** The index of the choice that has it already. */
  readonly first: number
}

export const choiceRepeated = warning({
  code: 'choices.repeated',
  clause: '2.4-08',
  summary: 'The choices of an option differ from one another, in name and in value.',
  check: (value: string | number, first: number, index: number) =>
    first === index ? undefined : { value, first },
  message: ({ value, first }: Repeated) =>
    `is ${typeof value === 'string' ? quoted(value) : value}, as in choice ${first + 1} of the same list`,
  breaks(body: Body, pick) {
    const { body: whole, path } = someChoice(slash(body), pick)
    const list = path.slice(0, -1)
    const value = typeof get(whole, path).value === 'string' ? 'v' : 1
    const twins = ['a', 'b'].map((name) => ({ name, value }))
    return { body: put(whole, list, twins), path: [...list, 1, 'value'] }
  },
})

export const choiceRules = [
  choiceCount,
  choiceName,
  choiceString,
  choiceInteger,
  choiceNumber,
  choiceRange,
  choiceValueLength,
  choiceRepeated,
] as const

const choiceText = textKind(choiceName, false)

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
  reading.run(choiceCount, list, 'choices')
  const choices: CommandChoice[] = []
  // One bit for each name and value so far: looking back at the choices is rarely necessary.
  let names = 0
  let values = 0
  const outside = reading.enter('choices')
  const count = Math.min(list.length, CHOICES_MAX)
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
  const text = readText(reading, name, 'name', choiceText)
  return {
    name: text as string,
    name_localizations: readLocalizations(
      reading,
      name_localizations,
      'name_localizations',
      text,
      choiceText,
    ),
    value: readValue(reading, value, range) as string | number,
  }
}

/** The known fields, to compare unknown keys with. Engines allocate no memory for a record that is never passed on. */
const known = /* @__PURE__ */ choiceFields(null, {})

/** The known fields of a choice. A switch: to ask for each by name is slower, the more shapes of bodies were seen. */
function choiceFields(reading: Reading | null, body: JsonObject): Fields<CommandChoice> {
  const fields: Fields<CommandChoice> = { name: undefined, name_localizations: undefined, value: undefined }
  for (const key in body) {
    const given = body[key] as Convertible
    const hasJson = typeof given === 'object' && given?.toJSON !== undefined
    const field: unknown = hasJson ? jsonValue(given, key) : given
    switch (key) {
      case 'name':
        fields.name = field
        break
      case 'name_localizations':
        fields.name_localizations = field
        break
      case 'value':
        fields.value = field
        break
      case 'name_localized': // part of list responses, which clients send back
        break
      default:
        if (field !== undefined) reading?.warnUnknownKey(key, known)
    }
  }
  return fields
}

function readValue(reading: Reading, value: unknown, range: Range | null | undefined): unknown {
  if (range === null && typeof value === 'string') {
    reading.units += value.length
    if (value.length > CHOICE_VALUE_MAX) reading.run(choiceValueLength, value, 'value')
    return value
  }
  if (value === undefined || value === null) {
    reading.run(shape.present, value, 'value')
    return value
  }
  if (range === undefined) return withoutNegativeZero(value)
  if (range === null) reading.run(choiceString, value, 'value')
  else if (reading.run(range.integer ? choiceInteger : choiceNumber, value, 'value'))
    reading.run(choiceRange, value as number, range, 'value')
  return withoutNegativeZero(value)
}

/** Warns if an earlier choice has the name or the value of the last one. */
function warnAboutRepeats(reading: Reading, choices: readonly CommandChoice[]): void {
  const last = choices.length - 1
  const { name, value } = choices[last]!
  if (name !== undefined) {
    const first = choices.findIndex((choice) => choice.name === name)
    reading.run(choiceRepeated, name, first, last, 'name')
  }
  if (value !== undefined) {
    const first = choices.findIndex((choice) => choice.value === value)
    reading.run(choiceRepeated, value, first, last, 'value')
  }
}

/** One of 32 bits, the same for equal values and mostly another for different ones. */
function bitOf(value: unknown): number {
  if (typeof value === 'number') return 1 << value
  return typeof value === 'string' ? 1 << (value.length + value.charCodeAt(value.length - 1)) : 0
}
