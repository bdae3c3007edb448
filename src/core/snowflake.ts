/**
 * Snowflakes: 64-bit ids whose upper 42 bits are milliseconds since 2015. They are decimal strings outside this file
 * and `bigint` inside it, so none is ever rounded (clause 2.1-01).
 */
import { describeValue } from './text.ts'

/** The first millisecond of 2015. */
export const EPOCH = 1_420_070_400_000
/** 2^63 - 1. */
export const LARGEST_SNOWFLAKE = '9223372036854775807'
const SHAPE = /^(?:0|[1-9][0-9]{0,18})$/

/** True for a decimal string from 0 to 2^63 - 1 without leading zeros. */
export function isSnowflake(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    SHAPE.test(value) &&
    (value.length < LARGEST_SNOWFLAKE.length || value <= LARGEST_SNOWFLAKE)
  )
}

/** The value; a TypeError that names `label` for anything but a snowflake. */
export function checkSnowflake(value: unknown, label: string): string {
  if (isSnowflake(value)) return value
  throw new TypeError(`${label}: expected a snowflake such as "1029384756", got ${describeValue(value)}`)
}

/** Numeric order of two snowflakes: negative, zero or positive. */
export function compareSnowflakes(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The time of creation of a snowflake, in milliseconds since 1970.
 *
 * @throws TypeError if it is not a snowflake
 */
export function snowflakeTime(id: string): number {
  if (!isSnowflake(id)) throw new TypeError(`id: expected a snowflake, got ${describeValue(id)}`)
  return Number(BigInt(id) >> 22n) + EPOCH
}

/** The version after another: the proposed one if it is greater, otherwise the other plus one (clause 9-02). */
export function laterSnowflake(proposed: string, previous: string): string {
  if (compareSnowflakes(proposed, previous) > 0) return proposed
  if (previous === LARGEST_SNOWFLAKE) throw new TypeError(`ids: there is no id after ${previous}`)
  return String(BigInt(previous) + 1n)
}
