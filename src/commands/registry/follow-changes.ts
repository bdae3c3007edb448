/** The changes of all processes, as the announcements of a store report them. */
import { aFunction, aSignal, demandFunction, milliseconds, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { Emitter, subscription, type Subscription } from '../../core/emitter.ts'
import { isObject } from '../../core/json.ts'
import { chance, uniqueText } from '../../core/random.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { realTimers } from '../../core/timers.ts'
import type { Announcements, Store } from '../../storage/store.ts'
import { demandStore } from './registry-options.ts'
import { guildOfKey } from './scope.ts'

/** A change that `followChanges` reports. */
export type StoreChange =
  /** Commands or permissions were written. */
  | {
      readonly type: 'changed'
      readonly of: 'commands' | 'permissions'
      readonly applicationId: string
      /** Null for global commands. */
      readonly guildId: string | null
      /** The revision of the written document. */
      readonly revision: string
    }
  /** The connection is lost: changes are not reported until `missed`. */
  | { readonly type: 'interrupted' }
  /** Changes are reported again; those since `interrupted` may be missing, so read again what you keep. */
  | { readonly type: 'missed' }

interface FollowOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal
  /** How often the connection is tested, and how long it may take to answer, in milliseconds; `Infinity` for never. Default: 15,000. */
  readonly heartbeat?: number
  /** Called with the error of a listener. Default: `console.error`. */
  readonly onListenerError?: (error: unknown) => void
}

const checkedOptions = /* @__PURE__ */ optionsOf<FollowOptions>('followChanges', {
  signal: optional(aSignal),
  heartbeat: optional(milliseconds),
  onListenerError: optional(aFunction),
})

/**
 * Calls a listener with every change of the commands and permissions in a store, of this process and of all others: a
 * `postgresStore` or `redisStore` with `notify`. Resolves when it listens; a lost connection is made again. A change may
 * be reported twice.
 *
 * @returns a function that ends the subscription, also usable with `using`
 * @throws TypeError if the store announces nothing; the error of the driver if the first connection fails
 */
export async function followChanges(
  store: Store,
  listener: (change: StoreChange) => void,
  options: FollowOptions = {},
): Promise<Subscription> {
  demandStore(store, 'store')
  demandFunction(listener, 'listener')
  const { signal, heartbeat = 15_000, onListenerError = console.error } = checkedOptions(options)
  if (store.announcements === undefined)
    throw new TypeError(
      'followChanges: this store announces nothing; give postgresStore or redisStore a channel: notify',
    )
  signal?.throwIfAborted()
  const changes = new Emitter<StoreChange>(onListenerError)
  changes.add(listener)
  const end = await followKeys(store.announcements, heartbeat, (change) => {
    const reported = change.type === 'written' ? changeOf(change.key, change.revision) : change
    if (reported !== undefined) changes.publish([reported])
  })
  return subscription(end, signal)
}

/** A change of any document, or of the connection as in `StoreChange`. */
export type KeyChange =
  | { readonly type: 'written'; readonly key: string; readonly revision: string }
  | Exclude<StoreChange, { readonly type: 'changed' }>

/** Reports the writes of all documents, as `followChanges` does. @returns ends it */
export async function followKeys(
  announcements: Announcements,
  heartbeat: number,
  report: (change: KeyChange) => void,
): Promise<() => void> {
  const follower = new Follower(announcements, heartbeat, report)
  await follower.start()
  return () => follower.end()
}

/** The change of a document with commands or permissions; undefined for another document. */
function changeOf(key: string, revision: string): StoreChange | undefined {
  const [kind, applicationId] = key.split('/')
  if ((kind !== 'scope' && kind !== 'permissions') || !isSnowflake(applicationId)) return undefined
  const of = kind === 'scope' ? 'commands' : 'permissions'
  return { type: 'changed', of, applicationId, guildId: guildOfKey(key), revision }
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
