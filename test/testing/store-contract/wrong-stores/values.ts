/** Stores that break the promises about values. */
import type { Json } from 'commandry'
import {
  AdjustableStore,
  deepFreeze,
  type Row,
  utf8,
  withStrings,
  wrong,
  type WrongStore,
} from './adjustable-store.ts'

const withTexts = (change: (text: string) => Json) => (stored: string) =>
  withStrings(JSON.parse(stored) as Json, change)

/** What decoders make of values, with the promise that it breaks. */
const revived: readonly [string, 'written' | 'texts' | 'names' | 'numbers', (value: any) => unknown][] = [
  ['makes dates of texts', 'texts', (value) => (isTime(value) ? new Date(value) : value)],
  ['parses JSON within texts', 'texts', (value) => (/^\{.*\}$/.test(value) ? JSON.parse(value) : value)],
  ['writes UUIDs in small letters', 'texts', (value) => (isUuid(value) ? value.toLowerCase() : value)],
  [
    'makes lists of objects with numbers as keys',
    'names',
    (value) => (isObject(value) && '0' in value ? Object.values(value) : value),
  ],
  [
    'makes buffers of what looks like them',
    'names',
    (value) => (value?.type === 'Buffer' ? Object.assign(Buffer.from(value.data), value) : value),
  ],
  ['drops the ids of its database', 'names', (value) => (isObject(value) ? withoutId(value) : value)],
  ['cuts the keys of objects', 'names', (value) => (isObject(value) ? withShortKeys(value) : value)],
  [
    'returns objects of a class',
    'written',
    (value) => (isObject(value) ? Object.assign(new (class Row {})(), value) : value),
  ],
  [
    'returns objects with defaults in their prototype',
    'written',
    (value) => (isObject(value) ? Object.assign(Object.create({ nsfw: true }), value) : value),
  ],
  [
    'returns fields that are undefined',
    'written',
    (value) => (isObject(value) ? { ...value, nsfw: undefined } : value),
  ],
  [
    'returns large numbers as bigint',
    'numbers',
    (value) => (Number.isInteger(value) && value > 2 ** 31 ? BigInt(value) : value),
  ],
]

const isTime = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(value)
const isUuid = (value: unknown) => typeof value === 'string' && /^[\dA-F-]{36}$/.test(value)
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const withoutId = ({ _id, ...rest }: any): unknown => rest
const withShortKeys = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.slice(0, 255), inner]))

/** A store that writes large documents in parts, which it lists, or reads to the last one there is. */
function inParts(isListed: boolean): AdjustableStore {
  const self = new AdjustableStore()
  const [read, write] = [self.read.bind(self), self.write.bind(self)]
  const parts = isListed ? self.rows : new Map<string, Row>()
  const place = (key: string, part: number) => `${key}#${part}`
  return Object.assign(self, {
    async read(keys: readonly string[]) {
      const entries = await read(keys)
      return entries.map((entry, i) => {
        if (entry?.value !== 'in parts') return entry
        let text = ''
        for (let part = 0; parts.has(place(keys[i]!, part)); part++)
          text += parts.get(place(keys[i]!, part))!.text
        return deepFreeze({ value: JSON.parse(text) as Json, revision: entry.revision })
      })
    },
    async write(key: string, expected: string | null, value: Json | undefined) {
      const text = JSON.stringify(value) ?? ''
      if (text.length <= PART || self.present(key) !== expected) return write(key, expected, value)
      if (isListed) for (const old of [...parts.keys()]) if (old.startsWith(`${key}#`)) parts.delete(old)
      for (let part = 0; part * PART < text.length; part++) {
        const row = { key: place(key, part), text: text.slice(part * PART, (part + 1) * PART), revision: '' }
        parts.set(row.key, row)
      }
      return write(key, expected, 'in parts')
    },
  })
}

const PART = 100_000

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
  ...revived.map(([name, promise, change]) =>
    wrong(name, [promise], { decode: (text) => JSON.parse(text, (_, inner) => change(inner)) as Json }),
  ),
  wrong('lists the parts of large documents', ['large'], () => inParts(true)),
  wrong('reads old parts after the last one of a large document', ['large'], () => inParts(false)),
  ...[null, false, 0, ''].map((empty) =>
    wrong(`treats ${JSON.stringify(empty)} as absent`, ['empty'], {}, (_, correct) => ({
      write: (key, expected, value) => correct.write(key, expected, value === empty ? undefined : value),
    })),
  ),
]
