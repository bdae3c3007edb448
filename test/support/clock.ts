import type { Clock } from 'commandry'

/** A clock that stands still until it is advanced; unlike `testClock` it can also go back. */
export function handClock(start = Date.UTC(2026, 0, 1, 12)): Clock & { advance(milliseconds: number): void } {
  let time = start
  return {
    now: () => time,
    advance(milliseconds) {
      time += milliseconds
    },
  }
}

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
