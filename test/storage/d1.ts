/** A database with the interface and the limits of D1, over SQLite. */
import type { D1Database, D1Statement } from '../../docs/examples/d1-store.ts'
import type { Connection } from './place.ts'

export function openD1(sqlite: Connection): D1Database & { close(): void } {
  sqlite.exec('PRAGMA busy_timeout = 60000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
  const runs = new WeakMap<D1Statement, () => { readonly meta: { readonly changes: number } }>()
  const statement = (sql: string, values: readonly unknown[]): D1Statement => {
    const parameters = values.map((value) => {
      if (Buffer.byteLength(String(value)) > 2_000_000) throw new Error('D1_ERROR: string or blob too big')
      return value as string
    })
    if (parameters.length > 100) throw new Error('D1_ERROR: too many SQL variables')
    const self: D1Statement = {
      bind: (...bound) => statement(sql, bound),
      all: async <T>() => ({ results: sqlite.prepare(sql).all(...parameters) as T[] }),
    }
    const run = () => ({ meta: { changes: Number(sqlite.prepare(sql).run(...parameters).changes) } })
    runs.set(self, run)
    return self
  }
  return {
    prepare: (sql) => statement(sql, []),
    async batch(statements) {
      sqlite.exec('BEGIN IMMEDIATE')
      try {
        const results = statements.map((each) => runs.get(each)!())
        sqlite.exec('COMMIT')
        return results
      } catch (error) {
        sqlite.exec('ROLLBACK')
        throw error
      }
    },
    close: () => void sqlite.close(),
  }
}
