/**
 * Stores that are wrong on purpose, each in one way that a real adapter could be. The contract must catch every one,
 * and no promise may be there that none of them breaks.
 */
import { expect, test } from 'vitest'
import { deepFreeze } from '../../src/core/freeze.ts'
import type { Json } from '../../src/core/json.ts'
import type { Entry, Store, Written } from '../../src/storage/store.ts'
import { storeContract, storePromises, type OpenedStore } from '../../src/testing/store-contract.ts'

interface Row {
  readonly key: string
  readonly text: string
  readonly revision: string
}

/** The ways in which an animal can differ from an honest store. */
interface Habits {
  /** How it writes a key. */
  key(key: string): string
  /** How it writes a value. */
  encode(value: Json): string
  decode(text: string): Json
  handOut(entry: Entry): Entry
  /** A revision for the write with this number. */
  revision(write: number, text: string, lifetime: number): string
  same(present: string | null, expected: string | null): boolean
  starts(key: string, prefix: string): boolean
  order(a: string, b: string): number
}

const honest: Habits = {
  key: (key) => key,
  encode: (value) => JSON.stringify(value),
  decode: (text) => JSON.parse(text) as Json,
  handOut: deepFreeze,
  revision: (write) => `revision-${write}`,
  same: (present, expected) => present === expected,
  starts: (key, prefix) => key.startsWith(prefix),
  order: (a, b) => (a < b ? -1 : 1),
}

class Animal implements Store {
  readonly habits: Habits
  readonly rows = new Map<string, Row>()
  writes = 0

  constructor(habits: Partial<Habits> = {}) {
    this.habits = { ...honest, ...habits }
  }

  entry(key: string): Entry | undefined {
    const row = this.rows.get(this.habits.key(key))
    return row && this.habits.handOut({ value: this.habits.decode(row.text), revision: row.revision })
  }

  present(key: string): string | null {
    return this.rows.get(this.habits.key(key))?.revision ?? null
  }

  put(key: string, value: Json | undefined): Written {
    const place = this.habits.key(key)
    const lifetime = Number(this.rows.get(place)?.revision.split('@')[1] ?? 0) + 1
    const text = value === undefined ? '' : this.habits.encode(value)
    const revision = this.habits.revision(++this.writes, text, lifetime)
    if (value === undefined) this.rows.delete(place)
    else this.rows.set(place, { key, text, revision })
    return { ok: true, revision }
  }

  async read(keys: readonly string[]): Promise<readonly (Entry | undefined)[]> {
    return keys.map((key) => this.entry(key))
  }

  async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
    return this.habits.same(this.present(key), expected) ? this.put(key, value) : { ok: false }
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    const keys = [...this.rows.values()].map((row) => row.key)
    yield* keys.filter((key) => this.habits.starts(key, prefix)).sort(this.habits.order)
  }
}

/** An animal with some habits, or with whole methods replaced. */
function animal(habits: Partial<Habits>, change: (self: Animal) => Partial<Store> = () => ({})): () => Store {
  return () => {
    const self = new Animal(habits)
    return Object.assign(self, change(self))
  }
}

const promise = {
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
  seen: 'shows an acknowledged write to every read that starts after it',
  whole: 'reads a document whole, with its own revision, while it is being replaced',
  revision: 'never repeats a revision of a document',
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
} as const

/** A turn of the event loop's microtasks, in which others get ahead. */
const pause = () => Promise.resolve()

const utf8 = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text))

/** What a value becomes when every text or number in it is changed. */
function each(value: Json, change: (leaf: string | number) => Json): Json {
  if (typeof value === 'string' || typeof value === 'number') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner: Json) => each(inner, change))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, each(inner as Json, change)]))
}

