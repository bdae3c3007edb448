/** The owner of waiting in tests: what they wait for, how long at most, and what takes time on purpose. */
import { realTimers } from '../../src/core/timers.ts'
import { LIMIT } from './limits.mjs'

/** Resolves in the next turn of the event loop. "Nothing came" is a number of turns, not of milliseconds. */
export const turn = realTimers.turn

/** Resolves after milliseconds: for what is slow on purpose. test/house/waiting.test.ts lists who may call it. */
export const passed = realTimers.sleep

export interface UntilOptions {
  /** What does not hold when the time is over. Default: the condition. */
  readonly otherwise?: string
  /** Milliseconds between two tries. Default 5. */
  readonly every?: number
}

/**
 * Tries a condition until it holds, and returns its value. One that throws does not hold yet.
 *
 * @throws Error when it does not hold within the limit; its cause is the last error of the condition
 */
export async function until<T>(
  condition: () => T,
  { otherwise = String(condition), every = 5 }: UntilOptions = {},
): Promise<Exclude<Awaited<T>, false | null | undefined>> {
  const end = realTimers.now() + LIMIT
  for (;;) {
    let cause: unknown
    try {
      const value = await condition()
      if (value !== false && value !== null && value !== undefined)
        return value as Exclude<Awaited<T>, false | null | undefined>
    } catch (error) {
      cause = error
    }
    if (realTimers.now() > end) throw new Error(`not within ${LIMIT / 1_000} s: ${otherwise}`, { cause })
    await passed(every)
  }
}
