/**
 * Snowflakes: 64-bit ids whose upper 42 bits are milliseconds since 2015. They are decimal strings everywhere
 * outside this file and are computed with `bigint` inside it, so none is ever rounded (clause 2.1-01).
 */
import { systemClock, type Clock } from './clock.ts'
import { described } from './text.ts'

const EPOCH = 1_420_070_400_000
/** 2^63 - 1. */
export const LARGEST_SNOWFLAKE = '9223372036854775807'
const SHAPE = /^(?:0|[1-9][0-9]{0,18})$/

/** True for a decimal string from 0 to 2^63 - 1 without leading zeros. */
export function isSnowflake(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= LARGEST_SNOWFLAKE.length &&
    SHAPE.test(value) &&
    (value.length < LARGEST_SNOWFLAKE.length || value <= LARGEST_SNOWFLAKE)
  )
}

/** Numeric order of two snowflakes: negative, zero or positive. */
export function compareSnowflakes(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The moment a snowflake was made, in milliseconds since 1970.
 *
 * @throws TypeError when it is no snowflake
 */
export function snowflakeTime(id: string): number {
  if (!isSnowflake(id)) throw new TypeError(`id: expected a snowflake, got ${described(id)}`)
  return Number(BigInt(id) >> 22n) + EPOCH
}

/** Where new ids and versions come from. */
export interface IdSource {
  /** A snowflake greater than every one this source gave before. */
  next(): string
}

/**
 * Ids that grow and never repeat within a process, whatever the clock does: when it stands still or goes back,
 * the last millisecond is counted on.
 *
 * @param worker 0 to 1023. Sources that run at the same time in several processes need different numbers.
 * @throws TypeError when `worker` is out of range.
 */
export function snowflakes({ clock = systemClock, worker = 0 }: SnowflakeOptions = {}): IdSource {
  if (!Number.isInteger(worker) || worker < 0 || worker > 1023) {
    throw new TypeError(`worker: expected an integer from 0 to 1023, got ${String(worker)}`)
  }
  let time = 0
  let sequence = 0
  return {
    next() {
      const now = Math.floor(clock.now()) - EPOCH
      if (now > time) {
        time = now
        sequence = 0
      } else if (++sequence === 4096) {
        time++
        sequence = 0
      }
      return String((BigInt(time) << 22n) | BigInt((worker << 12) | sequence))
    },
  }
}

/**
 * The source of everybody who brings none: one for the whole process, by the system's clock, with a worker number
 * drawn at random, so that processes which were told nothing of each other hardly ever agree.
 */
export const processIds: IdSource = /* @__PURE__ */ snowflakes({ worker: Math.floor(Math.random() * 1024) })

export interface SnowflakeOptions {
  readonly clock?: Clock
  readonly worker?: number
}

/**
 * The version that follows another: the proposed one when it is greater, else one more than the other. So a
 * version grows even when its writers' clocks disagree (clause 9-02).
 */
export function laterSnowflake(proposed: string, previous: string): string {
  return compareSnowflakes(proposed, previous) > 0 ? proposed : String(BigInt(previous) + 1n)
}
