import { describeValue } from '../../core/text.ts'
import type { Clock } from '../../core/clock.ts'

/** A clock that moves only when a test advances it. */
export interface TestClock extends Clock {
  /**
   * Moves the clock forward.
   *
   * @param duration milliseconds, or a whole number with a unit: `'500ms'`, `'3s'`, `'15m'`, `'24h'`, `'7d'`
   * @throws TypeError when it is not a duration
   */
  advance(duration: number | string): void
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A clock for the `clock` option of registries and chat clients.
 *
 * @param start the initial time; default 2026-01-01T00:00:00Z
 * @example
 * const clock = testClock()
 * const registry = new CommandRegistry({ clock })
 * clock.advance('24h') // a new day: the daily creates are reset
 */
export function testClock(start: Date | number = Date.UTC(2026, 0, 1)): TestClock {
  let time = typeof start === 'number' || start instanceof Date ? Number(start) : NaN
  if (!Number.isFinite(time)) throw new TypeError('start: expected a date or milliseconds since 1970')
  return {
    now: () => time,
    advance(duration) {
      time += milliseconds(duration)
    },
  }
}

/**
 * The milliseconds of a duration, such as `'15m'`.
 *
 * @throws TypeError when it is not a duration
 */
export function milliseconds(duration: number | string): number {
  const time = millisecondsIn(duration)
  if (time !== undefined) return time
  throw new TypeError(
    `duration: expected milliseconds, or a whole number with ms, s, m, h or d, such as "15m", got ${describeValue(duration)}`,
  )
}

/** The milliseconds of a duration; undefined for anything else. */
export function millisecondsIn(duration: unknown): number | undefined {
  const text = typeof duration === 'string' ? duration : ''
  const [, count, unit] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) ?? []
  const time = typeof duration === 'number' ? duration : Number(count) * (units[unit ?? ''] ?? NaN)
  return Number.isFinite(time) && time >= 0 ? time : undefined
}

/** The text of a duration as `milliseconds` reads it, in the largest unit that fits. */
export function durationText(milliseconds: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
  ] as const
  const [unit, size] = units.find(([, one]) => milliseconds % one === 0) ?? (['ms', 1] as const)
  return `${milliseconds / size}${unit}`
}
