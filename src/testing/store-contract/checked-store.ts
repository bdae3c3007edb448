import { deepFreeze } from '../../core/freeze.ts'
import type { Entry, Store } from '../../storage/store.ts'

export type StoredValue = Entry['value']

/** An empty store that no other test uses, as `open` returns it. */
export interface OpenedStore {
  readonly store: Store
  /** More stores over the same documents, each with its own connection. The promises about concurrency use all. */
  readonly peers?: readonly Store[]
  /** Called when the test ends, whether it passed or failed. */
  close?(): unknown
  /** Backs up all documents. @returns restores them, below the stores that are open */
  backUp?(): Promise<() => unknown>
  /**
   * Makes the medium below all open stores fail: it refuses every request, does what the next request asks and loses
   * the answer, or leaves requests unanswered.
   *
   * @returns lets it work again, as soon as the stores can reach it; what hung may be answered then, or fail
   */
  fail?(outage: Outage): (() => unknown) | Promise<() => unknown>
  /** Closes the store as a restart would, and returns a new one over the same documents. */
  reopen?(): Store | Promise<Store>
}

/** How a medium fails. */
export type Outage = 'refuse' | 'lose' | 'hang'

/** Promises by their titles. Each throws when the store breaks it. */
export type Promises = Readonly<Record<string, (store: CheckedStore) => Promise<void>>>

/** A store that remembers what it should hold. Its operations throw when their result is wrong. */
export class CheckedStore {
  /** All connections: the store and its peers. */
  readonly all: readonly Store[]
  /** Eight writers, spread over all connections. */
  readonly writers: readonly Store[]
  readonly #opened: OpenedStore
  readonly #expected: Map<string, Entry>

  constructor(opened: OpenedStore, expected = new Map<string, Entry>()) {
    this.#opened = opened
    this.#expected = expected
    this.all = [opened.store, ...(opened.peers ?? [])]
    this.writers = Array.from({ length: 8 }, (_, i) => this.all[i % this.all.length]!)
  }

  /** The revision of a document that should exist. */
  revision(key: string): string {
    const entry = this.#expected.get(key)
    expectTrue(entry !== undefined, 'a document that was not removed is missing')
    return entry.revision
  }

