/** A source of the current time. Tests can pass a clock that they control. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

const DAY = 86_400_000

/** The UTC day of a time, such as `2026-11-21`. Creates are counted per day (clause 8-02). */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

export function secondsToNextDay(time: number): number {
  return (DAY - (((time % DAY) + DAY) % DAY)) / 1000
}

/** The longest time of a timer, in milliseconds. Timers fire at once for a longer time. */
export const MAX_TIMER_DELAY = 2 ** 31 - 1
