/** Stores that break the promises about keys and listings. */
import { deepFreeze } from '../../../src/core/freeze.ts'
import type { Json } from 'commandry'
import { AdjustableStore, promise, utf8, wrongStore, type WrongStore } from './adjustable-store.ts'

export const wrongKeys: readonly WrongStore[] = [
  {
    name: 'lists with LIKE',
    open: wrongStore({
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
    name: 'lists with a LIKE that ignores letter case',
    open: wrongStore({ starts: (key, prefix) => key.toLowerCase().startsWith(prefix.toLowerCase()) }),
    breaks: [promise.prefix],
  },
  {
    name: 'lists with a glob',
    open: wrongStore({
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
    name: 'lists scope/10/ for the prefix scope/1/',
    open: wrongStore({ starts: (key, prefix) => key.startsWith(prefix.replace(/\/$/, '')) }),
    breaks: [promise.prefix],
  },
  {
    name: 'lists whole segments only',
    open: wrongStore({ starts: (key, prefix) => `${key}/`.startsWith(prefix.replace(/\/?$/, '/')) }),
    breaks: [promise.prefix],
  },
  {
    name: 'lists in the order of creation',
    open: wrongStore({ order: () => 0 }),
    breaks: [promise.sorted],
  },
  {
    name: 'lists in the order of a dictionary',
    open: wrongStore({ order: new Intl.Collator('en').compare }),
    breaks: [promise.sorted],
  },
  {
    name: 'lists in the order of code points',
    open: wrongStore({ order: (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) }),
    breaks: [promise.sorted],
  },
  {
    name: 'lists numbers by their size',
    open: wrongStore({ order: new Intl.Collator('en', { numeric: true }).compare }),
    breaks: [promise.sorted],
  },
  {
    name: 'lists a thousand keys at most',
    open: wrongStore({}, (self) => ({
      async *keys(prefix) {
        let rest = 1000
        for await (const key of AdjustableStore.prototype.keys.call(self, prefix)) if (rest-- > 0) yield key
      },
    })),
    breaks: [promise.sorted],
  },
  {
    name: 'lists pages by number',
    open: wrongStore({}, (self) => ({
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
    name: 'is busy during a listing',
    open: () => {
      const self = new AdjustableStore()
      let listing = 0
      return Object.assign(self, {
        async *keys(prefix: string) {
          listing++
          try {
            yield* AdjustableStore.prototype.keys.call(self, prefix)
          } finally {
            listing--
          }
        },
        async write(key: string, expected: string | null, value: Json | undefined) {
          if (listing > 0) throw new Error('this connection is busy with a query')
          return AdjustableStore.prototype.write.call(self, key, expected, value)
        },
      })
    },
    breaks: [promise.listing],
  },
  {
    name: 'keeps keys in UTF-8',
    open: wrongStore({ key: utf8 }),
    breaks: [promise.keys],
  },
  {
    name: 'ends a key at its first NUL',
    open: wrongStore({ key: (key) => key.split('\0')[0] as string }),
    breaks: [promise.keys],
  },
  {
    name: 'ignores spaces at the end of a key',
    open: wrongStore({ key: (key) => key.trimEnd() }),
    breaks: [promise.keys],
  },
  {
    name: 'ignores letter case in keys',
    open: wrongStore({ key: (key) => key.toLowerCase() }),
    breaks: [promise.others, promise.keys],
  },
  {
    name: 'composes the characters of keys',
    open: wrongStore({ key: (key) => key.normalize('NFC') }),
    breaks: [promise.keys],
  },
  {
    name: 'keeps documents in an ordinary object',
    open: () => {
      const documents: Record<string, { value: Json; revision: string }> = {}
      let writes = 0
      return {
        read: async (keys) => keys.map((key) => documents[key]),
        async write(key, expected, value) {
          if ((documents[key]?.revision ?? null) !== expected) return { ok: false }
          const revision = `r${++writes}`
          if (value === undefined) delete documents[key]
          // Frozen here: frozen by `read`, `__proto__` would freeze the objects of every test.
          else documents[key] = deepFreeze({ value, revision })
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
]
