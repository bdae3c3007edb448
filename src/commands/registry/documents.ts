import { itemsUntilAborted, orAborted } from '../../core/abort.ts'
import { collect } from '../../core/batches.ts'
import { isObject, type Json } from '../../core/json.ts'
import { chance } from '../../core/random.ts'
import { describeValue } from '../../core/text.ts'
import { realTimers } from '../../core/timers.ts'
import { memoryStore } from '../../storage/memory.ts'
import { mayHaveHappened } from '../../storage/store-error.ts'
import type { Store } from '../../storage/store.ts'
import { OwnWrites, type Planned } from './own-writes.ts'
import { RegistryError } from './registry-error.ts'
import type { Commit, Entries } from './record.ts'

/** What one call adds to the use of the documents. */
interface Call {
  readonly signal?: AbortSignal | undefined
  /** Who makes the call. */
  readonly by?: object | undefined
}

type Events = ReturnType<Commit<unknown>['events']>

/** What the calls of one instance share. */
class Shared {
  /** For each key that is being written, the writers that wait for their turn. */
  readonly waiting = new Map<string, (() => void)[]>()
  readonly own = new OwnWrites()
}

/** The documents of a store: every read and write of a registry. A failing store rejects with `storage`. */
export class Documents {
  readonly #store: Store
  readonly #attempts: number
  readonly #publish: (events: Commit<unknown>['events']) => void
  readonly #shared: Shared
  readonly #call: Call

  constructor(
    store: Store,
    attempts: number,
    publish: (events: Commit<unknown>['events']) => void,
    shared = new Shared(),
    call: Call = {},
  ) {
    this.#store = store
    this.#attempts = attempts
    this.#publish = publish
    this.#shared = shared
    this.#call = call
  }

  /** The same documents for one call. */
  of(call: Call): Documents {
    return call.signal === undefined && call.by === undefined
      ? this
      : new Documents(this.#store, this.#attempts, this.#publish, this.#shared, call)
  }

  /** The answer of the store, unless the call is aborted before. No function of its own waits: reads are frequent. */
  #answer<T>(ask: () => PromiseLike<T>): PromiseLike<T> {
    const { signal } = this.#call
    signal?.throwIfAborted()
    return signal === undefined ? ask() : orAborted(ask(), signal)
  }

