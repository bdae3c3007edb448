/**
 * A store in D1, the SQLite of Cloudflare Workers: a worked example of docs/storage.md, tested on an imitation of D1
 * over SQLite. The engine of text does the rest.
 *
 * D1 allows 2 MB a value, 100 parameters a statement, and no transaction but `batch`, so a large document is several
 * rows. Do not give it a session with read replication: a replica may lack the last writes.
 */
import type { Store } from 'commandry'
import { keyPages, textStore } from 'commandry/storage/text'

/** The `D1Database` of a Worker. */
export interface D1Database {
  prepare(sql: string): D1Statement
  /** Runs all statements, or none. */
  batch(statements: D1Statement[]): Promise<readonly { readonly meta: { readonly changes: number } }[]>
}

export interface D1Statement {
  bind(...values: unknown[]): D1Statement
  all<T>(): Promise<{ readonly results: T[] }>
}

interface Part {
  readonly key: string
  readonly revision: string
  readonly text: string
}

const TABLE = `CREATE TABLE IF NOT EXISTS commandry_documents
  (key TEXT NOT NULL, part INTEGER NOT NULL, revision TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (key, part)) WITHOUT ROWID`
// All keys in one parameter.
const ROWS = `SELECT key, revision, text FROM commandry_documents
  WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key, part`
const KEYS =
  'SELECT key FROM commandry_documents WHERE part = 0 AND key >= ? AND key < ? ORDER BY key LIMIT ?'
const CREATE = `INSERT INTO commandry_documents SELECT ?, 0, ?, ?
  WHERE NOT EXISTS (SELECT 1 FROM commandry_documents WHERE key = ?)`
const REPLACE =
  'UPDATE commandry_documents SET revision = ?, text = ? WHERE key = ? AND part = 0 AND revision = ?'
const REMOVE = 'DELETE FROM commandry_documents WHERE key = ? AND revision = ?'
// Only after the first part was written.
const ADD = `INSERT INTO commandry_documents SELECT key, ?, revision, ? FROM commandry_documents
  WHERE key = ? AND part = 0 AND revision = ?`

/** Characters of a part: at most four bytes each. The flag `u` keeps the halves of a character together. */
const PARTS = /[^]{1,400000}/gu

export function d1Store(database: D1Database): Store & { migrate(): Promise<void> } {
  const all = async <T>(sql: string, ...values: unknown[]) =>
    (
      await database
        .prepare(sql)
        .bind(...values)
        .all<T>()
    ).results
  const store = textStore({
    async rows(keys) {
      const rows = new Map<string, Part>()
      for (const part of await all<Part>(ROWS, JSON.stringify(keys)))
        rows.set(part.key, { ...part, text: (rows.get(part.key)?.text ?? '') + part.text })
      return [...rows.values()]
    },
    keys: (prefix) => keyPages(prefix, (...range) => all(KEYS, ...range)),
    async write({ key, expected, revision, text }) {
      if (expected === null && text === undefined)
        return (await all(ROWS, JSON.stringify([key]))).length === 0
      const [first = '', ...rest] = text?.match(PARTS) ?? []
      const run = (sql: string, ...values: unknown[]) => database.prepare(sql).bind(...values)
      const parts = rest.map((part, i) => run(ADD, i + 1, part, key, revision))
      const others = () => [run(REMOVE, key, expected), ...parts]
      const statements =
        text === undefined
          ? [run(REMOVE, key, expected)]
          : expected === null
            ? [run(CREATE, key, revision, first, key), ...parts]
            : [run(REPLACE, revision, first, key, expected), ...others()]
      return (await database.batch(statements))[0]!.meta.changes > 0
    },
  })
  return { ...store, migrate: async () => void (await database.batch([database.prepare(TABLE)])) }
}
