/**
 * How adapters write keys, values and revisions to an engine that stores text.
 *
 * A key can be any JavaScript string, and keys differ if one UTF-16 unit differs. Engines treat NUL, unpaired
 * surrogates, letter case, trailing spaces and sort order differently, so a key is written in printable ASCII; an
 * ordinary key is written unchanged. Three properties hold: different keys are written differently; a key starts with
 * a prefix exactly when its written form starts with that of the prefix; written keys sort by bytes as the keys do by
 * UTF-16 units.
 */
import { BoundedMap } from '../core/bounded-map.ts'
import { deepFreeze } from '../core/freeze.ts'
import { uniqueText } from '../core/random.ts'
import type { Json } from '../core/json.ts'
import type { Entry } from './store.ts'

// `!` to `}` are written unchanged. Units below are written as a space and four hex digits, units above as `~` and four,
// and so are space and `~` themselves. No code is the start of another.
const ESCAPED = /[^!-}]/g
const CODE = /[ ~]([0-9a-f]{4})/g

export function encodeKey(key: string): string {
  return key.replace(ESCAPED, (unit) => (unit < '!' ? ' ' : '~') + hex(unit))
}

function hex(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0')
}

export function decodeKey(text: string): string {
  return text.replace(CODE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** The range of the written keys that start with a written prefix: from `from`, up to but without `to`. */
export function keyRange(prefix: string): { readonly from: string; readonly to: string } {
  return { from: prefix, to: `${prefix}\x7f` }
}

/** The first text that can be a written key and sorts after this one. */
export function after(text: string): string {
  return `${text} `
}

/**
 * A new revision. A random UUID never repeats, also not after the database is restored from a backup, where a counter
 * would return revisions that readers still hold.
 */
export function newRevision(): string {
  return uniqueText()
}

export const REVISION_LENGTH = 36

const REVISION = /^[0-9a-f-]{36}$/

/** Whether a text has the form of a revision. If not, it cannot be the current one. */
export function isRevision(text: string): boolean {
  return REVISION.test(text)
}

/** JSON in ASCII, for an engine that cannot store every character. */
export function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${hex(unit)}`)
}

/** How many characters of JSON a cache keeps the documents of. Parsed they take about twice as many bytes. */
const KEPT_CHARACTERS = 4_000_000

/**
 * The documents of one store that were read or written last, so that none of them is parsed again. Safe because a
 * revision never repeats.
 */
export function entryCache(limit = KEPT_CHARACTERS) {
  // In the order in which they were used last.
  const kept = new BoundedMap<string, { readonly entry: Entry; readonly length: number }>(
    limit,
    ({ length }) => length,
  )
  const add = (entry: Entry, { length }: string) => {
    if (length <= limit) kept.set(entry.revision, { entry, length })
  }
  return {
    /** The document of a revision, parsed unless it is kept. */
    decode(text: string, revision: string): Entry {
      const known = kept.get(revision)?.entry
      const entry = known ?? Object.freeze({ value: deepFreeze(JSON.parse(text) as Json), revision })
      kept.delete(revision)
      add(entry, text)
      return entry
    },
    /** Drops what a write replaced, and keeps what it wrote if that is frozen: otherwise the caller may still change it. */
    replace(
      expected: string | null,
      revision: string,
      value: Json | undefined,
      text: string | undefined,
    ): void {
      if (expected !== null) kept.delete(expected)
      if (value !== undefined && text !== undefined && Object.isFrozen(value))
        add(Object.freeze({ value, revision }), text)
    },
  }
}
