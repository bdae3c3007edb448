/** Stores that break the promises about keys and listings. */
import { deepFreeze } from '../../../../src/core/freeze.ts'
import type { Json } from 'commandry'
import { utf8, wrong, type WrongStore } from './adjustable-store.ts'

/** Compares with a prefix in which two signs stand for any text and for any character. */
const startsWithPattern = (anyText: string, anyCharacter: string) => (key: string, prefix: string) => {
  const signs: Record<string, string> = { [anyText]: '[^]*', [anyCharacter]: '[^]' }
  const pattern = prefix.replace(/[%_.*+?^${}()|[\]\\]/g, (sign) => signs[sign] ?? `\\${sign}`)
  return new RegExp(`^${pattern}`).test(key)
}

export const wrongKeys: readonly WrongStore[] = [
  wrong('lists with LIKE', ['prefix'], { starts: startsWithPattern('%', '_') }),
  wrong('lists with a LIKE that ignores letter case', ['prefix'], {
    starts: (key, prefix) => key.toLowerCase().startsWith(prefix.toLowerCase()),
  }),
  wrong('lists with a glob', ['prefix'], { starts: startsWithPattern('*', '?') }),
  wrong('lists scope/10/ for the prefix scope/1/', ['prefix'], {
    starts: (key, prefix) => key.startsWith(prefix.replace(/\/$/, '')),
  }),
  wrong('lists whole segments only', ['prefix'], {
    starts: (key, prefix) => `${key}/`.startsWith(prefix.replace(/\/?$/, '/')),
  }),
  wrong('lists in the order of creation', ['sorted'], { order: () => 0 }),
  wrong('lists in the order of a dictionary', ['sorted'], { order: new Intl.Collator('en').compare }),
  wrong('lists in the order of code points', ['sorted'], {
    order: (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
  }),
  wrong('lists numbers by size', ['sorted'], {
    order: new Intl.Collator('en', { numeric: true }).compare,
  }),
  wrong('lists a thousand keys at most', ['sorted'], {}, (_, correct) => ({
    async *keys(prefix) {
      let rest = 1000
      for await (const key of correct.keys(prefix)) if (rest-- > 0) yield key
    },
  })),
  wrong('lists pages by number', ['listing'], {}, (self) => ({
    async *keys(prefix) {
      for (let from = 0; ; from += 10) {
        const keys = [...self.rows.keys()].filter((key) => key.startsWith(prefix)).sort()
        yield* keys.slice(from, from + 10)
        if (keys.length <= from + 10) return
      }
    },
  })),
  wrong('leaves out the key after one that is removed during a listing', ['listing'], {}, (self) => ({
    async *keys(prefix) {
      const begun = [...self.rows.keys()].filter((key) => key.startsWith(prefix)).sort()
      for (let at = 0; ; at++) {
        const key = begun.filter((one) => self.rows.has(one))[at]
        if (key === undefined) return
        yield key
      }
    },
  })),
  wrong('is busy during a listing', ['listing'], {}, (_, correct) => {
    let listing = 0
    return {
      async *keys(prefix) {
        listing++
        try {
          yield* correct.keys(prefix)
        } finally {
          listing--
        }
      },
      async write(key, expected, value) {
        if (listing > 0) throw new Error('this connection is busy with a query')
        return correct.write(key, expected, value)
      },
    }
  }),
  wrong('keeps keys in UTF-8', ['keys'], { key: utf8 }),
  wrong('ends a key at its first NUL', ['keys'], { key: (key) => key.split('\0')[0] as string }),
  wrong('ignores spaces at the end of a key', ['keys'], { key: (key) => key.trimEnd() }),
  wrong('ignores letter case in keys', ['others', 'keys'], { key: (key) => key.toLowerCase() }),
  wrong('composes the characters of keys', ['keys'], { key: (key) => key.normalize('NFC') }),
  wrong(
    'reports a removal but keeps the document when its key has a quotation mark',
    ['keys'],
    {},
    (_, correct) => ({
      async write(key, expected, value) {
        const isKept = value === undefined && key.includes("'")
        return isKept ? { ok: true, revision: 'removed' } : correct.write(key, expected, value)
      },
    }),
  ),
  wrong('keeps documents in an ordinary object', ['keys'], () => {
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
  }),
]
