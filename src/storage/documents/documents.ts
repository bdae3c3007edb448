import { itemsUntilAborted, orAborted } from '../../core/abort.ts'
import { collect } from '../../core/batches.ts'
import { isObject, type Json } from '../../core/json.ts'
import { chance } from '../../core/random.ts'
import { describeValue } from '../../core/text.ts'
import { realTimers } from '../../core/timers.ts'
import { memoryStore } from '../memory.ts'
import { mayHaveHappened } from '../store-error.ts'
import type { Entry, Store } from '../store.ts'
import { OwnWrites, type Planned } from './own-writes.ts'

export type Entries = readonly (Entry | undefined)[]

/** The outcome of a plan: the document to write, the result of the call, and the events. */
export interface Commit<T, Event = never> {
  /** False if the document stays as it was read. */
  readonly isChange: boolean
  /** The document after the change, deeply frozen JSON; `undefined` to remove it. */
  readonly next: object | undefined
  readonly result: T
  /** Called once the document is written. Default: no events. */
  events?(): readonly Event[]
}

/** What one call adds to the use of the documents. */
interface Call {
  readonly signal?: AbortSignal | undefined
  /** Who makes the call. */
  readonly by?: object | undefined
}

interface DocumentsOptions<Event> {
  readonly store: Store
  /** How often a write is tried while other writers are first. Default: 64. */
  readonly attempts?: number
  /** Makes the error of a call: `storage` if the store failed, `busy` if other writers were always first. */
  failure(
    code: 'storage' | 'busy',
    details?: { readonly cause: unknown; readonly mayHaveHappened?: boolean },
  ): Error
  /** Called after each write, with who made the call. Default: nothing listens. */
  publish?(events: () => readonly Event[], by: object | undefined): void
}

/** What the calls of one instance share. */
class Shared {
  /** For each key that is being written, the writers that wait for their turn. */
  readonly waiting = new Map<string, (() => void)[]>()
  readonly own = new OwnWrites()
}

/** The documents of a store: every read and write, with retries. */
export class Documents<Event = never> {
  readonly #options: DocumentsOptions<Event>
  readonly #store: Store
  readonly #shared: Shared
  readonly #call: Call

  constructor(options: DocumentsOptions<Event>, shared = new Shared(), call: Call = {}) {
    this.#options = options
    this.#store = options.store
    this.#shared = shared
    this.#call = call
  }

  /** The same documents for one call. */
  of(call: Call): Documents<Event> {
    return call.signal === undefined && call.by === undefined
      ? this
      : new Documents(this.#options, this.#shared, call)
  }

  /** The answer of the store, unless the call is aborted before. No function of its own waits: reads are frequent. */
  #answer<T>(ask: () => PromiseLike<T>): PromiseLike<T> {
    const { signal } = this.#call
    signal?.throwIfAborted()
    return signal === undefined ? ask() : orAborted(ask(), signal)
  }

  /** Throws the reason of an aborted call, or `storage`. */
  #fail(cause: unknown): never {
    this.#call.signal?.throwIfAborted()
    throw this.#options.failure('storage', { cause })
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
  async commit<T>(keys: readonly string[], plan: (entries: Entries) => Commit<T, Event>): Promise<T> {
    const key = keys[0]!
    const { waiting: queues, own } = this.#shared
    const waiting = queues.get(key)
    if (waiting === undefined) queues.set(key, [])
    else await this.#turn(waiting)
    try {
      let known = keys.length === 1 ? own.planUnread(key, plan) : undefined
      const { attempts = ATTEMPTS, failure } = this.#options
      const most = attempts + (known === undefined ? 0 : 1)
      for (let attempt = 0; attempt < most; attempt++) {
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
          throw failure('storage', { cause, mayHaveHappened: mayHaveHappened(cause) })
        }
        if (isWritten) return this.#finish(change)
      }
      throw failure('busy')
    } finally {
      const beginNext = queues.get(key)!.shift()
      if (beginNext === undefined) queues.delete(key)
      else beginNext()
    }
  }

  #write(key: string, revision: string | null, { next }: Commit<unknown, Event>) {
    this.#shared.own.forget(key)
    return this.#store.write(key, revision, next as unknown as Json | undefined)
  }

  /** Whether nothing else wrote first. Notes what was written. */
  #noted(
    key: string,
    planned: Planned<Commit<unknown, Event>>,
    answer: Awaited<ReturnType<Store['write']>>,
  ): boolean {
    const isAnswer = isObject(answer) && typeof answer.ok === 'boolean'
    expectAnswer(isAnswer, 'write: expected { ok: true, revision } or { ok: false }', answer)
    if (answer.ok && typeof answer.revision === 'string') this.#shared.own.note(key, answer.revision, planned)
    return answer.ok
  }

  #finish<T>(change: Commit<T, Event>): T {
    if (change.events !== undefined) this.#options.publish?.(change.events, this.#call.by)
    return change.result
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
}

const ATTEMPTS = 64

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
