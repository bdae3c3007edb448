/** Rules about the length of a text or a list: what they share, to spread into a record. */
import { counted, fits, lengthOf } from './text.ts'
import { badLength, maxLength } from './wire.ts'

/** The number of items or characters. */
export interface Actual {
  readonly actual: number
}

/** How many of something are allowed: `at most 5`, `1 to 5`. */
export function allowed(max: number, min: number): string {
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}

function between(min: number, max: number) {
  return {
    limit: min === 0 ? { max } : { min, max },
    wire: min === 0 ? maxLength(max) : badLength(min, max),
  }
}

/**
 * A text has a number of characters.
 *
 * @param remedy follows "is empty; ", if `min` is above 0
 */
export function textLength(max: number, min = 0, remedy = '') {
  return {
    ...between(min, max),
    about: 'text' as const,
    check: (text: string): Actual | undefined =>
      text.length >= min && fits(text, max) ? undefined : { actual: lengthOf(text) },
    message: ({ actual }: Actual) =>
      actual < min
        ? `is empty; ${remedy}`
        : `has ${counted(actual, 'character')}; at most ${max} are allowed`,
  }
}

/**
 * A list has a number of items.
 *
 * @param items the items in words, in the plural
 */
export function listLength(items: string, max: number, min = 0, advice = '') {
  return {
    ...between(min, max),
    check: ({ length }: readonly unknown[]): Actual | undefined =>
      length >= min && length <= max ? undefined : { actual: length },
    message: ({ actual }: Actual) => `has ${actual} ${items}; ${allowed(max, min)} are allowed${advice}`,
  }
}