  /** The keys that should exist and start with a prefix, sorted. */
  keys(prefix: string): readonly string[] {
    return [...this.#expected.keys()].filter((key) => key.startsWith(prefix)).sort()
  }

  create(key: string, value: StoredValue, writer?: Store): Promise<void> {
    return this.write(key, null, value, true, writer)
  }

  replace(key: string, value: StoredValue, writer?: Store): Promise<void> {
    return this.write(key, this.revision(key), value, true, writer)
  }

  remove(key: string): Promise<void> {
    return this.write(key, this.revision(key), undefined, true)
  }

  /** A write with the wrong expected revision: must be refused and change nothing. */
  async refuse(key: string, expected: string | null, value: StoredValue | undefined): Promise<void> {
    await this.write(key, expected, value, false)
    for (const reader of this.all)
      await this.expectDocument(key, `${shortText(key)} after a refused write`, reader)
  }

  /** @param isAccepted whether the write must succeed; default: if the document has the expected revision */
  async write(
    key: string,
    expected: string | null,
    value: StoredValue | undefined,
    isAccepted = (this.#expected.get(key)?.revision ?? null) === expected,
    writer = this.#opened.store,
  ): Promise<void> {
    const current = this.#expected.get(key)?.revision
    const written = await writer.write(key, expected, deepFreeze(value))
    expectWritten(written)
    const state = current === undefined ? 'did not exist' : `had the revision ${shortText(current)}`
    const kind = value === undefined ? 'a removal' : 'a write'
    const wanted = expected === null ? 'no document' : shortText(expected)
    expectTrue(
      written.ok === isAccepted,
      `${shortText(key)} ${state}, and ${kind} that expected ${wanted} ${written.ok ? 'succeeded' : 'was refused'}`,
    )
    if (written.ok) this.#remember(key, value, written.revision)
  }

  /** All writers write at the current revision: exactly one must succeed, and every connection must then read its value. */
  async race(key: string, valueOf: (writer: number) => StoredValue | undefined): Promise<void> {
    const expected = this.#expected.get(key)?.revision ?? null
    const written = await Promise.all(
      this.writers.map((writer, i) => writer.write(key, expected, deepFreeze(valueOf(i)))),
    )
    written.forEach(expectWritten)
    const winners = written.flatMap((each, i) => (each.ok ? [{ value: valueOf(i), ...each }] : []))
    const [winner] = winners
    expectTrue(
      winner !== undefined && winners.length === 1,
      `${winners.length} of ${written.length} writes succeeded; expected 1`,
    )
    this.#remember(key, winner.value, winner.revision)
    for (const reader of this.all) await this.expectDocument(key, 'the document after the race', reader)
  }

  #remember(key: string, value: StoredValue | undefined, revision: string): void {
    if (value === undefined) this.#expected.delete(key)
    else this.#expected.set(key, { value, revision })
  }

  entries(keys: readonly string[]): Promise<readonly (Entry | undefined)[]> {
    return this.#opened.store.read(keys)
  }

  async read(key: string): Promise<Entry | undefined> {
    return (await this.entries([key]))[0]
  }

  list(prefix: string): AsyncIterable<string> {
    return this.#opened.store.keys(prefix)
  }

  async expectDocument(key: string, what = 'the document', reader = this.#opened.store): Promise<void> {
    expectSame(plain((await reader.read([key]))[0]), plain(this.#expected.get(key)), what)
  }

  async expectDocuments(keys: readonly string[], reader = this.#opened.store): Promise<void> {
    // The store gets a list of its own, which it must not change.
    const given = [...keys]
    const entries = await reader.read(given)
    expectSame(given, keys, 'the list of keys that was passed to `read`')
    expectTrue(entries.length === keys.length, `asked for ${keys.length} documents, got ${entries.length}`)
    for (const [i, key] of keys.entries())
      expectSame(
        plain(entries[i]),
        plain(this.#expected.get(key)),
        `document ${i} of ${keys.length}, ${shortText(key)}`,
      )
  }

  async expectKeys(prefix = '', what = 'the keys', reader = this.#opened.store): Promise<void> {
    const wanted = this.keys(prefix)
    expectSame(await firstKeys(reader.keys(prefix), wanted.length), wanted, what)
  }

  /** Backs up all documents. @returns restores them; their revisions may be new */
  async backUp(): Promise<() => Promise<void>> {
    const restore = await this.#opened.backUp?.()
    expectTrue(restore !== undefined, '`open` must return `backUp` for a restorable store')
    const expected = [...this.#expected]
    return async () => {
      await restore()
      this.#expected.clear()
      for (const [key, { value }] of expected) {
        const entry = await this.read(key)
        expectSame(entry?.value, value, `${shortText(key)} after the restore`)
        this.#expected.set(key, entry!)
      }
      for (const reader of this.all) await this.expectDocuments(this.keys(''), reader)
      await this.expectKeys()
    }
  }

  /** Runs an action while the medium fails. */
  async during<T>(outage: Outage, action: () => Promise<T>): Promise<T> {
    const restore = await this.#opened.fail?.(outage)
    expectTrue(restore !== undefined, '`open` must return `fail` for a failing store')
    try {
      return await action()
    } finally {
      await restore()
    }
  }

  /**
   * Writes at the current revision while the medium fails. The write must reject or tell the truth, and for every
   * connection the document is then as before or as written: as before if the error states that nothing was written.
   */
  async failWrite(outage: Outage, key: string, value: StoredValue | undefined): Promise<void> {
    const before = this.#expected.get(key)
    const [write] = await this.during(outage, async () => {
      const call = outcome(this.#opened.store.write(key, before?.revision ?? null, deepFreeze(value)))
      if (outage !== 'hang') await call
      return [call]
    })
    const ended = await write!
    const what = `${shortText(key)} after a write during which the medium failed (${outage})`
    expectTrue(!ended.ok || ended.value.ok, `${what}: the write resolved as if another writer had been first`)
    const found = await this.read(key)
    const isWritten = toText(found?.value) === toText(value)
    if (ended.ok) expectTrue(isWritten && outage !== 'refuse', `${what}: the write resolved and was not done`)
    const mayHaveHappened = (Object(ended.ok ? {} : ended.error) as { mayHaveHappened?: unknown })
      .mayHaveHappened
    if (isWritten && toText(plain(found)) !== toText(plain(before))) {
      expectTrue(
        mayHaveHappened !== false,
        `${what}: the error has mayHaveHappened: false, but it was written`,
      )
      expectTrue(outage !== 'refuse', `${what}: the write was done later`)
      this.#remember(key, value, found?.revision ?? '')
    }
    for (const reader of this.all) await this.expectDocument(key, what, reader)
  }

  /** Removes a document by another connection, if it exists. */
  async removeIfPresent(key: string, writer: Store): Promise<void> {
    if (this.#expected.has(key)) await this.write(key, this.revision(key), undefined, true, writer)
  }

  /** The store after a restart, which should hold the same. */
  async reopen(): Promise<CheckedStore> {
    const again = await this.#opened.reopen?.()
    expectTrue(again !== undefined, '`open` must return `reopen` for a durable store')
    return new CheckedStore({ store: again }, this.#expected)
  }
}

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }

/** What is listed, but at most one key more than wanted: a listing may have no end. */
export async function firstKeys(keys: AsyncIterable<string>, wanted: number): Promise<readonly string[]> {
  const found: string[] = []
  for await (const key of keys) if (found.push(key) > wanted) break
  return found
}

/** How a call ended. */
export function outcome<T>(call: Promise<T>): Promise<Settled<T>> {
  return call.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  )
}

export function expectTrue(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** Compares values as JSON text, so the order of keys and every UTF-16 unit count. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [actualText, expectedText] = [toText(actual), toText(expected)]
  if (actualText === expectedText) return
  const [wanted, got] = [excerpt(expectedText, actualText), excerpt(actualText, expectedText)]
  throw new Error(`${what}: expected ${wanted}, got ${got}`)
}

/** A value as text for a message, shortened. */
export function shortText(value: unknown): string {
  return excerpt(toText(value), '')
}

function toText(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined'
}

/** An entry with its fields in the same order, whichever that of the store is. Its value must be JSON. */
function plain(entry: Entry | undefined): Entry | undefined {
  if (entry) expectJson(entry.value, 'value')
  return entry && { value: entry.value, revision: entry.revision }
}

/** Throws at what has the same JSON text as a value, and is another one: a Date, a field that is undefined. */
function expectJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (Number.isFinite(value)) return
  const isPlain = typeof value === 'object' && (Array.isArray(value) || hasPlainPrototype(value))
  expectTrue(isPlain, `a value that was read is not JSON: ${path} is ${kindOf(value)}`)
  for (const [key, inner] of Object.entries(value as object)) expectJson(inner, `${path}.${key}`)
}

/** Whether an object has no prototype or `Object.prototype`, also that of another context, such as Jest's. */
function hasPlainPrototype(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function kindOf(value: unknown): string {
  if (typeof value !== 'object') return `of the type ${typeof value}`
  return `an object with a prototype of its own (${value?.constructor.name})`
}

/** Throws unless a write resolved with a result of the contract: `{ ok: 1 }` and `true` are none. */
export function expectWritten(written: unknown): void {
  const { ok } = Object(written) as { ok?: unknown }
  const text = typeof written === 'object' ? shortText(written) : String(written)
  expectTrue(
    typeof ok === 'boolean',
    `a write must resolve with { ok: true, revision } or { ok: false }, got ${text}`,
  )
}

/** The part of a long text around the first difference from another. */
function excerpt(text: string, other: string): string {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  start = Math.max(0, start - 60)
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 200)}${start + 200 < text.length ? '…' : ''}`
}
