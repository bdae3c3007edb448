/** When bots are done with what has happened so far. People, tests, the clock and the fuzzer wait for nothing else. */
import type { Traffic } from '../../../interactions/bot/traffic.ts'
import { deadlines } from '../../../core/deadlines.ts'
import { loadedClock, realTimers, type MovingClock } from '../../../core/timers.ts'
import { Activity } from '../../activity/activity.ts'
import { followProcess } from '../../activity/follower.ts'

/** The fences in a row in which nothing new came. Bots that went on after a fence did so after one at most. */
const FENCES = 3
/** The same for bots of other processes, whose turns are not known. */
const FENCES_ELSEWHERE = 5
/** The turns of the event loop that a fence takes: enough for a bot of this process once it has read everything. */
const TURNS = 5
/** Milliseconds of a fence for a bot over HTTP, which no ping reaches. */
const BLIND = 3
/** How many times the pace a person waits for a bot that goes on. */
const PACES = 10

interface QuietSources {
  readonly traffic: Pick<Traffic, 'open' | 'arrived' | 'lastId' | 'idleTime'>
  readonly gateway: { fence(): Promise<void> }
  /** The ports of the connected bots. */
  readonly ports: ReadonlyMap<object, number | undefined>
  /** The clock that programs follow, whose work is known by it. */
  readonly clock: Pick<MovingClock, 'rest'>
  /** Whether the bot gets interactions over HTTP. */
  readonly isBlind: boolean
}

/** What is left of one wait. */
interface Wait {
  /** Until when fences are tried. */
  end: number
  /** Milliseconds for what bots have under way outside of their event loops. */
  known: number
  /** Milliseconds for the pace. */
  paces: number
  /** Whether known work has a time of its own: a busy machine needs the other one for the fences. */
  readonly addsUp: boolean
  /** The timers that were about to fire when it began, in words. */
  readonly timers: () => readonly string[]
  /** What was still under way when the time for it ended, in words. */
  underWay: readonly string[]
}

export class Quiet {
  /** Milliseconds for which a bot must have sent nothing before a person acts. */
  pace: number
  readonly #sources: QuietSources
  readonly #followed = followProcess()
  readonly #here = new Activity(realTimers, this.#followed, { arePinged: true })
  /** The wait of all people who are about to act. */
  #waiting: Promise<unknown> | undefined
  /** Counts the turns of the event loop in which a wait began. */
  #joined = 0
  /** The act of those who began to wait in this turn. */
  #ofThisTurn: Promise<void> | undefined
  /** The newest act that is to come. */
  #newest: Promise<void> | undefined

  constructor(sources: QuietSources, pace = 0) {
    this.#sources = sources
    this.pace = pace
  }

