import { described } from '../core/text.ts'

/**
 * An unsigned 64-bit id as it may be given: a `bigint`, its decimal digits, or a number small enough to be
 * exact. It is always handed out as a `bigint`.
 */
export type ApplicationId = bigint | string | number

const LARGEST = 0xffff_ffff_ffff_ffffn
const DIGITS = /^(?:0|[1-9][0-9]{0,19})$/

/**
 * Reads an id without rounding it.
 *
 * @throws TypeError when it is not a whole number from 0 to 2^64 - 1, has leading zeros, or is a number
 * beyond 2^53 - 1: such a number was rounded before it came here.
 */
export function readApplicationId(label: string, value: ApplicationId): bigint {
  const id = exact(value)
  if (id !== undefined && id >= 0n && id <= LARGEST) return id
  const actual = typeof value === 'bigint' ? `${value}n` : described(value)
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
export function readText(label: string, value: string): string {
  if (typeof value === 'string') return value
  throw new TypeError(`${label}: expected a string, got ${described(value)}`)
}
