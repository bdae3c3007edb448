/** Stores that break the promises about values. */
import type { Json } from 'commandry'
import { utf8, withStrings, wrong, type WrongStore } from './adjustable-store.ts'

const withTexts = (change: (text: string) => Json) => (stored: string) =>
  withStrings(JSON.parse(stored) as Json, change)

export const wrongValues: readonly WrongStore[] = [
  wrong('cuts long strings', ['large'], {
    encode: (value) => JSON.stringify(withStrings(value, (text) => text.slice(0, 65_535))),
  }),
  wrong('keeps documents only up to one megabyte', ['large'], {
    decode: (text) => JSON.parse(text.length > 1_048_576 ? 'null' : text) as Json,
  }),
  wrong('keeps documents only up to four megabytes', ['large'], {
    decode: (text) => JSON.parse(text.length > 4_194_304 ? 'null' : text) as Json,
  }),
  wrong('keeps strings in UTF-8', ['texts'], { encode: (value) => JSON.stringify(withStrings(value, utf8)) }),
  wrong('ends a string at its first NUL', ['texts'], {
    encode: (value) => JSON.stringify(withStrings(value, (text) => text.split('\0')[0]!)),
  }),
  wrong('converts strings that look like dates', ['texts'], {
    decode: withTexts((text) => (/^\d{4}-\d\d-\d\d/.test(text) ? new Date(text).toISOString() : text)),
  }),
  wrong('sorts the keys of objects', ['names'], {
    encode: (value) =>
      JSON.stringify(value, (_, inner: unknown) =>
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
          : inner,
      ),
  }),
  wrong('copies objects by assignment', ['names'], {
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
  wrong('keeps numbers with six digits', ['numbers'], {
    decode: (text) =>
      JSON.parse(text, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(6)) : one)) as Json,
  }),
  wrong('converts strings of digits to numbers', ['numbers'], {
    decode: withTexts((text) => (/^-?\d+$/.test(text) ? Number(text) : text)),
  }),
  ...[null, false, 0, ''].map((empty) =>
    wrong(`treats ${JSON.stringify(empty)} as absent`, ['empty'], {}, (_, correct) => ({
      write: (key, expected, value) => correct.write(key, expected, value === empty ? undefined : value),
    })),
  ),
]
