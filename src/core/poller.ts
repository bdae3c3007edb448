/**
 * The owner of a loop in the background: it repeats a task while the task is needed. One loop runs however often it is
 * woken, and none when nothing needs it.
 */
import { realTimers } from './timers.ts'

export interface PollerOptions {
  /** Whether another turn is needed. The loop ends without one; `wake` begins it again. */
  readonly isNeeded: () => boolean
  /** One turn. If it fails, the next one may succeed. */
  readonly turn: () => Promise<unknown>
  /** Milliseconds before the next turn. */
  readonly pause: () => number
}

export interface Poller {
  /** Takes the next turn within so many milliseconds: sooner than planned, never later. */
  wake(within: number): void
}

export function poller({ isNeeded, turn, pause }: PollerOptions): Poller {
  let state: 'ended' | 'waiting' | 'working' = 'ended'
  let timer: ReturnType<typeof realTimers.start> | undefined
  let due = 0
  /** What `wake` asked for during a turn. */
  let asked = Infinity
  function waitFor(milliseconds: number): void {
    state = 'waiting'
    due = realTimers.now() + milliseconds
    timer = realTimers.start(() => void takeTurn(), milliseconds)
  }
  async function takeTurn(): Promise<void> {
    state = 'ended'
    if (!isNeeded()) return
    state = 'working'
    await turn().catch(() => {})
    const planned = pause()
    waitFor(Math.min(planned, asked))
    asked = Infinity
  }
  return {
    wake(within) {
      if (state === 'working') asked = Math.min(asked, within)
      else if (state === 'ended') waitFor(within)
      else if (due - realTimers.now() > within) {
        realTimers.stop(timer)
        waitFor(within)
      }
    },
  }
}