  /** Rejects with the reason of an aborted call, or with `storage`. */
  #fail(cause: unknown): never {
    this.#call.signal?.throwIfAborted()
    throw new RegistryError('storage', { cause })
  }

  async read(keys: readonly string[]): Promise<Entries> {
    try {
      const entries = await this.#answer(() => this.#store.read(keys))
      const isWhole = Array.isArray(entries) && entries.length === keys.length
      expectAnswer(isWhole, `read: expected a list of ${keys.length}`, entries)
      for (const entry of entries)
        expectAnswer(isEntry(entry), 'read: expected { value, revision } or undefined', entry)
      return entries
    } catch (cause) {
      return this.#fail(cause)
    }
  }

  keys(prefix: string): Promise<string[]> {
    return collect(this.each(prefix))
  }

  /** A store in memory with the same documents. */
  async copy(): Promise<Store> {
    const store = memoryStore()
    const keys = await this.keys('')
    const entries = await this.read(keys)
    for (const [i, key] of keys.entries()) await store.write(key, null, entries[i]?.value)
    return store
  }

  /** The keys that start with a prefix, one by one. */
  async *each(prefix: string): AsyncGenerator<string> {
    const { signal } = this.#call
    try {
      const keys = this.#store.keys(prefix)
      for await (const key of signal === undefined ? keys : itemsUntilAborted(keys, signal)) {
        expectAnswer(typeof key === 'string', 'keys: expected strings', key)
        yield key
      }
    } catch (cause) {
      this.#fail(cause)
    }
  }

  /**
   * Reads documents, plans, writes the first of them and publishes the events. Starts again if another wrote first.
   * Writers of one instance take turns at a document, so their events come in the order of their writes. A document that
   * only this instance writes is not read again: its write is refused if that was wrong.
   */
  async commit<T>(keys: readonly string[], plan: (entries: Entries) => Commit<T>): Promise<T> {
    const key = keys[0]!
    const { waiting: queues, own } = this.#shared
    const waiting = queues.get(key)
    if (waiting === undefined) queues.set(key, [])
    else await this.#turn(waiting)
    try {
      let known = keys.length === 1 ? own.planUnread(key, plan) : undefined
      const attempts = this.#attempts + (known === undefined ? 0 : 1)
      for (let attempt = 0; attempt < attempts; attempt++) {
        if (attempt > FREE_ATTEMPTS) await backOff(attempt - FREE_ATTEMPTS)
        const planned = known ?? own.plan(key, await this.read(keys), plan)
        known = undefined
        const { revision, change } = planned
        if (!change.isChange) return this.#finish(change)
        this.#call.signal?.throwIfAborted()
        let isWritten
        try {
          // No function of its own waits: writes are frequent.
          isWritten = this.#noted(key, planned, await this.#answer(() => this.#write(key, revision, change)))
        } catch (cause) {
          throw new RegistryError('storage', { cause, mayHaveHappened: mayHaveHappened(cause) })
        }
        if (isWritten) return this.#finish(change)
      }
      throw new RegistryError('busy')
    } finally {
      const beginNext = queues.get(key)!.shift()
      if (beginNext === undefined) queues.delete(key)
      else beginNext()
    }
  }

  #write(key: string, revision: string | null, { next }: Commit<unknown>) {
    this.#shared.own.forget(key)
    return this.#store.write(key, revision, next as unknown as Json | undefined)
  }

  /** Whether nothing else wrote first. Notes what was written. */
  #noted(
    key: string,
    planned: Planned<Commit<unknown>>,
    answer: Awaited<ReturnType<Store['write']>>,
  ): boolean {
    const isAnswer = isObject(answer) && typeof answer.ok === 'boolean'
    expectAnswer(isAnswer, 'write: expected { ok: true, revision } or { ok: false }', answer)
    if (answer.ok && typeof answer.revision === 'string') this.#shared.own.note(key, answer.revision, planned)
    return answer.ok
  }

  #finish<T>({ result, events }: Commit<T>): T {
    this.#publish(() => this.#signed(events()))
    return result
  }

  /** Resolves when the writers before this one have ended. */
  async #turn(waiting: (() => void)[]): Promise<void> {
    const { signal } = this.#call
    let begin = () => {}
    const turn = new Promise<void>((resolve) => waiting.push((begin = resolve)))
    await orAborted(turn, signal, () => {
      const place = waiting.indexOf(begin)
      if (place >= 0) waiting.splice(place, 1)
    })
  }

  /** The events with the one who makes the call. */
  #signed(events: Events): Events {
    const { by } = this.#call
    return by === undefined
      ? events
      : events.map((event) => (event.type === 'interaction_created' ? event : { ...event, by }))
  }
}

/** Documents that other parts of this library share in a store; nothing listens to them. */
export function sharedDocuments(store: Store): Documents {
  return new Documents(store, SHARED_ATTEMPTS, () => {})
}

const SHARED_ATTEMPTS = 64

function isEntry(entry: unknown): boolean {
  return (
    entry === undefined ||
    (isObject(entry) && typeof entry.revision === 'string' && entry.value !== undefined)
  )
}

function expectAnswer(isRight: boolean, expected: string, answer: unknown): void {
  if (!isRight) throw new TypeError(`${expected}, got ${describeValue(answer)}`)
}

/** The number of attempts without a pause. Another writer is rarely first more often than that. */
const FREE_ATTEMPTS = 3

function backOff(attempt: number): Promise<void> {
  const most = Math.min(50, 2 ** Math.min(attempt, 6))
  return realTimers.sleep(chance() * most)
}
