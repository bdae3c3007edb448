/** One choice, and the list of them (clauses 2.4-08, 2.6-01, 2.6-02). */
import { withoutNegativeZero } from '../core/json.ts'
import { rule, warning } from '../core/rule.ts'
import { counted, countCharacters, fits, quoted } from '../core/text.ts'
import { badLength, maxLength, notNumber, numberMax, numberMin } from '../core/wire.ts'
import { broken, get, put, several, slash, someChoice, withOption, type Body } from './breaking.ts'
import type { CommandChoice } from './definition.ts'
import { integerRange, numberRange, OptionType, type Range } from './kinds.ts'
import { checkText, readLocalizations, textSort } from './localized.ts'
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
  summary: `An option offers at most ${CHOICES_MAX} choices.`,
  check: (count: number) => count <= CHOICES_MAX,
  message: ({ actual }: Count) => `has ${counted(actual, 'choice')}; at most ${CHOICES_MAX} are allowed`,
  wire: maxLength(CHOICES_MAX),
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
  check: (text: string) => text.length >= CHOICE_NAME_MIN && fits(text, CHOICE_NAME_MAX),
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
  check: (value: unknown) => typeof value === 'string',
  message: ({ actual }: shape.Found) => `is ${actual}; choices of a STRING option have string values`,
  wire: ({ actual }: shape.Found) => ({
    code: 'STRING_TYPE_CONVERT',
    message: `Could not convert ${actual} to string.`,
  }),
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
  check: (value: unknown) => Number.isInteger(value),
  message: ({ actual }: shape.Found) => `is ${actual}; choices of an INTEGER option are whole numbers`,
  wire: ({ given }: shape.Found) => notNumber(given, 'int'),
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
  check: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  message: ({ actual }: shape.Found) => `is ${actual}; choices of a NUMBER option are numbers`,
  wire: ({ given }: shape.Found) => notNumber(given, 'float'),
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

export interface OutOfRange {
  readonly value: number
  readonly min: number
  readonly max: number
  readonly integer: boolean
}

/** What a number outside a type's range is told, of choices and of bounds alike. */
export const outOfRange = {
  message: ({ value, min, max }: OutOfRange): string => `is ${value}; the type takes ${min} to ${max}`,
  wire: ({ value, min, max, integer }: OutOfRange) =>
    value > max ? numberMax(integer ? 'int' : 'float', max) : numberMin(integer ? 'int' : 'float', min),
}

export const choiceRange = rule({
  code: 'choice.value_range',
  clause: '2.5-01',
  limit: { min: numberRange.min, max: numberRange.max },
  summary: 'The value of a choice is inside the range of its option type.',
  check: (value: number, range: Range) => value >= range.min && value <= range.max,
  ...outOfRange,
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      pick(2) === 0
        ? { type: OptionType.INTEGER, choices: [{ name: 'a', value: integerRange.max + 1 }] }
        : { type: OptionType.NUMBER, choices: [{ name: 'a', value: -1e300 }] },
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
  check: (text: string) => fits(text, CHOICE_VALUE_MAX),
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
  check: (first: number, index: number) => first === index,
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

const sort = textSort(choiceName, false)
const known: ReadonlySet<string> = new Set(['name', 'name_localizations', 'value'])

/**
 * Reads the choices of an option. More than the limit are counted, not read.
 *
 * @param range the numbers the option's type takes, null for strings, undefined when the type could not be read
 */
export function readChoices(
  reading: Reading,
  values: readonly unknown[],
  range: Range | null | undefined,
): readonly CommandChoice[] {
  const { path, depth } = reading
  const count = Math.min(values.length, CHOICES_MAX)
  if (!choiceCount.check(values.length)) reading.add(choiceCount, { actual: values.length }, 'choices')
  const choices: CommandChoice[] = []
  path[depth] = 'choices'
  reading.depth = depth + 2
  for (let i = 0; i < count; i++) {
    path[depth + 1] = i
    choices.push(readChoice(reading, values[i], range))
  }
  warnOfRepeats(reading, choices)
  reading.depth = depth
  return choices
}

function readChoice(reading: Reading, body: unknown, range: Range | null | undefined): CommandChoice {
  let name: unknown
  let name_localizations: unknown
  let value: unknown
  if (!shape.object.check(body)) {
    reading.add(shape.object, shape.found(body))
    return unread
  }
  const fields = body as Record<string, unknown>
  for (const key in fields) {
    const field = fields[key]
    switch (key) {
      case 'name':
        name = field
        break
      case 'name_localizations':
        name_localizations = field
        break
      case 'value':
        value = field
        break
      case 'name_localized':
        break // What a list answers; clients send it back.
      default:
        if (field !== undefined) reading.unknown(known, key)
    }
  }
  if (typeof name === 'string') checkText(reading, name, sort, 'name')
  else if (reading.is(shape.present, name, 'name')) reading.is(shape.string, name, 'name')
  const localizations = readLocalizations(
    reading,
    name_localizations,
    'name_localizations',
    textOf(name),
    sort,
  )
  if (reading.is(shape.present, value, 'value') && range !== undefined) checkValue(reading, value, range)
  return {
    name: name as string,
    name_localizations: localizations,
    value: withoutNegativeZero(value as string | number),
  }
}

const unread = {} as CommandChoice

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function checkValue(reading: Reading, value: unknown, range: Range | null): void {
  if (range === null) {
    if (!choiceString.check(value)) return reading.add(choiceString, shape.found(value), 'value')
    const text = value as string
    reading.units += text.length
    if (!choiceValueLength.check(text))
      reading.add(choiceValueLength, { actual: countCharacters(text) }, 'value')
    return
  }
  const form = range.integer ? choiceInteger : choiceNumber
  if (!form.check(value)) return reading.add(form, shape.found(value), 'value')
  const number = value as number
  if (!choiceRange.check(number, range)) reading.add(choiceRange, { value: number, ...range }, 'value')
}

/** Lists are short: to look back at the earlier choices, where one might be the same, costs less than any table. */
function warnOfRepeats(reading: Reading, choices: readonly CommandChoice[]): void {
  let names = 0
  let values = 0
  for (let i = 0; i < choices.length; i++) {
    const { name, value } = choices[i]!
    const nameBit = bitOf(name)
    const valueBit = bitOf(value)
    const perhaps = (names & nameBit) !== 0 || (values & valueBit) !== 0
    names |= nameBit
    values |= valueBit
    if (!perhaps) continue
    let sameName = i
    let sameValue = i
    for (let j = i - 1; j >= 0; j--) {
      const earlier = choices[j]!
      if (earlier.name === name) sameName = j
      if (earlier.value === value) sameValue = j
    }
    if (sameName === i && sameValue === i) continue
    reading.path[reading.depth - 1] = i
    if (name !== undefined && !choiceRepeated.check(sameName, i)) {
      reading.add(choiceRepeated, { value: name, first: sameName }, 'name')
    }
    if (value !== undefined && !choiceRepeated.check(sameValue, i)) {
      reading.add(choiceRepeated, { value, first: sameValue }, 'value')
    }
  }
}

/** One of 32 bits, the same for what is equal and mostly another for what is not. */
function bitOf(value: unknown): number {
  if (typeof value === 'number') return 1 << value
  return typeof value === 'string' ? 1 << (value.length + value.charCodeAt(value.length - 1)) : 0
}
