/** A store in memory that is correct unless a test changes its behaviour. */
import type { Entry, Json, Store, Written } from 'commandry'
import type { OpenedStore } from 'commandry/testing'

/** A store, and the promises that it breaks. */
export interface WrongStore {
  readonly name: string
  readonly open: () => Store | OpenedStore
  /** The promises that the test asserts; the store may break more. */
  readonly breaks: readonly string[]
}

export interface Row {
  readonly key: string
  readonly text: string
  readonly revision: string
}

interface Behaviour {
  /** The stored form of a key. */
  key(key: string): string
  /** The stored form of a value. */
  encode(value: Json): string
  decode(text: string): Json
  output(entry: Entry): Entry
  /** The revision of the write with this number. */
  revision(write: number, text: string, lifetime: number): string
  same(present: string | null, expected: string | null): boolean
  starts(key: string, prefix: string): boolean
  order(a: string, b: string): number
  /** Runs after the revision is compared and before the document is written. */
  beforePut(self: AdjustableStore, key: string, value: Json | undefined): unknown
}

/** Freezes a value and all that is in it, as stores give it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

const correct: Behaviour = {
  key: (key) => key,
  encode: (value) => JSON.stringify(value),
  decode: (text) => JSON.parse(text) as Json,
  output: deepFreeze,
  revision: (write) => `revision-${write}`,
  same: (present, expected) => present === expected,
  starts: (key, prefix) => key.startsWith(prefix),
  order: (a, b) => (a < b ? -1 : 1),
  beforePut: () => undefined,
}

/** A correct store whose behaviour can be changed. */
export class AdjustableStore implements Store {
  readonly behaviour: Behaviour
  readonly rows = new Map<string, Row>()
  writes = 0

  constructor(behaviour: Partial<Behaviour> = {}) {
    this.behaviour = { ...correct, ...behaviour }
  }

  entry(key: string): Entry | undefined {
    const row = this.rows.get(this.behaviour.key(key))
    return row && this.behaviour.output({ value: this.behaviour.decode(row.text), revision: row.revision })
  }

  present(key: string): string | null {
    return this.rows.get(this.behaviour.key(key))?.revision ?? null
  }

  put(key: string, value: Json | undefined): Written {
    const place = this.behaviour.key(key)
    const lifetime = Number(this.rows.get(place)?.revision.split('@')[1] ?? 0) + 1
    const text = value === undefined ? '' : this.behaviour.encode(value)
    const revision = this.behaviour.revision(++this.writes, text, lifetime)
    if (value === undefined) this.rows.delete(place)
    else this.rows.set(place, { key, text, revision })
    return { ok: true, revision }
  }

  async read(keys: readonly string[]): Promise<readonly (Entry | undefined)[]> {
    return keys.map((key) => this.entry(key))
  }

  async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
    if (!this.behaviour.same(this.present(key), expected)) return { ok: false }
    const waiting = this.behaviour.beforePut(this, key, value)
    if (waiting !== undefined) await waiting
    return this.put(key, value)
  }

  /** Backs up the documents; the number of writes is not among them. @returns restores them */
  keep(): () => void {
    const rows = [...this.rows]
    return () => {
      this.rows.clear()
      for (const [place, row] of rows) this.rows.set(place, row)
    }
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    const keys = [...this.rows.values()].map((row) => row.key)
    yield* keys.filter((key) => this.behaviour.starts(key, prefix)).sort(this.behaviour.order)
  }
}

/** The promises by short names. */
export const promise = {
  absent: 'reads undefined for a key that was never written',
  written: 'reads what was written, with the revision the write returned',
  create: 'creates a document only while there is none',
  stale: 'changes nothing when the expected revision is stale',
  removed: 'removes a document at its current revision, so that it is neither read nor listed',
  anew: 'never creates a document when a revision is expected',
  others: 'changes no other document',
  creators: 'lets exactly one of several concurrent creators succeed',
  writers: 'lets exactly one of several writers at the same revision succeed',
  lost: 'loses no acknowledged change among writers that read and retry',
  together: 'keeps what several connections write at once',
  seen: 'shows an acknowledged write to every read that starts after it',
  whole: 'reads a document whole, with its own revision, while it is being replaced',
  revision: 'never repeats a revision of a document',
  restored: 'never repeats a revision after its documents were restored from a backup',
  lookalike: 'accepts only the exact revision, not one that resembles it',
  frozen: 'returns deeply frozen values that cannot be used to change the store',
  order: 'returns documents in the order of the keys, with gaps and repeats in place',
  many: 'reads forty thousand keys in one call',
  prefix: 'lists exactly the keys that start with a prefix',
  sorted: 'lists keys in ascending order of their UTF-16 units, however many',
  listing: 'allows a listing to end early and the store to be written during it',
  keys: 'distinguishes keys by every UTF-16 unit',
  texts: 'keeps every UTF-16 unit of a string',
  names: 'keeps object keys and their order, whatever their names',
  numbers: 'keeps numbers exactly, and strings of digits as strings',
  empty: 'stores null, false, zero and empty values as documents',
  large: 'keeps a document of several megabytes',
  walk: 'agrees with a Map after any sequence of operations',
  restart: 'keeps acknowledged writes through a restart',
  thousands: 'reads and lists eleven thousand documents, whatever the size of a page',
  current: 'lists what every connection wrote before, and nothing that one removed',
  apart: 'keeps listings apart that are open at the same time',
  refusedRead: 'rejects a read that the medium refuses, and never takes it for a missing document',
  refusedListing: 'rejects a listing that the medium refuses, at its start or later, and never ends it early',
  refusedWrite: 'changes nothing by a write that the medium refuses, neither then nor later',
  lostAnswer: 'rejects a write whose answer is lost, and never repeats it',
  hung: 'answers a call that hung only with the truth',
  next: 'answers the next call after one that failed, on every connection',
} as const

/**
 * A wrong store: with changed behaviour and with methods replaced, or another one altogether.
 *
 * @param change returns the new methods; `correct` has the original ones
 */
export function wrong(
  name: string,
  breaks: readonly (keyof typeof promise)[],
  behaviour: Partial<Behaviour> | (() => Store | OpenedStore),
  change?: (self: AdjustableStore, correct: Store) => Partial<AdjustableStore>,
): WrongStore {
  const open = () => {
    const self = new AdjustableStore(behaviour as Partial<Behaviour>)
    const [read, write, keys] = [self.read.bind(self), self.write.bind(self), self.keys.bind(self)]
    return Object.assign(self, change?.(self, { read, write, keys }))
  }
  return {
    name,
    open: typeof behaviour === 'function' ? behaviour : open,
    breaks: breaks.map((key) => promise[key]),
  }
}

/** A turn of the microtask queue, in which other calls run. */
export const pause = () => Promise.resolve()

/** Several such turns. */
export async function pauses(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await pause()
}

export const utf8 = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text))

/** The value with every string in it changed. */
export function withStrings(value: Json, change: (text: string) => Json): Json {
  return JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === 'string' ? change(inner) : inner))
}
