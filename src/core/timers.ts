/**
 * Timers that the fake timers of a test runner do not stop: this file takes them when it is loaded. It is the only one
 * that does, so that a file waits either in real time or in the time of bots.
 */
import type { Clock } from './clock.ts'

/** The clock of bots and of the service, which a test moves. */
export interface MovingClock extends Clock {
  /** Whether timers and dates of a bot follow it. */
  readonly movesBots: boolean
  /**
   * Moves time. Due timers of bots run in order, and what they cause is done before time moves on.
   *
   * @param onStep called after each step, when `now` has changed
   */
  advance(milliseconds: number, onStep?: () => void): Promise<void>
  /**
   * Waits until what bots of other processes have under way is done, at most milliseconds of real time. Absent: unknown.
   *
   * @returns what is not done, in words
   */
  rest?(milliseconds: number): Promise<readonly string[]>
}

/** What `commandry/clock` leaves for the rest of the library, which may be loaded from another build. */
export interface LoadedClock extends MovingClock {
  readonly real: Functions
  /** The timers of the bot that are about to fire. @returns those of them that have not yet, in words */
  shortTimers(): () => readonly string[]
}

interface Functions {
  readonly setTimeout: typeof setTimeout
  readonly clearTimeout: typeof clearTimeout
  readonly setImmediate: (task: () => void) => unknown
  readonly performanceNow: () => number
}

/** The clock of `commandry/clock`; undefined when it was not loaded before. */
export function loadedClock(): LoadedClock | undefined {
  return (globalThis as { readonly [key: symbol]: unknown })[Symbol.for('commandry.clock')] as
    LoadedClock | undefined
}

const globals: Functions = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  // Browsers have none.
  setImmediate: (globalThis as unknown as Functions).setImmediate,
  performanceNow: () => performance.now(),
}

// Browsers refuse to call them as methods of another object.
const timersOf = ({ setTimeout, clearTimeout, setImmediate, performanceNow }: Functions) => ({
  /** Calls the task once. */
  start: (task: () => void, milliseconds: number) => setTimeout(task, milliseconds),
  stop: (timer: ReturnType<typeof setTimeout> | undefined) => clearTimeout(timer),
  /** Resolves after milliseconds. */
  sleep: (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds)),
  /** Resolves in the next turn of the event loop. */
  turn: () => new Promise<void>((resolve) => void setImmediate(resolve)),
  /** Milliseconds since any fixed moment. */
  now: () => performanceNow(),
})

/** Timers in real time: for what the library itself waits. */
export const realTimers = timersOf(loadedClock()?.real ?? globals)

/** Timers in the time of bots: `commandry/clock` moves them. Without it they are real. */
export const botTimers = timersOf(globals)
