/** What adapters to engines of text have in common: the forms of keys and values, revisions, the cache and errors. */
import { after, decodeKey, encodeKey, entryCache, isRevision, keyRange, newRevision } from './store-codec.ts'
import { storeError } from './store-error.ts'
import type { Store } from './store.ts'

/** A document in an engine. */
export interface Row {
  /** In the form that the engine stores. */
  readonly key: string
  readonly revision: string
  /** JSON. */
  readonly text: string
}

export interface TextWrite {
  readonly key: string
  /** The key in the form that the engine stores. */
  readonly writtenKey: string
  /** The revision that the document must have; null if there must be no document. */
  readonly expected: string | null
  /** The next revision. */
  readonly revision: string
  /** JSON; undefined to remove the document. */
  readonly text: string | undefined
}

/** An engine that stores text. Its errors are those of the driver. */
export interface TextEngine {
  /** The written keys that start with a written prefix, sorted by bytes. */
  keys(prefix: string): AsyncIterable<string>
  /** The documents with these written keys, which differ, in any order; absent ones are left out. */
  rows(writtenKeys: string[]): Promise<readonly Row[]>
  /** Writes a document; false if its revision is not the expected one. */
  write(change: TextWrite): Promise<boolean>
  /** Whether a write that failed with this error certainly wrote nothing. */
  nothingWritten(cause: unknown): boolean
}

export function textStore(engine: TextEngine): Store {
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
        const writtenKey = encodeKey(key)
        if (!(await engine.write({ key, writtenKey, expected, revision, text }))) return { ok: false }
        cache.replace(expected, revision, value, text)
        return { ok: true, revision }
      } catch (cause) {
        throw storeError(`writing ${key}`, cause, !engine.nothingWritten(cause))
      }
    },
  }
}

/** The number of keys that one page has at most. */
export const PAGE = 500

/** @param fetchPage returns the first `PAGE` written keys from `from`, up to but without `to` */
export async function* keyPages(
  prefix: string,
  fetchPage: (from: string, to: string) => Promise<readonly Pick<Row, 'key'>[]>,
): AsyncGenerator<string> {
  let { from, to } = keyRange(prefix)
  for (;;) {
    const rows = await fetchPage(from, to)
    for (const { key } of rows) yield key
    const last = rows[PAGE - 1]
    if (last === undefined) return
    from = after(last.key)
  }
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
