/**
 * Stores over engines that hold text: an adapter only says how its engine reads, writes and lists rows of a key, a
 * revision and a text. The forms of keys and values, revisions, the cache of parsed documents and errors are here.
 */
import { after, decodeKey, encodeKey, entryCache, isRevision, keyRange, newRevision } from './store-codec.ts'
import { storeError } from './store-error.ts'
import type { Store } from './store.ts'

/** A document as an engine holds it. */
export interface TextRow {
  /** The key of the row: printable ASCII, so no collation and no encoding of the engine changes it. */
  readonly key: string
  /** 36 characters of ASCII. */
  readonly revision: string
  /** JSON. */
  readonly text: string
}

/** A write of one row. */
export interface TextWrite {
  /** The key of the row. */
  readonly key: string
  /** The key of the document, which announcements of the write name. */
  readonly documentKey: string
  /** The revision that the row must have; null if there must be no row. */
  readonly expected: string | null
  /** The next revision. */
  readonly revision: string
  /** JSON; undefined to remove the row. */
  readonly text: string | undefined
}

/** An engine that stores text, which an adapter implements. Its functions reject with the errors of the driver. */
export interface TextEngine {
  /** The rows with these keys, which differ, in any order and without the missing ones. */
  rows(keys: string[]): Promise<readonly TextRow[]>
  /** Writes, replaces or removes a row in one atomic step; false if its revision is not the expected one. */
  write(change: TextWrite): Promise<boolean>
  /** The keys of the rows that start with a prefix, in the order of their bytes; see `keyPages`. */
  keys(prefix: string): AsyncIterable<string>
  /** Whether a write that failed with this error certainly wrote nothing. Default: never certain. */
  nothingWritten?(cause: unknown): boolean
}

/**
 * A store over an engine of text. It is correct if the engine is; run `storeContract` on it.
 *
 * @throws TypeError if a function of the engine is missing
 */
export function textStore(engine: TextEngine): Store {
  for (const name of ['rows', 'write', 'keys'] as const)
    if (typeof engine?.[name] !== 'function')
      throw new TypeError(`textStore: expected an engine with the function ${name}`)
  const cache = entryCache()
  return {
    async *keys(prefix) {
      try {
        for await (const key of engine.keys(encodeKey(prefix))) yield decodeKey(key)
      } catch (cause) {
        throw storeError('listing keys', cause, false)
      }
    },
    async read(keys) {
      if (keys.length === 0) return []
      const written = keys.map(encodeKey)
      try {
        const rows = await engine.rows([...new Set(written)])
        const entries = new Map(rows.map(({ key, revision, text }) => [key, cache.decode(text, revision)]))
        return written.map((key) => entries.get(key))
      } catch (cause) {
        throw storeError('reading', cause, false)
      }
    },
    async write(key, expected, value) {
      if (expected !== null && !isRevision(expected)) return { ok: false }
      const revision = newRevision()
      // Encoded before the engine waits for anything: the caller may change the value meanwhile. JSON text escapes
      // unpaired surrogates and control characters.
      const text = value === undefined ? undefined : JSON.stringify(value)
      try {
        const change = { key: encodeKey(key), documentKey: key, expected, revision, text }
        if (!(await engine.write(change))) return { ok: false }
        cache.replace(expected, revision, value, text)
        return { ok: true, revision }
      } catch (cause) {
        throw storeError(`writing ${key}`, cause, engine.nothingWritten?.(cause) !== true)
      }
    },
  }
}

/** The number of keys that `keyPages` asks for at once. */
export const PAGE = 500

/**
 * The keys of an engine that lists ranges of them, page by page: for `TextEngine.keys`.
 *
 * @param fetchPage returns the first `limit` rows from the key `from` on, up to but without `to`, by the bytes of keys
 */
export async function* keyPages(
  prefix: string,
  fetchPage: (from: string, to: string, limit: number) => Promise<readonly Pick<TextRow, 'key'>[]>,
): AsyncGenerator<string> {
  // By hand: an adapter needs no more of the readers of arguments.
  if (typeof prefix !== 'string') throw new TypeError(`prefix: expected a string, got ${typeof prefix}`)
  if (typeof fetchPage !== 'function')
    throw new TypeError(`fetchPage: expected a function, got ${typeof fetchPage}`)
  let { from, to } = keyRange(prefix)
  for (;;) {
    const rows = await fetchPage(from, to, PAGE)
    for (const row of rows) yield keyOf(row)
    const last = rows[PAGE - 1]
    if (last === undefined) return
    from = after(last.key)
  }
}

/** The key of a row. @throws TypeError for a driver that returns rows of another form, such as lists */
function keyOf(row: Pick<TextRow, 'key'>): string {
  if (typeof row?.key === 'string') return row.key
  throw new TypeError(
    `keyPages: expected rows with a text as key, such as { key: 'a' }, got ${JSON.stringify(row)}`,
  )
}

/** A function that starts each operation when the earlier ones have ended. */
export function queue() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(operation: () => PromiseLike<Result>): Promise<Result> => {
    const next = last.then(operation)
    last = next.catch(() => {})
    return next
  }
}
