/** The source of ids that callers make, with options that are checked. */
import { systemClock, type Clock } from '../core/clock.ts'
import { aClock, argument, optionsOf } from '../core/rules/arguments.ts'
import { optional } from '../core/rules/readers.ts'
import { countingFrom, type IdSource } from './id-source.ts'

/** The options of `snowflakes`. */
export interface SnowflakeOptions {
  /** The time of the ids. Default: the system's clock. */
  readonly clock?: Clock
  /** A number that no other source at the same time has. Default 0. */
  readonly worker?: number
}

const checkedOptions = /* @__PURE__ */ optionsOf<SnowflakeOptions>('snowflakes', {
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
  const { clock = systemClock, worker = 0 } = checkedOptions(options)
  return countingFrom(0, clock, worker)
}
