/** Stores that break the promises about documents and revisions. */
import type { Entry, Json } from 'commandry'
import { AdjustableStore, pause, promise, wrongStore, type Row, type WrongStore } from './adjustable-store.ts'

export const wrongDocuments: readonly WrongStore[] = [
  {
    name: 'lets the last writer win',
    open: wrongStore({ same: () => true }),
    breaks: [promise.create, promise.stale, promise.anew, promise.lost, promise.walk],
  },
  {
    name: 'replaces an existing document on creation',
    open: wrongStore({ same: (present, expected) => expected === null || present === expected }),
    breaks: [promise.create, promise.others, promise.creators],
  },
  {
    name: 'removes without checking the revision',
    open: wrongStore({}, (self) => ({
      async write(key, expected, value) {
        if (value !== undefined) return AdjustableStore.prototype.write.call(self, key, expected, value)
        return self.present(key) === null ? { ok: expected === null, revision: '' } : self.put(key, value)
      },
    })),
    breaks: [promise.stale, promise.writers],
  },
  {
    name: 'creates a removed document on update',
    open: wrongStore({ same: (present, expected) => present === null || present === expected }),
    breaks: [promise.anew],
  },
  {
    name: 'changes the revision when it refuses a write',
    open: wrongStore({}, (self) => ({
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
    name: 'returns its own mutable values',
    open: () => {
      const kept = new Map<string, Entry>()
      const self = new AdjustableStore()
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
    name: 'returns mutable copies',
    open: wrongStore({ output: (entry) => entry }),
    breaks: [promise.frozen],
  },
  {
    name: 'freezes only the outermost object',
    open: wrongStore({ output: (entry) => Object.freeze({ ...entry, value: Object.freeze(entry.value) }) }),
    breaks: [promise.frozen],
  },
  {
    name: 'counts revisions in numbers too large for a double',
    open: wrongStore({ revision: (write) => String(Number(2n ** 53n + BigInt(write))) }),
    breaks: [promise.revision],
  },
  {
    name: 'compares revisions as numbers',
    open: wrongStore({
      revision: String,
      same: (present, expected) =>
        present === null || expected === null ? present === expected : Number(present) === Number(expected),
    }),
    breaks: [promise.lookalike],
  },
  {
    name: 'compares revisions without regard to letter case',
    open: wrongStore({ same: (present, expected) => present?.toLowerCase() === expected?.toLowerCase() }),
    breaks: [promise.lookalike],
  },
  {
    name: 'counts the revisions of a document from one, again after a removal',
    open: wrongStore({ revision: (_, __, lifetime) => `@${lifetime}` }),
    breaks: [promise.revision],
  },
  {
    name: 'uses the value itself as the revision',
    open: wrongStore({ revision: (_, text) => `hash of ${text}` }),
    breaks: [promise.revision],
  },
  {
    name: 'returns another revision than it keeps',
    open: wrongStore({}, (self) => ({
      async write(key, expected, value) {
        const written = await AdjustableStore.prototype.write.call(self, key, expected, value)
        return written.ok ? { ok: true, revision: `${written.revision} ` } : written
      },
    })),
    breaks: [promise.written],
  },
  {
    name: 'returns documents in the order of its table',
    open: wrongStore({}, (self) => ({
      async read(keys) {
        const found = [...self.rows.keys()].filter((key) => keys.includes(key)).map((key) => self.entry(key))
        return [...found, ...keys.slice(found.length).map(() => undefined)]
      },
    })),
    breaks: [promise.order],
  },
  {
    name: 'omits absent documents',
    open: wrongStore({}, (self) => ({
      read: async (keys) => keys.map((key) => self.entry(key)).filter((entry) => entry !== undefined),
    })),
    breaks: [promise.absent, promise.order, promise.many],
  },
  {
    name: 'returns a repeated key once',
    open: wrongStore({}, (self) => ({
      read: async (keys) => [...new Set(keys)].map((key) => self.entry(key)),
    })),
    breaks: [promise.order],
  },
  {
    name: 'returns null for absent documents',
    open: wrongStore({}, (self) => ({
      read: async (keys) => keys.map((key) => self.entry(key) ?? (null as unknown as undefined)),
    })),
    breaks: [promise.absent],
  },
  {
    name: 'accepts a limited number of keys at once',
    open: wrongStore({}, (self) => ({
      async read(keys) {
        if (keys.length > 32_766) throw new Error('too many SQL variables')
        return keys.map((key) => self.entry(key))
      },
    })),
    breaks: [promise.many],
  },
  {
    name: 'lists removed documents',
    open: () => {
      const self = new AdjustableStore()
      const ever = new Set<string>()
      return Object.assign(self, {
        write(key: string, expected: string | null, value: Json | undefined) {
          if (value !== undefined) ever.add(key)
          return AdjustableStore.prototype.write.call(self, key, expected, value)
        },
        async *keys(prefix: string) {
          yield* [...ever].filter((key) => key.startsWith(prefix)).sort()
        },
      })
    },
    breaks: [promise.removed],
  },
  {
    name: 'cuts keys at 127 characters',
    open: wrongStore({ key: (key) => key.slice(0, 127) }),
    breaks: [promise.others],
  },
  {
    name: 'cuts keys at two hundred characters',
    open: wrongStore({ key: (key) => key.slice(0, 200) }),
    breaks: [promise.others],
  },
  {
    name: 'cuts keys at six hundred characters',
    open: wrongStore({ key: (key) => key.slice(0, 600) }),
    breaks: [promise.others],
  },
  {
    name: 'acknowledges first and writes later',
    open: wrongStore({}, (self) => ({
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
    open: wrongStore({}, (self) => ({
      async write(key, expected, value) {
        const written = await AdjustableStore.prototype.write.call(self, key, expected, value)
        const [oldest] = self.rows.keys()
        if (self.rows.size > 6 && oldest !== undefined) self.rows.delete(oldest)
        return written
      },
    })),
    breaks: [promise.others, promise.sorted],
  },
  {
    name: 'restores a removed document after three other writes',
    open: () => {
      const self = new AdjustableStore()
      const removals: { readonly row: Row; at: number }[] = []
      return Object.assign(self, {
        async write(key: string, expected: string | null, value: Json | undefined) {
          const row = self.rows.get(key)
          const written = await AdjustableStore.prototype.write.call(self, key, expected, value)
          if (written.ok && value === undefined && row !== undefined)
            removals.push({ row, at: self.writes + 3 })
          while (removals[0] !== undefined && removals[0].at <= self.writes) {
            const { row: revived } = removals.shift() as { readonly row: Row }
            if (!self.rows.has(revived.key)) self.rows.set(revived.key, revived)
          }
          return written
        },
      })
    },
    breaks: [promise.walk],
  },
  {
    name: 'loses everything in a restart',
    open: () => ({ store: new AdjustableStore(), reopen: () => new AdjustableStore() }),
    breaks: [promise.restart],
  },
  {
    name: 'counts its revisions from one again after a restart',
    open: () => {
      const store = new AdjustableStore()
      return { store, reopen: () => Object.assign(new AdjustableStore(), { rows: store.rows }) }
    },
    breaks: [promise.restart],
  },
]