/** A store that writes a large document in parts first, and then that they are there. */
function inParts(size: number): Store {
  const parts = new Map<string, string>()
  const self = new Animal()
  const place = (key: string, part: number) => `${key}#${part}`
  return {
    async read(keys) {
      const entries: (Entry | undefined)[] = []
      for (const key of keys) {
        const [entry] = await self.read([key])
        const count = (entry?.value as { readonly parts?: number } | undefined)?.parts
        if (entry === undefined || count === undefined) {
          entries.push(entry)
          continue
        }
        let text = ''
        for (let part = 0; part < count; part++) {
          await pause()
          text += parts.get(place(key, part))
        }
        entries.push(deepFreeze({ value: JSON.parse(text) as Json, revision: entry.revision }))
      }
      return entries
    },
    async write(key, expected, value) {
      const text = JSON.stringify(value) ?? ''
      if (text.length <= size || self.present(key) !== expected) return self.write(key, expected, value)
      let count = 0
      for (let start = 0; start < text.length; start += size) {
        await pause()
        parts.set(place(key, count++), text.slice(start, start + size))
      }
      return self.write(key, expected, { parts: count })
    },
    keys: (prefix) => self.keys(prefix),
  }
}

interface Specimen {
  readonly name: string
  readonly open: () => Store | OpenedStore
  /** Promises it breaks; it may break more. */
  readonly breaks: readonly string[]
}

