/** When a bot is done with what time has caused: it has no requests open, reads no files, and computes nothing. */
import { createHook } from 'node:async_hooks'
import inspector from 'node:inspector'
import { QUIET_TURNS, type Activity, type ActivityTimers } from '../activity/activity.ts'

/** Milliseconds after which a bot that does not come to rest is an error. */
const LIMIT = 10_000
/** Work in the threads of Node, of which Node has no list. */
const JOB = /^(?!HTTP).*REQUEST$|^ZLIB$/

interface Job {
  /** Of a job of crypto that is not synchronous. */
  readonly ondone?: unknown
  /** What a compression works on; null when it rests. */
  readonly buffer?: unknown
}

function isOpen({ ondone, buffer = null }: Job): boolean {
  return typeof ondone === 'function' || buffer !== null
}

export class Settling {
  readonly #timers: ActivityTimers
  readonly #activity: Activity
  readonly #jobs = new Map<number, Job>()
  readonly #hook = createHook({
    init: (id, type, _trigger, job) => {
      if (JOB.test(type)) this.#jobs.set(id, job)
    },
    before: (id) => {
      // A compression goes on with its next chunk.
      if (this.#jobs.get(id)?.buffer === undefined) this.#jobs.delete(id)
    },
  })

  constructor(timers: ActivityTimers, activity: Activity) {
    this.#timers = timers
    this.#activity = activity
  }

  /** Watches jobs, which costs time, so only while time is moved. */
  watch(): void {
    this.#hook.enable()
  }

  unwatch(): void {
    this.#hook.disable()
    this.#jobs.clear()
  }

  /** Waits until the bot is at rest. @throws Error when it is not within 10 seconds of real time */
  async settle(): Promise<void> {
    const { turn, sleep, now } = this.#timers
    const began = now()
    let wasBusy = false
    for (let quiet = 0; quiet < QUIET_TURNS;) {
      await turn()
      const hasMoved = this.#activity.hasMoved()
      const names = this.#underWay()
      if (hasMoved || names.length > 0) {
        quiet = 0
        wasBusy = true
        if (!hasMoved) await sleep(1)
        // A debugger stops a bot for longer.
        if (now() - began > LIMIT && inspector.url() === undefined) throw unsettled(names)
      } else if (++quiet === QUIET_TURNS && wasBusy) {
        // What arrived last may cause more.
        wasBusy = false
        quiet = 1
        await sleep(1)
      }
    }
  }

  #underWay(): readonly string[] {
    const isComputing = [...this.#jobs.values()].some(isOpen)
    return [...this.#activity.underWay(), ...(isComputing ? ['a computation'] : [])]
  }
}

function unsettled(names: readonly string[]): Error {
  const what = names.length === 0 ? 'the bot is still busy' : `still open: ${names.slice(0, 5).join(', ')}`
  return new Error(
    `advance: ${what}, after ${LIMIT / 1_000} s of real time; answer slow requests of the bot in the test`,
  )
}
