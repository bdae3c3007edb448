/** One clock for bot and service: time flows as always, until a test moves it. */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import type { LoadedClock } from '../../core/timers.ts'
import { realDate, replaceDates, Time } from './date.ts'
import { Activity, type ActivityTimers } from '../activity/activity.ts'
import { KEY, sharedState, type Real } from './real.ts'
import { Settling } from './settling.ts'
import { warnOfStanding } from './standing.ts'
import { Timers } from './movable-timers.ts'

/** The clock of this thread, and its parts, with which another process moves it. */
export interface InstalledClock extends LoadedClock {
  readonly real: Real
  /** Lets the bot come to rest, and stops time. */
  begin(): Promise<void>
  /** Moves to a time in milliseconds since `begin`, and fires what is due until then. */
  step(to: number): Promise<void>
  /** The milliseconds since `begin` at which the next timer is due; Infinity without one. */
  nextDue(): number
  /** Milliseconds by which it is ahead of real time. */
  offset(): number
  /** Lets time flow again, and the bot come to rest. */
  end(): Promise<void>
  /** Waits until what the bot has under way is done, at most milliseconds. @returns what is not, in words */
  rest(milliseconds: number): Promise<readonly string[]>
}

/** The most timers that one `advance` fires. */
const MAX_TIMERS = 200_000
const ROUNDING = 0.001

/** Packages that take Node's timers apart when they are loaded. */
const KEEPS_TIMERS =
  /[\\/]node_modules[\\/](discord\.js|@discordjs[\\/][\w-]+|@sapphire[\\/][\w-]+|oceanic\.js|eris|@projectdysnomia[\\/]dysnomia|seyfert|slash-create|croner|node-cron|cron|node-schedule|toad-scheduler|bree|agenda|bullmq)[\\/]/

/**
 * Replaces the timers and dates of this thread, once for each set of globals.
 *
 * @param offset milliseconds by which it begins ahead of real time, when it follows the clock of another process
 * @throws Error where the clock cannot work
 */
export function installClock(offset?: number): InstalledClock {
  const known = (globalThis as { [KEY]?: InstalledClock })[KEY]
  if (known !== undefined) return known
  const reason = refusal()
  if (reason !== undefined) throw new Error(`commandry/clock ${reason}`)
  const clock = createClock(offset ?? 0, offset !== undefined)
  Object.defineProperty(globalThis, KEY, { value: clock, configurable: true })
  return clock
}

/** Why the clock cannot work here. */
function refusal(): string | undefined {
  // Functions of Node belong to the main set of globals.
  const isInContext = !(net.connect instanceof Function)
  const isJest = isInContext && process.env.JEST_WORKER_ID !== undefined
  const state = Object.getOwnPropertySymbols(globalThis).some(({ description }) =>
    /^JEST_STATE/.test(description ?? ''),
  )
  if (isJest && !state && !('expect' in globalThis))
    return 'is in setupFiles, where the time limits of jest would move as well; name it in setupFilesAfterEnv'
  if (isInContext && !isJest)
    return 'cannot replace the timers that a vm context has copied from Node; run vitest with pool "forks" or "threads"'
  // Imports of ES modules are listed before they run.
  const early = Object.entries(createRequire(import.meta.url).cache)
    .map(([file, module]) => (module?.loaded ? KEEPS_TIMERS.exec(file)?.[1] : undefined))
    .find((name) => name !== undefined)
  return early && `is loaded after ${early.replace('\\', '/')}, which keeps Node's timers; import it first`
}

function createClock(offset: number, isFollower: boolean): InstalledClock {
  const { real: shared, followed } = sharedState()
  // Jest deletes what globals reach after each test file.
  const real = { ...shared }
  const time = new Time(real, realDate().now(), offset)
  const timers = new Timers(real, time)
  const inRealTime = realTimersOf(real)
  const settling = new Settling(inRealTime, new Activity(inRealTime, followed, { isPatient: true }))
  const resting = new Activity(inRealTime, followed)
  timers.replace()
  const MovedDate = replaceDates(time, real)
  syncBuiltinESMExports()
  let base = 0
  let firedBefore = 0
  const nextDue = () => (timers.next()?.due ?? Infinity) - base
  const begin = async () => {
    if (!timers.areInPlace || globalThis.Date !== MovedDate)
      throw new TypeError(
        'advance: the fake timers of the test runner are on; end them with useRealTimers(), because commandry/clock moves all timers',
      )
    warnOfStanding(followed.started, isFollower)
    settling.watch()
    await settling.settle()
    time.stop()
    base = time.elapsed()
    firedBefore = timers.fired
  }
  const step = async (to: number) => {
    time.goTo(base + to)
    // The sum of rounded numbers may be less than the time at which a timer is due.
    for (let one; (one = timers.next(base + to + ROUNDING)) !== undefined;) {
      time.goTo(one.due)
      if (timers.fired - firedBefore >= MAX_TIMERS) throw tooMany(one.milliseconds)
      timers.fire(one)
      // Node has a turn between timers of one time.
      await inRealTime.turn()
    }
    await settling.settle()
  }
  const end = async () => {
    try {
      if (!time.isStopped) return
      time.flow()
      timers.setAlarm()
      await settling.settle()
    } finally {
      settling.unwatch()
    }
  }
  const moveBy = async (milliseconds: number, onStep: () => void) => {
    try {
      await begin()
      for (let due; (due = Math.max(0, nextDue())) <= milliseconds;) {
        time.goTo(base + due)
        onStep()
        await step(due)
      }
      time.goTo(base + milliseconds)
      onStep()
    } finally {
      await end()
    }
  }
  return {
    real,
    movesBots: true,
    now: () => Math.floor(time.now()),
    advance: inOrder(moveBy),
    begin,
    step,
    nextDue,
    offset: () => time.offset,
    end,
    shortTimers: () => timers.shortTimers(),
    rest: (milliseconds) => resting.rest(milliseconds, timers.shortTimers()),
  }
}

/** Moves one after another. */
function inOrder(
  moveBy: (milliseconds: number, onStep: () => void) => Promise<void>,
): InstalledClock['advance'] {
  let queue: Promise<unknown> = Promise.resolve()
  return (milliseconds, onStep = () => {}) => {
    const moved = queue.then(() => moveBy(milliseconds, onStep))
    queue = moved.catch(() => {})
    return moved
  }
}

function tooMany(milliseconds: number): RangeError {
  const period = `the last one after ${milliseconds} ms`
  return new RangeError(
    `advance: more than ${MAX_TIMERS} timers are due, ${period}; advance by less, or stop that timer first`,
  )
}

/** Timers that this clock does not move. */
function realTimersOf({ setImmediate, setTimeout, performanceNow }: Real): ActivityTimers {
  return {
    turn: () => new Promise((resolve) => void setImmediate(resolve)),
    sleep: (milliseconds) => new Promise((resolve) => void setTimeout(resolve, milliseconds)),
    now: performanceNow,
  }
}