const zoo: readonly Specimen[] = [
  {
    name: 'checks, waits, and then writes: lost updates',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        if (self.present(key) !== expected) return { ok: false }
        await pause()
        return self.put(key, value)
      },
    })),
    breaks: [promise.creators, promise.writers, promise.lost],
  },
  {
    name: 'lets the last writer win',
    open: animal({ same: () => true }),
    breaks: [promise.create, promise.stale, promise.anew, promise.lost, promise.walk],
  },
  {
    name: 'creates over what is there',
    open: animal({ same: (present, expected) => expected === null || present === expected }),
    breaks: [promise.create, promise.others, promise.creators],
  },
  {
    name: 'removes without looking at the revision',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        if (value !== undefined) return Animal.prototype.write.call(self, key, expected, value)
        return self.present(key) === null ? { ok: expected === null, revision: '' } : self.put(key, value)
      },
    })),
    breaks: [promise.stale, promise.writers],
  },
  {
    name: 'takes an update of what is gone for a creation',
    open: animal({ same: (present, expected) => present === null || present === expected }),
    breaks: [promise.anew],
  },
  {
    name: 'changes the revision when it refuses a write',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        const row = self.rows.get(key)
        if (self.present(key) === expected) return self.put(key, value)
        if (row !== undefined) self.rows.set(key, { ...row, revision: `${row.revision}'` })
        return { ok: false }
      },
    })),
    breaks: [promise.create, promise.stale],
  },
  {
    name: 'writes text and revision in two steps: torn writes',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        const row = self.rows.get(key)
        if (self.present(key) !== expected) return { ok: false }
        if (row !== undefined && value !== undefined) {
          self.rows.set(key, { ...row, text: JSON.stringify(value) })
          await pause()
        }
        return self.put(key, value)
      },
    })),
    breaks: [promise.whole],
  },
  {
    name: 'writes a long list in two pieces: torn batches',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        if (self.present(key) !== expected) return { ok: false }
        const row = self.rows.get(key)
        if (row !== undefined && value !== undefined) {
          const next = JSON.stringify(value)
          const half = Math.min(row.text.length, next.length) >> 1
          const torn = next.slice(0, half) + row.text.slice(half)
          const revision = `revision-${++self.writes}`
          self.rows.set(key, { key, text: next.length === row.text.length ? torn : next, revision })
          await pause()
          self.rows.set(key, { key, text: next, revision })
          return { ok: true, revision }
        }
        return self.put(key, value)
      },
    })),
    breaks: [promise.whole],
  },
  {
    name: 'hands out what it keeps, open to changes',
    open: () => {
      const kept = new Map<string, Entry>()
      const self = new Animal()
      return Object.assign(self, {
        entry(key: string) {
          const row = self.rows.get(key)
          if (row === undefined) return undefined
          if (kept.get(key)?.revision !== row.revision)
            kept.set(key, { value: JSON.parse(row.text), revision: row.revision })
          return kept.get(key)
        },
      })
    },
    breaks: [promise.frozen],
  },
  {
    name: 'hands out copies, but open to changes',
    open: animal({ handOut: (entry) => entry }),
    breaks: [promise.frozen],
  },
  {
    name: 'freezes only the outermost object',
    open: animal({ handOut: (entry) => Object.freeze({ ...entry, value: Object.freeze(entry.value) }) }),
    breaks: [promise.frozen],
  },
  {
    name: 'lists with LIKE',
    open: animal({
      starts(key, prefix) {
        const pattern = prefix
          .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
          .replaceAll('%', '[^]*')
          .replaceAll('_', '[^]')
        return new RegExp(`^${pattern}`).test(key)
      },
    }),
    breaks: [promise.prefix],
  },
  {
    name: 'lists with LIKE of a kind that ignores letter case',
    open: animal({ starts: (key, prefix) => key.toLowerCase().startsWith(prefix.toLowerCase()) }),
    breaks: [promise.prefix],
  },
  {
    name: 'lists with a glob',
    open: animal({
      starts(key, prefix) {
        const pattern = prefix
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '[^]*')
          .replaceAll('?', '[^]')
        return new RegExp(`^${pattern}`).test(key)
      },
    }),
    breaks: [promise.prefix],
  },
  {
    name: 'takes scope/10/ for a part of scope/1/',
    open: animal({ starts: (key, prefix) => key.startsWith(prefix.replace(/\/$/, '')) }),
    breaks: [promise.prefix],
  },
  {
    name: 'lists whole segments only',
    open: animal({ starts: (key, prefix) => `${key}/`.startsWith(prefix.replace(/\/?$/, '/')) }),
    breaks: [promise.prefix],
  },
  {
    name: 'counts revisions in numbers too large for a double',
    open: animal({ revision: (write) => String(Number(2n ** 53n + BigInt(write))) }),
    breaks: [promise.revision],
  },
  {
    name: 'compares revisions as numbers',
    open: animal({
      revision: String,
      same: (present, expected) =>
        present === null || expected === null ? present === expected : Number(present) === Number(expected),
    }),
    breaks: [promise.lookalike],
  },
  {
    name: 'compares revisions without regard to letter case',
    open: animal({ same: (present, expected) => present?.toLowerCase() === expected?.toLowerCase() }),
    breaks: [promise.lookalike],
  },
  {
    name: 'counts the revisions of a document from one, again after a removal',
    open: animal({ revision: (_, __, lifetime) => `@${lifetime}` }),
    breaks: [promise.revision],
  },
  {
    name: 'takes the value itself for the revision',
    open: animal({ revision: (_, text) => `hash of ${text}` }),
    breaks: [promise.revision],
  },
  {
    name: 'returns another revision than it keeps',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        const written = await Animal.prototype.write.call(self, key, expected, value)
        return written.ok ? { ok: true, revision: `${written.revision} ` } : written
      },
    })),
    breaks: [promise.written],
  },
  {
    name: 'cuts long texts',
    open: animal({
      encode: (value) =>
        JSON.stringify(each(value, (leaf) => (typeof leaf === 'string' ? leaf.slice(0, 65_535) : leaf))),
    }),
    breaks: [promise.large],
  },
  {
    name: 'keeps only what fits in a megabyte',
    open: animal({ decode: (text) => JSON.parse(text.length > 1_048_576 ? 'null' : text) as Json }),
    breaks: [promise.large],
  },
  {
    name: 'keeps only what fits in four megabytes',
    open: animal({ decode: (text) => JSON.parse(text.length > 4_194_304 ? 'null' : text) as Json }),
    breaks: [promise.large],
  },
  {
    name: 'takes what is large apart, under names that all writers share',
    open: () => inParts(4096),
    breaks: [promise.creators, promise.writers, promise.whole],
  },
  {
    name: 'takes only what is very large apart, under names that all writers share',
    open: () => inParts(1_048_576),
    breaks: [promise.creators, promise.writers, promise.whole],
  },
  {
    name: 'checks, waits, and then removes',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        if (self.present(key) !== expected) return { ok: false }
        if (value === undefined) await pause()
        return self.put(key, value)
      },
    })),
    breaks: [promise.writers],
  },
  {
    name: 'answers in the order of its table',
    open: animal({}, (self) => ({
      async read(keys) {
        const found = [...self.rows.keys()].filter((key) => keys.includes(key)).map((key) => self.entry(key))
        return [...found, ...keys.slice(found.length).map(() => undefined)]
      },
    })),
    breaks: [promise.order],
  },
  {
    name: 'leaves out what is absent',
    open: animal({}, (self) => ({
      read: async (keys) => keys.map((key) => self.entry(key)).filter((entry) => entry !== undefined),
    })),
    breaks: [promise.absent, promise.order, promise.many],
  },
  {
    name: 'answers a repeated key once',
    open: animal({}, (self) => ({ read: async (keys) => [...new Set(keys)].map((key) => self.entry(key)) })),
    breaks: [promise.order],
  },
  {
    name: 'says null for what is absent',
    open: animal({}, (self) => ({
      read: async (keys) => keys.map((key) => self.entry(key) ?? (null as unknown as undefined)),
    })),
    breaks: [promise.absent],
  },
  {
    name: 'takes a limited number of keys at once',
    open: animal({}, (self) => ({
      async read(keys) {
        if (keys.length > 32_766) throw new Error('too many SQL variables')
        return keys.map((key) => self.entry(key))
      },
    })),
    breaks: [promise.many],
  },
  {
    name: 'lists in the order of creation',
    open: animal({ order: () => 0 }),
    breaks: [promise.sorted],
  },
  {
    name: 'lists in the order of a dictionary',
    open: animal({ order: new Intl.Collator('en').compare }),
    breaks: [promise.sorted],
  },
  {
    name: 'lists in the order of code points',
    open: animal({ order: (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) }),
    breaks: [promise.sorted],
  },
  {
    name: 'lists numbers by their size',
    open: animal({ order: new Intl.Collator('en', { numeric: true }).compare }),
    breaks: [promise.sorted],
  },
  {
    name: 'lists a thousand keys at most',
    open: animal({}, (self) => ({
      async *keys(prefix) {
        let rest = 1000
        for await (const key of Animal.prototype.keys.call(self, prefix)) if (rest-- > 0) yield key
      },
    })),
    breaks: [promise.sorted],
  },
  {
    name: 'lists page after page by their number',
    open: animal({}, (self) => ({
      async *keys(prefix) {
        for (let from = 0; ; from += 10) {
          const keys = [...self.rows.keys()].filter((key) => key.startsWith(prefix)).sort()
          yield* keys.slice(from, from + 10)
          if (keys.length <= from + 10) return
        }
      },
    })),
    breaks: [promise.listing],
  },
  {
    name: 'is busy as long as a listing is under way',
    open: () => {
      const self = new Animal()
      let listing = 0
      return Object.assign(self, {
        async *keys(prefix: string) {
          listing++
          try {
            yield* Animal.prototype.keys.call(self, prefix)
          } finally {
            listing--
          }
        },
        async write(key: string, expected: string | null, value: Json | undefined) {
          if (listing > 0) throw new Error('this connection is busy with a query')
          return Animal.prototype.write.call(self, key, expected, value)
        },
      })
    },
    breaks: [promise.listing],
  },
  {
    name: 'lists what was removed',
    open: () => {
      const self = new Animal()
      const ever = new Set<string>()
      return Object.assign(self, {
        write(key: string, expected: string | null, value: Json | undefined) {
          if (value !== undefined) ever.add(key)
          return Animal.prototype.write.call(self, key, expected, value)
        },
        async *keys(prefix: string) {
          yield* [...ever].filter((key) => key.startsWith(prefix)).sort()
        },
      })
    },
    breaks: [promise.removed],
  },
  {
    name: 'keeps keys in UTF-8',
    open: animal({ key: utf8 }),
    breaks: [promise.keys],
  },
  {
    name: 'ends a key at its first NUL',
    open: animal({ key: (key) => key.split('\0')[0] as string }),
    breaks: [promise.keys],
  },
  {
    name: 'ignores spaces at the end of a key',
    open: animal({ key: (key) => key.trimEnd() }),
    breaks: [promise.keys],
  },
  {
    name: 'ignores letter case in keys',
    open: animal({ key: (key) => key.toLowerCase() }),
    breaks: [promise.others, promise.keys],
  },
  {
    name: 'composes the characters of keys',
    open: animal({ key: (key) => key.normalize('NFC') }),
    breaks: [promise.keys],
  },
  {
    name: 'cuts long keys',
    open: animal({ key: (key) => key.slice(0, 127) }),
    breaks: [promise.others],
  },
  {
    name: 'cuts keys that nobody thought could be so long',
    open: animal({ key: (key) => key.slice(0, 200) }),
    breaks: [promise.others],
  },
  {
    name: 'cuts keys at six hundred characters',
    open: animal({ key: (key) => key.slice(0, 600) }),
    breaks: [promise.others],
  },
  {
    name: 'keeps documents in an ordinary object',
    open: () => {
      const documents: Record<string, { value: Json; revision: string }> = {}
      let writes = 0
      return {
        read: async (keys) => keys.map((key) => deepFreeze(documents[key])),
        async write(key, expected, value) {
          if ((documents[key]?.revision ?? null) !== expected) return { ok: false }
          const revision = `r${++writes}`
          if (value === undefined) delete documents[key]
          else documents[key] = { value, revision }
          return { ok: true, revision }
        },
        async *keys(prefix) {
          yield* Object.keys(documents)
            .filter((key) => key.startsWith(prefix))
            .sort()
        },
      }
    },
    breaks: [promise.keys],
  },
  {
    name: 'keeps texts in UTF-8',
    open: animal({
      encode: (value) =>
        JSON.stringify(each(value, (leaf) => (typeof leaf === 'string' ? utf8(leaf) : leaf))),
    }),
    breaks: [promise.texts],
  },
  {
    name: 'ends a text at its first NUL',
    open: animal({
      encode: (value) =>
        JSON.stringify(
          each(value, (leaf) => (typeof leaf === 'string' ? (leaf.split('\0')[0] as string) : leaf)),
        ),
    }),
    breaks: [promise.texts],
  },
  {
    name: 'revives what looks like a date',
    open: animal({
      decode: (text) =>
        each(JSON.parse(text) as Json, (leaf) =>
          typeof leaf === 'string' && /^\d{4}-\d\d-\d\d/.test(leaf) ? new Date(leaf).toISOString() : leaf,
        ),
    }),
    breaks: [promise.texts],
  },
  {
    name: 'sorts the keys of objects',
    open: animal({
      encode: (value) =>
        JSON.stringify(value, (_, inner: unknown) =>
          typeof inner === 'object' && inner !== null && !Array.isArray(inner)
            ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
            : inner,
        ),
    }),
    breaks: [promise.names],
  },
  {
    name: 'copies objects by assignment',
    open: animal({
      decode(text) {
        const copy = (value: Json): Json => {
          if (typeof value !== 'object' || value === null) return value
          if (Array.isArray(value)) return value.map(copy)
          const result: Record<string, Json> = {}
          for (const [key, inner] of Object.entries(value)) result[key] = copy(inner as Json)
          return result
        }
        return copy(JSON.parse(text) as Json)
      },
    }),
    breaks: [promise.names],
  },
  {
    name: 'keeps numbers with six digits',
    open: animal({
      decode: (text) =>
        each(JSON.parse(text) as Json, (leaf) =>
          typeof leaf === 'number' ? Number(leaf.toPrecision(6)) : leaf,
        ),
    }),
    breaks: [promise.numbers],
  },
  {
    name: 'takes texts of digits for numbers',
    open: animal({
      decode: (text) =>
        each(JSON.parse(text) as Json, (leaf) =>
          typeof leaf === 'string' && /^-?\d+$/.test(leaf) ? Number(leaf) : leaf,
        ),
    }),
    breaks: [promise.numbers],
  },
  {
    name: 'takes null for absent',
    open: animal({}, (self) => ({
      write: (key, expected, value) =>
        Animal.prototype.write.call(self, key, expected, value === null ? undefined : value),
    })),
    breaks: [promise.empty],
  },
  {
    name: 'takes whatever is false for absent',
    open: animal({}, (self) => ({
      read: async (keys) =>
        keys.map((key) => {
          const entry = self.entry(key)
          return entry?.value ? entry : undefined
        }),
    })),
    breaks: [promise.empty],
  },
  {
    name: 'keeps copies that other connections do not renew',
    open: () => {
      const self = new Animal()
      const connection = (): Store => {
        const copies = new Map<string, Entry>()
        return {
          read: async (keys) =>
            keys.map((key) => {
              const entry = copies.get(key) ?? self.entry(key)
              if (entry !== undefined) copies.set(key, entry)
              return entry
            }),
          async write(key, expected, value) {
            copies.delete(key)
            return self.write(key, expected, value)
          },
          keys: (prefix) => self.keys(prefix),
        }
      }
      return { store: connection(), peers: [connection()] }
    },
    breaks: [promise.seen, promise.walk],
  },
  {
    name: 'acknowledges first and writes later',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        if (self.present(key) !== expected) return { ok: false }
        const revision = `revision-${++self.writes}`
        void pause()
          .then(pause)
          .then(pause)
          .then(pause)
          .then(() => {
            if (value === undefined) self.rows.delete(key)
            else self.rows.set(key, { key, text: JSON.stringify(value), revision })
          })
        return { ok: true, revision }
      },
    })),
    breaks: [promise.written, promise.seen, promise.lost],
  },
  {
    name: 'drops the oldest document when it has six',
    open: animal({}, (self) => ({
      async write(key, expected, value) {
        const written = await Animal.prototype.write.call(self, key, expected, value)
        const [oldest] = self.rows.keys()
        if (self.rows.size > 6 && oldest !== undefined) self.rows.delete(oldest)
        return written
      },
    })),
    breaks: [promise.others, promise.sorted],
  },
  {
    name: 'forgets a removal when three other writes have followed',
    open: () => {
      const self = new Animal()
      const graves: { readonly row: Row; at: number }[] = []
      return Object.assign(self, {
        async write(key: string, expected: string | null, value: Json | undefined) {
          const row = self.rows.get(key)
          const written = await Animal.prototype.write.call(self, key, expected, value)
          if (written.ok && value === undefined && row !== undefined)
            graves.push({ row, at: self.writes + 3 })
          while (graves[0] !== undefined && graves[0].at <= self.writes) {
            const { row: risen } = graves.shift() as { readonly row: Row }
            if (!self.rows.has(risen.key)) self.rows.set(risen.key, risen)
          }
          return written
        },
      })
    },
    breaks: [promise.walk],
  },
  {
    name: 'forgets everything in a restart',
    open: () => ({ store: new Animal(), reopen: () => new Animal() }),
    breaks: [promise.restart],
  },
  {
    name: 'counts its revisions from one again after a restart',
    open: () => {
      const store = new Animal()
      return { store, reopen: () => Object.assign(new Animal(), { rows: store.rows }) }
    },
    breaks: [promise.restart],
  },
]

/** Which of the promises the store breaks; without a list, of all of them. */
async function broken(open: () => Store | OpenedStore, promises = storePromises()): Promise<string[]> {
  const declared: [string, () => Promise<void>][] = []
  storeContract({
    test: (title, body) => declared.push([title, body]),
    open,
    durable: 'reopen' in open(),
  })
  const titles: string[] = []
  for (const [title, body] of declared)
    if (promises.includes(title)) await body().catch(() => titles.push(title))
  return titles
}

test('the store that all specimens are made from breaks no promise', async () => {
  const open = () => {
    const store = new Animal()
    return { store, peers: [store], reopen: () => store }
  }
  expect(await broken(open)).toEqual([])
})

for (const { name, open, breaks } of zoo) {
  // Only the promises that are asserted: two of the others take most of the time of a run.
  test(`catches a store that ${name}`, async () => {
    expect(new Set(await broken(open, breaks))).toEqual(new Set(breaks))
  })
}

test('every promise is broken by at least one specimen', () => {
  expect(new Set(zoo.flatMap((specimen) => specimen.breaks))).toEqual(new Set(storePromises()))
})
