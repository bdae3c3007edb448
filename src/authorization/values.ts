import { describeValue } from '../core/text.ts'

/**
 * An unsigned 64-bit id as an input: a `bigint`, its decimal digits, or a number small enough to be exact. As an
 * output it is always a `bigint`.
 */
export type ApplicationId = bigint | string | number

const LARGEST = 2n ** 64n - 1n

/**
 * The value itself.
 *
 * @throws TypeError `label: expected …, got …` when it is invalid
 */
export function checked<Value>(label: string, value: Value, isValid: boolean, expected: string): Value {
  if (isValid) return value
  const got = typeof value === 'bigint' ? `${value}n` : describeValue(value)
  throw new TypeError(`${label}: expected ${expected}, got ${got}`)
}

/** Whether a value is a `bigint`, or its decimal digits, from 0 to 2^64 - 1. */
export function isUnsigned64(value: unknown): value is bigint | string {
  const isExact =
    typeof value === 'bigint' || (typeof value === 'string' && /^(?:0|[1-9]\d{0,19})$/.test(value))
  return isExact && BigInt(value) >= 0n && BigInt(value) <= LARGEST
}

/**
 * Reads an id without rounding it.
 *
 * @throws TypeError when it is not an integer from 0 to 2^64 - 1, has leading zeros, or is a number above 2^53 - 1,
 * which is already rounded
 */
export function readApplicationId(label: string, value: ApplicationId): bigint {
  const isExactNumber = Number.isSafeInteger(value) && Number(value) >= 0
  const expected = `a bigint from 0n to ${LARGEST}n, its digits, or a number up to 2^53 - 1`
  return BigInt(checked(label, value, isUnsigned64(value) || isExactNumber, expected))
}

export function readString(label: string, value: string): string {
  return checked(label, value, typeof value === 'string', 'a string')
}

export function readUrl(label: string, value: string): string {
  return checked(label, value, URL.canParse(value), 'an absolute URL')
}

/** Reads an installation: 0 in a guild, 1 for the user; `undefined` and `null` are unset. */
export function readIntegrationType(label: string, value: 0 | 1 | null | undefined): 0 | 1 | undefined {
  if (value === undefined || value === null) return undefined
  return checked(label, value, value === 0 || value === 1, '0 for a guild install or 1 for a user install')
}
