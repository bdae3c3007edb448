/** Sources of ids: snowflakes of the current time, each greater than the one before. The only file that makes ids. */
import { systemClock, type Clock } from '../core/clock.ts'
import { chanceBelow } from '../core/random.ts'
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

const SEQUENCES = 4096

/** Clocks disagree by less. What is later still was made by a wrong one, and is not followed into its time. */
const MAX_CLOCK_SKEW = 600_000

/**
 * A source that continues from the last millisecond when the clock stands still or goes back.
 *
 * @param first the first count of each millisecond
 */
export function countingFrom(first: number, clock: Clock, worker: number): IdSource {
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

const WORKERS = 1024

/** The worker of sources whose run can be repeated; those of the process have all others. */
const REPEATABLE = 0

/** The sources by their clocks. Everything that makes ids by one clock shares one, so they are unique among all of it. */
interface Sources {
  readonly ofProcess: WeakMap<Clock, IdSource>
  readonly repeatable: WeakMap<Clock, IdSource>
  /** The worker of the next source of the process. The first one is random, and no two sources have the same. */
  worker: number
}

const sources: Sources = /* @__PURE__ */ newSources()

function newSources(): Sources {
  return { ofProcess: new WeakMap(), repeatable: new WeakMap(), worker: chanceBelow(WORKERS) }
}

/**
 * The source of this process for a clock. Its worker and first count are random, so that its ids almost never are those
 * of another process, or of this one before a restart.
 */
export function processIds(clock: Clock = systemClock): IdSource {
  return sourceOf(sources.ofProcess, clock, () => {
    sources.worker = (sources.worker + 1) % WORKERS || REPEATABLE + 1
    return countingFrom(chanceBelow(SEQUENCES / 2), clock, sources.worker)
  })
}

/** The default source: with a clock of the caller, ids come only from it, so that a run can be repeated exactly. */
export function idsBy(clock: Clock | undefined): IdSource {
  if (clock === undefined) return processIds()
  return sourceOf(sources.repeatable, clock, () => countingFrom(0, clock, REPEATABLE))
}

function sourceOf(known: WeakMap<Clock, IdSource>, clock: Clock, make: () => IdSource): IdSource {
  let source = known.get(clock)
  if (source === undefined) known.set(clock, (source = make()))
  return source
}
