/**
 * Snowflakes: 64-bit ids whose upper 42 bits are milliseconds since 2015. They are decimal strings everywhere
 * outside this file and are computed with `bigint` inside it, so none is ever rounded (clause 2.1-01).
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
  if (!isSnowflake(id)) throw new TypeError(`id: expected a snowflake, got ${describeValue(id)}`)
  return Number(BigInt(id) >> 22n) + EPOCH
}

/** Where new ids and versions come from. */
export interface IdSource {
  /**
   * A snowflake greater than every one this source gave before.
   *
   * @param after a snowflake, perhaps of another source, that the next one is to be greater than too, as far as
   * clocks can disagree. A source that does not look at it is believed to be the only one.
   */
  next(after?: string): string
}

/**
 * The next id of a source that may be the caller's.
 *
 * @throws TypeError if the source yields anything but a snowflake
 */
export function takeId(ids: IdSource, after?: string): string {
  const id: unknown = ids.next(after)
  if (isSnowflake(id)) return id
  throw new TypeError(`ids: expected next() to return a snowflake, got ${describeValue(id)}`)
}

/**
 * Ids that grow and never repeat within a process, whatever the clock does: when it stands still or goes back,
 * the last millisecond is counted on. Sources of different workers never give the same, even when they follow each
 * other's.
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
const MOST_AHEAD = 600_000

/** @param first where the count of each millisecond begins */
function countingFrom(first: number, clock: Clock, worker: number): IdSource {
  let time = 0
  let sequence = first
  const id = () => String((BigInt(time) << 22n) | BigInt((worker << 12) | sequence))
  return {
    next(after) {
      const now = Math.floor(clock.now()) - EPOCH
      if (now > time) {
        time = now
        sequence = first
      } else if (++sequence === SEQUENCES) {
        time++
        sequence = first
      }
      const next = id()
      if (after === undefined || compareSnowflakes(next, after) > 0) return next
      // Counting on from the other's would run into what its worker gives next: its next millisecond is free for ours.
      const ahead = snowflakeTime(after) - EPOCH + 1
      if (ahead - now > MOST_AHEAD) return next
      time = ahead
      sequence = first
      return id()
    },
  }
}

/**
 * The source of everybody who brings none: one for the whole process, by the system's clock, with a worker number
 * and a place to count from drawn at random, so that processes which were told nothing of each other hardly ever
 * agree.
 */
export const processIds: IdSource = /* @__PURE__ */ countingFrom(
  /* @__PURE__ */ drawn(SEQUENCES / 2),
  systemClock,
  /* @__PURE__ */ drawn(1024),
)

function drawn(count: number): number {
  return Math.floor(Math.random() * count)
}

const sources = new WeakMap<Clock, IdSource>()

/** The source of everybody who brings the same clock and no source: those who share a clock may share a store. */
export function clockIds(clock: Clock): IdSource {
  let source = sources.get(clock)
  if (source === undefined) sources.set(clock, (source = snowflakes({ clock })))
  return source
}

export interface SnowflakeOptions {
  readonly clock?: Clock
  readonly worker?: number
}

/**
 * The version that follows another: the proposed one when it is greater, else one more than the other. So a
 * version grows even when a source does not look at what it is to follow (clause 9-02).
 *
 * @throws TypeError after the largest snowflake
 */
export function laterSnowflake(proposed: string, previous: string): string {
  if (compareSnowflakes(proposed, previous) > 0) return proposed
  if (previous === LARGEST_SNOWFLAKE) throw new TypeError(`ids: there is no id after ${previous}`)
  return String(BigInt(previous) + 1n)
}
