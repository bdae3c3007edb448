import { describeValue } from '../core/text.ts'
import { parseUrl } from './redirect.ts'

/**
 * An unsigned 64-bit id as an input: a `bigint`, its decimal digits, or a number small enough to be exact. As an
 * output it is always a `bigint`.
 */
export type ApplicationId = bigint | string | number

const LARGEST = 0xffff_ffff_ffff_ffffn
const DIGITS = /^(?:0|[1-9][0-9]{0,19})$/

/**
 * Reads an id without rounding it.
 *
 * @throws TypeError when it is not an integer from 0 to 2^64 - 1, has leading zeros, or is a number above 2^53 - 1,
 * which is already rounded
 */
export function readApplicationId(label: string, value: ApplicationId): bigint {
  const id = exact(value)
  if (id !== undefined && id >= 0n && id <= LARGEST) return id
  const actual = typeof value === 'bigint' ? `${value}n` : describeValue(value)
  throw new TypeError(
    `${label}: expected a bigint from 0n to ${LARGEST}n, its digits, or a number up to 2^53 - 1, got ${actual}`,
  )
}

function exact(value: ApplicationId): bigint | undefined {
  if (typeof value === 'bigint') return value
  const isExact = typeof value === 'string' ? DIGITS.test(value) : Number.isSafeInteger(value)
  return isExact ? BigInt(value) : undefined
}

/** @throws TypeError when it is not a string */
export function readString(label: string, value: string): string {
  if (typeof value === 'string') return value
  throw new TypeError(`${label}: expected a string, got ${describeValue(value)}`)
}

/** @throws TypeError when it is not an absolute URL */
export function readUrl(label: string, value: string): string {
  if (parseUrl(value) !== undefined) return value
  throw new TypeError(`${label}: expected an absolute URL, got ${describeValue(value)}`)
}

/**
 * Reads an installation: 0 in a guild, 1 for the user; `undefined` and `null` are unset.
 *
 * @throws TypeError when it is anything else
 */
export function readIntegrationType(label: string, value: 0 | 1 | null | undefined): 0 | 1 | undefined {
  if (value === undefined || value === null) return undefined
  if (value === 0 || value === 1) return value
  throw new TypeError(
    `${label}: expected 0 for a guild install or 1 for a user install, got ${describeValue(value)}`,
  )
}
