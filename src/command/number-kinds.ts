/** Kinds of rules about numbers: of an enumeration, by themselves and in a list, and in a range. */
import { removeValue, replaceValue } from '../core/fixes.ts'
import { form, type Found } from '../core/form.ts'
import { rule, type WireError } from '../core/rule.ts'
import { given, listed, type Given } from '../core/text.ts'
import { numberMax, numberMin, oneOfNumbers, unique } from '../core/wire.ts'
import { namedNumbers, typeAdvice, typeNamed, type Range } from './types.ts'

/** A value is one of an enumeration of numbers. */
export function memberOf(
  members: Readonly<Record<string, number>>,
  advice = `expected ${listed(namedNumbers(members), 'or')}`,
) {
  const values = Object.values(members)
  return { ...form((value) => values.includes(value), advice), wire: oneOfNumbers(values) }
}

/** A value is the number of a type; the message and the fix know the names of the types. */
export function typeIn(types: Readonly<Record<string, number>>) {
  return {
    ...memberOf(types),
    message: ({ actual, given }: Found) => `is ${actual}; ${typeAdvice(types, given)}`,
    fix: replaceValue((type) => typeNamed(types, type)),
  }
}

/** The items of a list differ from one another. */
export const distinctItems = {
  check: (list: readonly unknown[], index: number) =>
    list.indexOf(list[index]) === index ? undefined : { value: given(list[index]) },
  message: ({ value }: { value: Given }) => `is ${String(value)} a second time`,
  fix: removeValue,
  wire: unique,
}

/** The rules of a list of enumerated numbers: every item is one of them, and is given once. */
export function numbersIn<const Field extends string>(
  members: Readonly<Record<string, number>>,
  { field, clause, items = `The entries of \`${field}\``, form, advice }: NumberList<Field>,
) {
  return {
    known: rule({
      code: `${field}.known` as const,
      clause,
      summary: `${items} are ${form ?? listed(namedNumbers(members))}.`,
      ...memberOf(members, advice),
    }),
    repeated: rule({
      code: `${field}.repeated` as const,
      clause,
      summary: `${items} differ from one another.`,
      ...distinctItems,
    }),
  }
}

interface NumberList<Field> {
  readonly field: Field
  readonly clause: string
  /** The items and what they are, in words, for the summaries. */
  readonly items?: string
  readonly form?: string
  /** For the message; see `memberOf`. */
  readonly advice?: string
}

export interface OutOfRange extends Range {
  readonly value: number
}

/** A number is inside the range of its type: of choices, and of bounds. */
export const inRange = {
  check: (value: number, range: Range): OutOfRange | undefined =>
    value >= range.min && value <= range.max ? undefined : { value, ...range },
  message: ({ value, min, max }: OutOfRange) => `is ${value}; expected a number from ${min} to ${max}`,
  wire: ({ value, min, max, integer }: OutOfRange): WireError => {
    const type = integer ? 'int' : 'float'
    return value > max ? numberMax(type, max) : numberMin(type, min)
  },
}
