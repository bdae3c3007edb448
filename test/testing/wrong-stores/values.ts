/** Stores that break the promises about values. */
import type { Json } from 'commandry'
import { AdjustableStore, each, promise, utf8, wrongStore, type WrongStore } from './adjustable-store.ts'

export const wrongValues: readonly WrongStore[] = [
  {
    name: 'cuts long strings',
    open: wrongStore({
      encode: (value) =>
        JSON.stringify(each(value, (leaf) => (typeof leaf === 'string' ? leaf.slice(0, 65_535) : leaf))),
    }),
    breaks: [promise.large],
  },
  {
    name: 'keeps documents only up to one megabyte',
    open: wrongStore({ decode: (text) => JSON.parse(text.length > 1_048_576 ? 'null' : text) as Json }),
    breaks: [promise.large],
  },
  {
    name: 'keeps documents only up to four megabytes',
    open: wrongStore({ decode: (text) => JSON.parse(text.length > 4_194_304 ? 'null' : text) as Json }),
    breaks: [promise.large],
  },
  {
    name: 'keeps strings in UTF-8',
    open: wrongStore({
      encode: (value) =>
        JSON.stringify(each(value, (leaf) => (typeof leaf === 'string' ? utf8(leaf) : leaf))),
    }),
    breaks: [promise.texts],
  },
  {
    name: 'ends a string at its first NUL',
    open: wrongStore({
      encode: (value) =>
        JSON.stringify(
          each(value, (leaf) => (typeof leaf === 'string' ? (leaf.split('\0')[0] as string) : leaf)),
        ),
    }),
    breaks: [promise.texts],
  },
  {
    name: 'converts strings that look like dates',
    open: wrongStore({
      decode: (text) =>
        each(JSON.parse(text) as Json, (leaf) =>
          typeof leaf === 'string' && /^\d{4}-\d\d-\d\d/.test(leaf) ? new Date(leaf).toISOString() : leaf,
        ),
    }),
    breaks: [promise.texts],
  },
  {
    name: 'sorts the keys of objects',
    open: wrongStore({
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
    open: wrongStore({
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
    open: wrongStore({
      decode: (text) =>
        each(JSON.parse(text) as Json, (leaf) =>
          typeof leaf === 'number' ? Number(leaf.toPrecision(6)) : leaf,
        ),
    }),
    breaks: [promise.numbers],
  },
  {
    name: 'converts strings of digits to numbers',
    open: wrongStore({
      decode: (text) =>
        each(JSON.parse(text) as Json, (leaf) =>
          typeof leaf === 'string' && /^-?\d+$/.test(leaf) ? Number(leaf) : leaf,
        ),
    }),
    breaks: [promise.numbers],
  },
  {
    name: 'treats null as absent',
    open: wrongStore({}, (self) => ({
      write: (key, expected, value) =>
        AdjustableStore.prototype.write.call(self, key, expected, value === null ? undefined : value),
    })),
    breaks: [promise.empty],
  },
  {
    name: 'treats every falsy value as absent',
    open: wrongStore({}, (self) => ({
      read: async (keys) =>
        keys.map((key) => {
          const entry = self.entry(key)
          return entry?.value ? entry : undefined
        }),
    })),
    breaks: [promise.empty],
  },
]
