/** Stores that break the promises about documents and revisions. */
import type { Entry, Json, Store } from 'commandry'
import type { OpenedStore } from 'commandry/testing'
import { AdjustableStore, deepFreeze, pause, type Row, wrong, type WrongStore } from './adjustable-store.ts'

export const wrongDocuments: readonly WrongStore[] = [
  wrong('lets the last writer win', ['create', 'stale', 'anew', 'lost', 'walk'], { same: () => true }),
  wrong('replaces an existing document on creation', ['create', 'others', 'creators'], {
    same: (present, expected) => expected === null || present === expected,
  }),
  wrong('removes without checking the revision', ['stale', 'writers'], {}, (self, correct) => ({
    async write(key, expected, value) {
      if (value !== undefined) return correct.write(key, expected, value)
      return self.present(key) === null ? { ok: expected === null, revision: '' } : self.put(key, value)
    },
  })),
  wrong(
    'takes its own value for its own write',
    ['create', 'stale', 'creators', 'writers', 'lost'],
    {},
    (self, correct) => ({
      async write(key, expected, value) {
        const [written, row] = [await correct.write(key, expected, value), self.rows.get(key)]
        const isThere = value !== undefined && row?.text === JSON.stringify(value)
        return written.ok || !isThere ? written : { ok: true, revision: row.revision }
      },
    }),
  ),
  wrong('takes an empty revision for none', ['anew'], {
    same: (present, expected) => present === (expected || null),
  }),
  wrong('refuses all but the first write', ['written', 'lost', 'writers'], {
    same: (present, expected) => present === null && expected === null,
  }),
  wrong('returns the number of changed rows', ['written', 'creators', 'lost'], {}, (_, correct) => ({
    async write(key, expected, value) {
      const written = await correct.write(key, expected, value)
      return { ...written, ok: written.ok ? 1 : 0 } as never
    },
  })),
  wrong('returns whether it wrote as a boolean', ['written', 'creators', 'lost'], {}, (_, correct) => ({
    write: async (...change) => (await correct.write(...change)).ok as never,
  })),
  wrong('creates a removed document on update', ['anew'], {
    same: (present, expected) => present === null || present === expected,
  }),
  wrong('changes the revision when it refuses a write', ['create', 'stale'], {}, (self) => ({
    async write(key, expected, value) {
      const row = self.rows.get(key)
      if (self.present(key) === expected) return self.put(key, value)
      if (row !== undefined) self.rows.set(key, { ...row, revision: `${row.revision}'` })
      return { ok: false }
    },
  })),
  wrong('returns its own mutable values', ['frozen'], {}, (self) => {
    const kept = new Map<string, Entry>()
    return {
      entry(key: string) {
        const row = self.rows.get(key)
        if (row === undefined) return undefined
        if (kept.get(key)?.revision !== row.revision)
          kept.set(key, { value: JSON.parse(row.text), revision: row.revision })
        return kept.get(key)
      },
    }
  }),
  wrong('returns the entries that it keeps', ['frozen'], {}, (self) => {
    const kept = new Map<string, { value: Json; revision: string }>()
    return {
      entry(key: string) {
        const row = self.rows.get(key)
        if (row === undefined) return undefined
        const known = kept.get(key)
        if (known !== undefined) return known
        const entry = { value: deepFreeze(JSON.parse(row.text) as Json), revision: row.revision }
        kept.set(key, entry)
        return entry
      },
    }
  }),
  wrong('returns mutable copies', ['frozen'], { output: (entry) => entry }),
  wrong('freezes only the outermost object', ['frozen'], {
    output: (entry) => Object.freeze({ ...entry, value: Object.freeze(entry.value) }),
  }),
  wrong('counts revisions in numbers too large for a double', ['revision'], {
    revision: (write) => String(Number(2n ** 53n + BigInt(write))),
  }),
  wrong('compares revisions as numbers', ['lookalike'], {
    revision: String,
    same: (present, expected) =>
      present === null || expected === null ? present === expected : Number(present) === Number(expected),
  }),
  wrong('compares revisions without regard to letter case', ['lookalike'], {
    same: (present, expected) => present?.toLowerCase() === expected?.toLowerCase(),
  }),
  wrong('counts the revisions of a document from one, again after a removal', ['revision'], {
    revision: (_, __, lifetime) => `@${lifetime}`,
  }),
  wrong('repeats one revision', ['revision'], { revision: (write) => `r${write === 3 ? 2 : write}` }),
  wrong('returns numbers as revisions', ['revision'], { revision: (write) => write as never }),
  wrong('uses the value itself as the revision', ['revision'], { revision: (_, text) => `hash of ${text}` }),
  wrong('returns another revision than it keeps', ['written'], {}, (_, correct) => ({
    async write(key, expected, value) {
      const written = await correct.write(key, expected, value)
      return written.ok ? { ok: true, revision: `${written.revision} ` } : written
    },
  })),
  wrong('returns documents in the order of its table', ['order'], {}, (self) => ({
    async read(keys) {
      const found = [...self.rows.keys()].filter((key) => keys.includes(key)).map((key) => self.entry(key))
      return [...found, ...keys.slice(found.length).map(() => undefined)]
    },
  })),
  wrong('omits absent documents', ['absent', 'order', 'many'], {}, (self) => ({
    read: async (keys) => keys.map((key) => self.entry(key)).filter((entry) => entry !== undefined),
  })),
  wrong('returns a repeated key once', ['order'], {}, (self) => ({
    read: async (keys) => [...new Set(keys)].map((key) => self.entry(key)),
  })),
  wrong('returns null for absent documents', ['absent'], {}, (self) => ({
    read: async (keys) => keys.map((key) => self.entry(key) ?? (null as unknown as undefined)),
  })),
  wrong('returns the same list from every read', ['order'], {}, (self) => {
    const found: (Entry | undefined)[] = []
    return {
      async read(keys) {
        found.length = 0
        found.push(...keys.map((key) => self.entry(key)))
        return found
      },
    }
  }),
  wrong('accepts a limited number of keys at once', ['many'], {}, (self) => ({
    async read(keys) {
      if (keys.length > 32_766) throw new Error('too many SQL variables')
      return keys.map((key) => self.entry(key))
    },
  })),
  wrong('lists removed documents', ['removed'], {}, (_, correct) => {
    const ever = new Set<string>()
    return {
      write(key, expected, value) {
        if (value !== undefined) ever.add(key)
        return correct.write(key, expected, value)
      },
      async *keys(prefix) {
        yield* [...ever].filter((key) => key.startsWith(prefix)).sort()
      },
    }
  }),
  ...[127, 200, 600, 768, 1024, 2048].map((most) =>
    wrong(`cuts keys at ${most} characters`, ['others'], { key: (key) => key.slice(0, most) }),
  ),
  wrong('acknowledges first and writes later', ['written', 'seen', 'lost'], {}, (self) => ({
    async write(key, expected, value) {
      if (self.present(key) !== expected) return { ok: false }
      const revision = `revision-${++self.writes}`
      const writeLater = async () => {
        for (let turn = 0; turn < 4; turn++) await pause()
        if (value === undefined) self.rows.delete(key)
        else self.rows.set(key, { key, text: JSON.stringify(value), revision })
      }
      void writeLater()
      return { ok: true, revision }
    },
  })),
  wrong('drops the oldest document when it has six', ['others', 'sorted'], {}, (self, correct) => ({
    async write(key, expected, value) {
      const written = await correct.write(key, expected, value)
      const [oldest] = self.rows.keys()
      if (self.rows.size > 6 && oldest !== undefined) self.rows.delete(oldest)
      return written
    },
  })),
  wrong('restores a removed document after three other writes', ['walk'], {}, (self, correct) => {
    const removals: { readonly row: Row; at: number }[] = []
    return {
      async write(key, expected, value) {
        const row = self.rows.get(key)
        const written = await correct.write(key, expected, value)
        if (written.ok && value === undefined && row !== undefined)
          removals.push({ row, at: self.writes + 3 })
        while (removals[0] !== undefined && removals[0].at <= self.writes) {
          const { row: revived } = removals.shift() as { readonly row: Row }
          if (!self.rows.has(revived.key)) self.rows.set(revived.key, revived)
        }
        return written
      },
    }
  }),
  wrong('loses everything in a restart', ['restart'], () => ({
    store: new AdjustableStore(),
    reopen: () => new AdjustableStore(),
  })),
  wrong('counts its revisions from one again after a restart', ['restart'], () => {
    const store = new AdjustableStore()
    return { store, reopen: () => Object.assign(new AdjustableStore(), { rows: store.rows }) }
  }),
  wrong('counts its revisions from the restored number', ['restored'], () => {
    const store = new AdjustableStore()
    const backUp = async () => {
      const [restore, { writes }] = [store.keep(), store]
      return () => {
        restore()
        store.writes = writes
      }
    }
    return { store, backUp }
  }),
  wrong('keeps a copy of what it wrote, which a restore does not change', ['restored'], () => {
    const self = new AdjustableStore()
    const copies = new Map<string, Entry | undefined>()
    const store: Store = {
      read: async (keys) => keys.map((key) => (copies.has(key) ? copies.get(key) : self.entry(key))),
      async write(key, expected, value) {
        if ((copies.get(key)?.revision ?? null) !== expected) return { ok: false }
        const written = self.put(key, value)
        copies.set(key, self.entry(key))
        return written
      },
      keys: (prefix) => self.keys(prefix),
    }
    return { store, backUp: async () => self.keep() }
  }),
  wrong('reads a removed document after a restart, until something is written', ['restart'], () =>
    untilWritten((store) => ({
      read: async (keys) =>
        (await store.read(keys)).map((entry) => entry ?? deepFreeze({ value: 1, revision: 'gone' })),
    })),
  ),
  wrong('forgets after a restart which revisions are old', ['restart'], () =>
    restarting((store) =>
      restarted(store, {
        same: (present, expected) =>
          present === expected || (present !== null && typeof expected === 'string'),
      }),
    ),
  ),
  wrong('forgets after a restart what was removed', ['restart'], () =>
    restarting((store) =>
      restarted(store, {
        same: (present, expected) =>
          present === expected || (present === null && typeof expected === 'string'),
      }),
    ),
  ),
  wrong('lists nothing after a restart, until something is written', ['restart'], () =>
    untilWritten(() => ({ async *keys() {} })),
  ),
]

/** A store that is right until its restart. */
function restarting(reopen: (store: AdjustableStore) => Store): OpenedStore {
  const store = new AdjustableStore()
  return { store, reopen: () => reopen(store) }
}

/** Another store over the same documents. */
function restarted(
  { rows, writes }: AdjustableStore,
  behaviour?: ConstructorParameters<typeof AdjustableStore>[0],
): AdjustableStore {
  return Object.assign(new AdjustableStore(behaviour), { rows, writes })
}

/** A store that is wrong from its restart until it is asked to write. */
function untilWritten(wrongly: (correct: AdjustableStore) => Partial<Store>): OpenedStore {
  return restarting((store) => {
    const correct = restarted(store)
    let now: Store = Object.assign(restarted(store), wrongly(correct))
    return {
      read: (keys) => now.read(keys),
      keys: (prefix) => now.keys(prefix),
      write(...args) {
        now = correct
        return correct.write(...args)
      },
    }
  })
}