  /**
   * What a person waits for before they act. Those who begin to wait meanwhile act in their order: at once when they
   * began in one turn of the event loop, otherwise a turn later.
   */
  person(): Promise<void> {
    if (this.#ofThisTurn !== undefined) return this.#ofThisTurn
    const act = (this.#ofThisTurn = this.#newest = this.#join())
    void act.then(() => {
      if (this.#newest === act) this.#newest = undefined
    })
    void realTimers.turn().then(() => {
      if (this.#ofThisTurn === act) this.#ofThisTurn = undefined
    })
    return act
  }

  /** Does a task as a person would act: after all who have begun to wait, and before all who begin until it starts. */
  alone(task: () => Promise<void>): Promise<void> {
    const ready = this.#join()
    const done = ready.then(task)
    const over = done.catch(() => {})
    this.#ofThisTurn = undefined
    this.#newest = over
    void ready.then(() => {
      if (this.#newest === over) this.#newest = undefined
    })
    return done
  }

  /** Waits until bots are quiet, at most milliseconds. @returns what is still going on, in words; empty when nothing is */
  settled(milliseconds: number): Promise<readonly string[]> {
    return this.#wait(milliseconds, milliseconds, false)
  }

  /** Resolves when each bot has read all that was sent to it, and has had a turn; at the latest after milliseconds. */
  async fence(milliseconds: number): Promise<void> {
    const { gateway, ports, isBlind } = this.#sources
    if (ports.size > 0)
      await new Promise<void>((resolve) => {
        const timer = realTimers.start(resolve, milliseconds)
        void gateway.fence().then(() => {
          realTimers.stop(timer)
          resolve()
        })
      })
    else if (isBlind) await realTimers.sleep(BLIND)
    // After the first turn this process has read nothing yet: it is that in which the answer to the ping came.
    await turns(2)
  }

  /** Resolves when the bots are quiet, and a turn after the newest act that is to come. */
  async #join(): Promise<void> {
    this.#joined++
    this.#waiting ??= this.#wait(deadlines.REACTION_TIMEOUT, PACES * this.pace, true).finally(() => {
      this.#waiting = undefined
    })
    await Promise.all([this.#waiting, this.#newest?.then(realTimers.turn)])
  }

  async #wait(milliseconds: number, paces: number, addsUp: boolean): Promise<readonly string[]> {
    const { traffic, clock } = this.#sources
    const end = realTimers.now() + milliseconds
    const timers = loadedClock()?.shortTimers() ?? (() => [])
    const wait: Wait = { end, known: milliseconds, paces, addsUp, timers, underWay: [] }
    // What moved earlier is of no interest.
    this.#here.hasMoved()
    for (;;) {
      const goingOn = await this.#fences(wait)
      if (goingOn.length > 0) return goingOn
      const stamp = this.#stamp
      if (clock.rest && wait.known > 0) await this.#known(wait, (limit) => clock.rest!(limit))
      const left = Math.min(this.pace - traffic.idleTime, wait.paces)
      if (left > 0) {
        wait.paces -= left
        wait.end += left
        await realTimers.sleep(left)
      } else if (stamp === this.#stamp) return wait.underWay
    }
  }

  /** Waits until nothing new has come for some fences. @returns what is still going on when there is no time left */
  async #fences(wait: Wait): Promise<readonly string[]> {
    const { traffic } = this.#sources
    const first = this.#stamp
    const needed = this.#isElsewhere ? FENCES_ELSEWHERE : FENCES
    for (let passed = 0; passed < needed;) {
      const before = this.#stamp
      const left = wait.end - realTimers.now()
      if (left <= 0) return this.#goingOn(first)
      if (passed > 0 && this.#isHere) await turns(TURNS)
      else await this.fence(left)
      if (traffic.open.length > 0) await realTimers.sleep(1)
      passed = before === this.#stamp && traffic.open.length === 0 ? passed + 1 : 0
      if (passed < needed || wait.known <= 0) continue
      const isResting = !this.#here.hasMoved() && this.#here.underWay().length + wait.timers().length === 0
      if (isResting) break
      passed = 0
      await this.#known(wait, (limit) => this.#here.rest(limit, wait.timers))
    }
    return []
  }

  /** Waits for known work, within the time that is left for it. */
  async #known(wait: Wait, rest: (milliseconds: number) => Promise<readonly string[]>): Promise<void> {
    const began = realTimers.now()
    const limit = wait.addsUp ? wait.known : Math.min(wait.known, wait.end - began)
    const underWay = await rest(Math.max(0, limit))
    const took = realTimers.now() - began
    wait.known -= took
    if (wait.addsUp) wait.end += took
    wait.underWay = underWay
    if (underWay.length > 0) wait.known = 0
  }

  /** Whether all that bots do is turns of this process. */
  get #isHere(): boolean {
    const { ports, isBlind } = this.#sources
    return ports.size > 0 && !isBlind && !this.#isElsewhere
  }

  /** Whether a bot at the gateway is in another process. */
  get #isElsewhere(): boolean {
    const own = new Set(Array.from(this.#followed.sockets.keys(), ({ localPort }) => localPort))
    return [...this.#sources.ports.values()].some((port) => port === undefined || !own.has(port))
  }

  /** Changes when something comes from a bot, goes to it, or another wait begins. */
  get #stamp(): string {
    const { arrived, lastId } = this.#sources.traffic
    return `${arrived} ${lastId} ${this.#joined}`
  }

  #goingOn(first: string): readonly string[] {
    const { open } = this.#sources.traffic
    if (open.length > 0) return open
    return [first === this.#stamp ? 'the bot does not read what it is sent' : 'the bot sends more and more']
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await realTimers.turn()
}
