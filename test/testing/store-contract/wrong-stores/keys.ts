/** Stores that break the promises about keys and listings. */
import type { Json } from 'commandry'
import { deepFreeze, utf8, wrong, type WrongStore } from './adjustable-store.ts'

/** Compares with a prefix in which two signs stand for any text and for any character. */
const startsWithPattern = (anyText: string, anyCharacter: string) => (key: string, prefix: string) => {
  const signs: Record<string, string> = { [anyText]: '[^]*', [anyCharacter]: '[^]' }
  const pattern = prefix.replace(/[%_.*+?^${}()|[\]\\]/g, (sign) => signs[sign] ?? `\\${sign}`)
  return new RegExp(`^${pattern}`).test(key)
}

/** The text after all that start with a prefix, as long as its last unit is not the last one there is. */
const nextText = (prefix: string) =>
  prefix === ''
    ? '\uffff\uffff'
    : prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)

/** The forms that engines and their drivers give to keys, by what they do to them. */
const forms: Readonly<Record<string, (key: string) => string>> = {
  'ends a key at "#"': (key) => key.split('#')[0] as string,
  'ends a key at "&"': (key) => key.split('&')[0] as string,
  'decodes keys as addresses': (key) => key.replace(/%[0-9a-f]{2}/gi, (code) => decodeURIComponent(code)),
  'takes a plus for a space in keys': (key) => key.replaceAll('+', ' '),
  'joins the slashes of keys': (key) => key.replace(/\/{2,}/g, '/'),
  'drops the first slash of keys': (key) => key.replace(/^\//, ''),
  'resolves dots in keys': (key) => key.replaceAll('/./', '/'),
  'takes backslashes for slashes in keys': (key) => key.replaceAll('\\', '/'),
  'takes tabs for spaces in keys': (key) => key.replaceAll('\t', ' '),
  'ignores invisible characters of keys': (key) => key.replace(/[\u200b\u00ad]/g, ''),
  'ignores the accents of keys': (key) => key.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
  'takes Katakana for Hiragana in keys': (key) =>
    key.replace(/[\u3041-\u3096]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60)),
  'has one sigma for keys': (key) => key.replaceAll('ς', 'σ'),
  'takes the sign of Kelvin for a K in keys': (key) => key.replaceAll('\u212a', 'K'),
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
  wrong('lists up to the next character of the prefix, of which the last one has none', ['prefix'], {
    starts: (key, prefix) => key >= prefix && key < nextText(prefix),
  }),
  wrong('lists by the part of a prefix before "#"', ['prefix'], {
    starts: (key, prefix) => key.startsWith(prefix.split('#')[0] as string),
  }),
  wrong('lists by the first 255 characters of a prefix', ['prefix'], {
    starts: (key, prefix) => key.startsWith(prefix.slice(0, 255)),
  }),
  wrong('lists the first page again and again', ['sorted', 'apart'], {}, (_, correct) => ({
    async *keys(prefix) {
      for (let isMore = true; isMore;) {
        let left = 100
        for await (const key of correct.keys(prefix)) if (left-- > 0) yield key
        isMore = left < 0
      }
    },
  })),
  wrong('begins a listing again after each write', ['listing'], {}, (self, correct) => ({
    async *keys(prefix) {
      for (let writes = -1; writes !== self.writes;) {
        writes = self.writes
        for await (const key of correct.keys(prefix)) {
          yield key
          if (writes !== self.writes) break
        }
      }
    },
  })),
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
  ...Object.entries(forms).map(([name, key]) => wrong(name, ['keys'], { key })),
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
