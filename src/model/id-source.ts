/** Sources of ids: snowflakes of the current time, each greater than the one before. */
import { systemClock, type Clock } from '../core/clock.ts'
import { aClock, argument, optionsOf } from '../core/rules/arguments.ts'
import { optional } from '../core/rules/readers.ts'
import { compareSnowflakes, EPOCH, isSnowflake, snowflakeTime } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'

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

/** The options of `snowflakes`. */
export interface SnowflakeOptions {
  /** The time of the ids. Default: the system's clock. */
  readonly clock?: Clock
  /** A number that no other source at the same time has. Default 0. */
  readonly worker?: number
}

const readOptions = /* @__PURE__ */ optionsOf<SnowflakeOptions>('snowflakes', {
  clock: optional(aClock),
  worker: optional(
    argument<number>(
      'an integer from 0 to 1023',
      (value) => Number.isInteger(value) && value >= 0 && value <= 1023,
    ),
  ),
})

/**
 * A source of increasing ids that never repeat within a process. When the clock stands still or goes back, it continues
 * from the last millisecond. Sources of different workers never yield the same id, even when each follows the ids of
 * others.
 *
 * @param worker 0 to 1023. Sources that run at the same time in several processes need different numbers.
 * @throws TypeError for an unknown option or an invalid value
 */
export function snowflakes(options: SnowflakeOptions = {}): IdSource {
  const { clock = systemClock, worker = 0 } = readOptions(options)
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
