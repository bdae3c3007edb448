/** The writes of all processes, as the announcements of a store report them. */
import { isObject } from '../../core/json.ts'
import { chance, uniqueText } from '../../core/random.ts'
import { realTimers } from '../../core/timers.ts'
import type { Announcements } from '../store.ts'

/** A write of any document, or a change of the connection: of the writes between both, some may be missing. */
export type KeyChange =
  | { readonly type: 'written'; readonly key: string; readonly revision: string }
  | { readonly type: 'interrupted' | 'missed' }

/** Reports the writes of all documents; a lost connection is made again. Resolves when it listens. @returns ends it */
export async function followKeys(
  announcements: Announcements,
  heartbeat: number,
  report: (change: KeyChange) => void,
): Promise<() => void> {
  const follower = new Follower(announcements, heartbeat, report)
  await follower.start()
  return () => follower.end()
}

interface Connection {
  readonly close: () => void
  /** Resolves when the connection is lost or the subscription has ended. */
  readonly gone: Promise<void>
}

class Follower {
  readonly #announcements: Announcements
  readonly #heartbeat: number
  readonly #report: (change: KeyChange) => void
  /** Resolves when the subscription has ended. */
  readonly #ended: Promise<void>
  #end = () => {}
  #isEnded = false
  /** The last heartbeat that was sent, and what to do when it arrives. */
  #beat = { id: '', arrived: () => {} }

  constructor(announcements: Announcements, heartbeat: number, report: (change: KeyChange) => void) {
    this.#announcements = announcements
    this.#heartbeat = heartbeat
    this.#report = report
    this.#ended = new Promise((resolve) => (this.#end = resolve))
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    void this.#follow(await this.#connect())
  }

  end(): void {
    this.#isEnded = true
    this.#end()
  }

  async #follow(first: Connection): Promise<void> {
    for (let connection: Connection | undefined = first; connection !== undefined;) {
      await connection.gone
      connection.close()
      if (this.#isEnded) return
      this.#report({ type: 'interrupted' })
      connection = await this.#reconnect()
      if (connection !== undefined) this.#report({ type: 'missed' })
    }
  }

  /** A new connection, after any number of attempts; `undefined` when the subscription has ended. */
  async #reconnect(): Promise<Connection | undefined> {
    for (let attempt = 0; !this.#isEnded; attempt++) {
      try {
        return await this.#connect()
      } catch {
        await resolvesWithin(this.#ended, pauseAfter(attempt))
      }
    }
    return undefined
  }

  async #connect(): Promise<Connection> {
    let lose = () => {}
    const gone = new Promise<void>((resolve) => (lose = resolve))
    void this.#ended.then(lose)
    const listening = this.#announcements.listen({
      received: (message) => this.#receive(message),
      lost: lose,
      again: () => this.#reportGap(),
    })
    if (!(await resolvesWithin(listening, this.#heartbeat))) {
      // It may come late.
      void listening.then((close) => close()).catch(() => {})
      throw new Error(`the database did not answer within ${this.#heartbeat} ms`)
    }
    void this.#watch(gone, lose)
    return { close: await listening, gone }
  }

  /** Loses a connection on which no heartbeat arrives: a cut wire ends without an event. */
  async #watch(gone: Promise<void>, lose: () => void): Promise<void> {
    while (!(await resolvesWithin(gone, this.#heartbeat))) {
      const id = uniqueText()
      const arrival = new Promise<void>((arrived) => (this.#beat = { id, arrived }))
      this.#announcements.announce(JSON.stringify({ heartbeat: id })).catch(() => {})
      if (!(await resolvesWithin(Promise.race([arrival, gone]), this.#heartbeat))) lose()
    }
  }

  #reportGap(): void {
    if (this.#isEnded) return
    this.#report({ type: 'interrupted' })
    this.#report({ type: 'missed' })
  }

  #receive(message: string): void {
    const announced = parsed(message)
    if (this.#isEnded || !isObject(announced)) return
    const { key, revision, heartbeat } = announced
    if (heartbeat === this.#beat.id) this.#beat.arrived()
    if (typeof key !== 'string' || typeof revision !== 'string') return
    this.#report({ type: 'written', key, revision })
  }
}

const MAX_PAUSE = 10_000

/** Grows, and differs between the processes that lost the same server. */
function pauseAfter(attempt: number): number {
  return Math.min(MAX_PAUSE, 100 * 2 ** Math.min(attempt, 10)) * (0.5 + chance() / 2)
}

/** Whether a promise resolves within milliseconds. */
async function resolvesWithin(promise: Promise<unknown>, most: number): Promise<boolean> {
  if (most === Infinity) return promise.then(() => true)
  let timer: ReturnType<typeof realTimers.start> | undefined
  const late = new Promise<false>((resolve) => (timer = realTimers.start(() => resolve(false), most)))
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    realTimers.stop(timer)
  }
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}
