/**
 * Snowflakes: 64-bit ids whose upper 42 bits are milliseconds since 2015. They are decimal strings outside this file
 * and `bigint` inside it, so none is ever rounded (clause 2.1-01).
 */
import { systemClock, type Clock } from './clock.ts'
import { describeValue } from './text.ts'

const EPOCH = 1_420_070_400_000
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

/** A source of ids and versions. */
export interface IdSource {
  /**
   * A snowflake greater than all earlier ones of this source.
   *
   * @param after a snowflake, perhaps of another source. The next one is greater, unless the clocks differ too
   * much. Sources that ignore `after` must be the only one.
   */
  next(after?: string): string
}

/** The next id of a source that may be the caller's. Throws a TypeError if it is not a snowflake. */
export function takeId(ids: IdSource, after?: string): string {
  const id: unknown = ids.next(after)
  if (isSnowflake(id)) return id
  throw new TypeError(`ids: expected next() to return a snowflake, got ${describeValue(id)}`)
}

/**
 * A source of increasing ids that never repeat within a process. When the clock stands still or goes back, it continues
 * from the last millisecond. Sources of different workers never yield the same id, even when each follows the ids of
 * others.
 *
 * @param worker 0 to 1023. Sources that run at the same time in several processes need different numbers.
 * @throws TypeError when `worker` is out of range.
 */
export function snowflakes({ clock = systemClock, worker = 0 }: SnowflakeOptions = {}): IdSource {
  if (!Number.isInteger(worker) || worker < 0 || worker > 1023) {
    throw new TypeError(`worker: expected an integer from 0 to 1023, got ${String(worker)}`)
  }
  return countingFrom(0, clock, worker)
}

const SEQUENCES = 4096

/** Clocks disagree by less. What is later still was made by a wrong one, and is not followed into its time. */
const MAX_CLOCK_SKEW = 600_000

/** @param first the first count of each millisecond */
function countingFrom(first: number, clock: Clock, worker: number): IdSource {
  let time = 0
  let sequence = first
  let timeBits = 0n
  const begin = (millisecond: number) => {
    time = millisecond
    timeBits = BigInt(time) << 22n
    sequence = first
  }
  const id = () => String(timeBits | BigInt((worker << 12) | sequence))
  return {
    next(after) {
      const now = Math.floor(clock.now()) - EPOCH
      if (now > time) begin(now)
      else if (++sequence === SEQUENCES) begin(time + 1)
      const next = id()
      if (after === undefined || compareSnowflakes(next, after) > 0) return next
      // The next count of the same millisecond may belong to the other worker; the next millisecond is free.
      const ahead = snowflakeTime(after) - EPOCH + 1
      if (ahead - now > MAX_CLOCK_SKEW) return next
      begin(ahead)
      return id()
    },
  }
}

/** The source of the process. Its worker and first count are random, so that ids of processes almost never collide. */
export const processIds: IdSource = /* @__PURE__ */ countingAtRandom()

function countingAtRandom(): IdSource {
  const drawn = (count: number) => Math.floor(Math.random() * count)
  return countingFrom(drawn(SEQUENCES / 2), systemClock, drawn(1024))
}

const sources = new WeakMap<Clock, IdSource>()

/** The default source for a clock of the caller. Registries with the same clock share it, because they may share a store. */
export function clockIds(clock: Clock): IdSource {
  let source = sources.get(clock)
  if (source === undefined) sources.set(clock, (source = snowflakes({ clock })))
  return source
}

/** The options of `snowflakes`. */
export interface SnowflakeOptions {
  /** The time of the ids. Default: the system's clock. */
  readonly clock?: Clock
  /** A number that no other source at the same time has. Default 0. */
  readonly worker?: number
}

/** The version after another: the proposed one if it is greater, otherwise the other plus one (clause 9-02). */
export function laterSnowflake(proposed: string, previous: string): string {
  if (compareSnowflakes(proposed, previous) > 0) return proposed
  if (previous === LARGEST_SNOWFLAKE) throw new TypeError(`ids: there is no id after ${previous}`)
  return String(BigInt(previous) + 1n)
}
