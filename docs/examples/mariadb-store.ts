/**
 * A store in a table of MariaDB or MySQL: a worked example of docs/storage.md. The engine of text does the rest.
 *
 * Give it a pool of `mysql2/promise` on the primary server. `max_allowed_packet` of the server limits a document; the
 * default of MariaDB is 16 MiB.
 */
import type { Store } from 'commandry'
import { keyPages, textStore, type TextRow } from 'commandry/storage/text'

/** A `Pool` of `mysql2/promise`. */
export interface MariaDbPool {
  query(sql: string): Promise<readonly [unknown, ...unknown[]]>
  execute(sql: string, values: string[]): Promise<readonly [unknown, ...unknown[]]>
}

// Keys are bytes, so that no collation makes two of them equal.
const TABLE = `CREATE TABLE IF NOT EXISTS commandry_documents
  (id VARBINARY(3000) PRIMARY KEY, revision CHAR(36) CHARACTER SET ascii NOT NULL, text LONGTEXT CHARACTER SET utf8mb4 NOT NULL)`
const KEYS = 'SELECT CONVERT(id USING ascii) AS `key` FROM commandry_documents'
const ROWS = 'SELECT CONVERT(id USING ascii) AS `key`, revision, text FROM commandry_documents'

export function mariaDbStore(pool: MariaDbPool): Store & { migrate(): Promise<void> } {
  const select = async (sql: string) => (await pool.query(sql))[0] as TextRow[]
  const rows = (keys: readonly string[]) => select(`${ROWS} WHERE id IN (${keys.map(literal).join()})`)
  const store = textStore({
    rows,
    keys: (prefix) =>
      keyPages(prefix, (from, to, limit) =>
        select(`${KEYS} WHERE id >= ${literal(from)} AND id < ${literal(to)} ORDER BY id LIMIT ${limit}`),
      ),
    async write({ key, expected, revision, text }) {
      if (expected === null && text === undefined) return (await rows([key])).length === 0
      // IGNORE would also cut what is too long, instead of refusing it.
      if (expected === null)
        return change(pool, 'INSERT INTO commandry_documents VALUES (?, ?, ?)', [key, revision, text!])
      const where = 'WHERE id = ? AND revision = ?'
      if (text === undefined) return change(pool, `DELETE FROM commandry_documents ${where}`, [key, expected])
      return change(pool, `UPDATE commandry_documents SET revision = ?, text = ? ${where}`, [
        revision,
        text,
        key,
        expected,
      ])
    },
    // The server refused the statement, or rolled it back. Errors of a connection have another state, or none.
    nothingWritten: (cause) => /^(?:0A|2[0-8]|4[0-2])/.test((cause as { sqlState?: string }).sqlState ?? ''),
  })
  return { ...store, migrate: async () => void (await pool.query(TABLE)) }
}

/** A key in SQL: in hex, which needs no escaping. */
const literal = (key: string) => `X'${Buffer.from(key).toString('hex')}'`

const DUPLICATE = 1062
const DEADLOCK = 1213

/** Whether a statement changed a row. */
async function change(pool: MariaDbPool, sql: string, values: string[]): Promise<boolean> {
  for (;;) {
    try {
      return ((await pool.execute(sql, values))[0] as { readonly affectedRows: number }).affectedRows > 0
    } catch (error) {
      const { errno } = error as { readonly errno?: number }
      if (errno === DUPLICATE) return false
      // Rolled back for another statement: it can run again.
      if (errno !== DEADLOCK) throw error
    }
  }
}
