/**
 * Documents in one SQLite file.
 *
 * Guarantees beyond the contract: an acknowledged write survives a crash of the process and, as the file is
 * flushed with every write, of the machine; several processes on one machine may share the file; one read is of
 * one moment, also when it asks for many documents.
 *
 * Costs: no round trips, one statement a read and one a write, with one flush to disk each write. SQLite works
 * synchronously: the event loop waits for the disk. For another process that is writing it waits a moment at a
 * time, and goes on in between; the store's own writes take turns, in the order in which they were asked for.
 *
 * The store sets the connection up (WAL, synchronous, a busy_timeout of a moment) when it is first used; one that
 * is open for reading only is left as it is. Give it a connection of its own: the host's statements on the same one
 * would be told sooner that the file is busy, and a transaction the host has open would take the store's writes
 * along when it is rolled back. The file must be on a local disk; WAL does not work over a network file system.
 */
import type { Json } from '../core/json.ts'
import { keyPages, PAGE } from './key-pages.ts'
import { decodeEntry, encodeKey, encodeValue, isRevision, newRevision } from './store-codec.ts'
import { storeError } from './store-error.ts'
import type { Entry, Store, Written } from './store.ts'

/**
 * What `node:sqlite` (Node 22.5 and later), `better-sqlite3` and `bun:sqlite` have in common. Parameters are
 * given by position, rows come back as objects, and a read is taken whole: an open iterator would lock the
 * connection for everybody else.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}

export interface SqliteStatement {
  run(...parameters: string[]): { readonly changes: number | bigint }
  all(...parameters: string[]): unknown[]
}

export interface SqliteStoreOptions {
  /** The table, `commandry_documents` if not given: a letter or `_`, then letters, digits and `_`. */
  readonly table?: string
  /**
   * `full` (the default) flushes with every write. `normal` flushes now and then: after a power failure the last
   * writes may be missing, but the file is whole and what is there is in order.
   */
  readonly synchronous?: 'full' | 'normal'
  /**
   * How long, in milliseconds, a write waits for other processes before it fails, nothing written; 5000 if not
   * given, 2,147,483,647 at most.
   */
  readonly busyTimeout?: number
}

interface Statements {
  readonly one: SqliteStatement
  readonly several: SqliteStatement
  readonly page: SqliteStatement
  readonly create: SqliteStatement
  readonly replace: SqliteStatement
  readonly remove: SqliteStatement
}

interface Row {
  readonly k: string
  readonly r: string
  readonly v: string
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A store in a SQLite database that the host has opened, and closes. */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): Store {
  const table = options.table ?? 'commandry_documents'
  const synchronous = options.synchronous ?? 'full'
  const busyTimeout = options.busyTimeout ?? 5000
  if (!NAME.test(table)) throw new TypeError(`table: expected a plain name, got ${JSON.stringify(table)}`)
  if (synchronous !== 'full' && synchronous !== 'normal')
    throw new TypeError(`synchronous: expected 'full' or 'normal', got ${String(synchronous)}`)
  if (!Number.isSafeInteger(busyTimeout) || busyTimeout < 0 || busyTimeout > LONGEST)
    throw new TypeError(`busyTimeout: expected milliseconds, at most ${LONGEST}, got ${String(busyTimeout)}`)

  let prepared: Statements | undefined
  let turn: Promise<unknown> = Promise.resolve()

  /** Does what SQLite may be too busy for, again and again until the time is up. */
  async function patiently<T>(work: () => T, since = performance.now()): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return work()
      } catch (cause) {
        if (!isBusy(cause) || performance.now() - since >= busyTimeout) throw cause
      }
      await pause(attempt)
    }
  }

  /** One write after the other: several that wait at once would only hold up the event loop by turns. */
  function inTurn<T>(work: () => T): Promise<T> {
    const since = performance.now()
    const next = turn.then(() => patiently(work, since))
    turn = next.catch(() => undefined)
    return next
  }

  function statements(): Statements {
    if (prepared !== undefined) return prepared
    database.exec(`PRAGMA busy_timeout = ${Math.min(busyTimeout, MOMENT)}`)
    // Several processes that open a new file at once get in each other's way here, and SQLite then says "busy".
    unlessReadOnly('PRAGMA journal_mode = WAL')
    // Said in any case: some builds flush only now and then under WAL if nobody asks. `fullfsync` matters on
    // macOS alone, where a plain fsync leaves the data in the drive's own memory.
    database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA fullfsync = ${synchronous === 'full' ? 1 : 0}`)
    unlessReadOnly(
      `CREATE TABLE IF NOT EXISTS "${table}" (key TEXT NOT NULL PRIMARY KEY, revision TEXT NOT NULL, value TEXT NOT NULL)`,
    )
    return (prepared = {
      one: database.prepare(`SELECT key AS k, revision AS r, value AS v FROM "${table}" WHERE key = ?`),
      // One parameter for any number of keys: SQLite takes 32,766 at most.
      several: database.prepare(
        `SELECT key AS k, revision AS r, value AS v FROM "${table}" WHERE key IN (SELECT value FROM json_each(?))`,
      ),
      page: database.prepare(
        `SELECT key AS k FROM "${table}" WHERE key >= ? AND key < ? ORDER BY key LIMIT ${PAGE}`,
      ),
      create: database.prepare(
        `INSERT INTO "${table}" (key, revision, value) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING`,
      ),
      replace: database.prepare(
        `UPDATE "${table}" SET revision = ?, value = ? WHERE key = ? AND revision = ?`,
      ),
      remove: database.prepare(`DELETE FROM "${table}" WHERE key = ? AND revision = ?`),
    })
  }

  function unlessReadOnly(sql: string): void {
    try {
      database.exec(sql)
    } catch (cause) {
      if (resultCode(cause) !== READONLY) throw cause
    }
  }

  /** The row count of a write, or `undefined` for what needs no write: removing where nothing must be. */
  function change(key: string, expected: string | null, text: string | undefined, revision: string): number {
    const { one, create, replace, remove } = statements()
    // `run` and its count, not RETURNING and `get`: a driver that stops at the first row may never hear that
    // the commit failed.
    if (expected === null) {
      if (text === undefined) return one.all(key).length === 0 ? 1 : 0
      return Number(create.run(key, revision, text).changes)
    }
    if (text === undefined) return Number(remove.run(key, expected).changes)
    return Number(replace.run(revision, text, key, expected).changes)
  }

  return {
    async read(keys: readonly string[]): Promise<readonly (Entry | undefined)[]> {
      if (keys.length === 0) return []
      const written = keys.map(encodeKey)
      try {
        const rows = (await patiently(() => {
          const { one, several } = statements()
          return written.length === 1 ? one.all(...written) : several.all(JSON.stringify(written))
        })) as Row[]
        const found = new Map(rows.map((row) => [row.k, decodeEntry(row.v, row.r)]))
        return written.map((key) => found.get(key))
      } catch (cause) {
        throw storeError('reading', cause, false)
      }
    },

    async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
      if (expected !== null && !isRevision(expected)) return { ok: false }
      const revision = newRevision()
      try {
        // Written down before its turn comes: the value is the caller's to change.
        const text = value === undefined ? undefined : encodeValue(value)
        const changed = await inTurn(() => change(encodeKey(key), expected, text, revision))
        return changed === 0 ? { ok: false } : { ok: true, revision }
      } catch (cause) {
        throw storeError(`writing ${key}`, cause, !nothingWritten(cause))
      }
    },

    keys: (prefix: string) =>
      keyPages(prefix, (from, to) => patiently(() => statements().page.all(from, to) as Row[])),
  }
}

// What SQLite can count, and a timer too.
const LONGEST = 2 ** 31 - 1
// How long, in milliseconds, SQLite itself waits. It asks for its turn at growing intervals, so whoever has waited
// long asks the least; and all the while nothing else goes on.
const MOMENT = 25
const LONGEST_PAUSE = 8

/** A few milliseconds, never the same twice running: so two who wait do not keep asking at the same time. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1 + ((attempt * 0.618) % 1) * LONGEST_PAUSE))
}

const BUSY = 5
const BUSY_SNAPSHOT = 517
const READONLY = 8

/** Whether another connection is in the way: nothing was written, and soon it may be gone. */
function isBusy(cause: unknown): boolean {
  if (resultCode(cause) !== BUSY) return false
  // A transaction of the host that began too early stays so.
  const { errcode, errno, code } = cause as Readonly<Record<'errcode' | 'errno' | 'code', unknown>>
  return errcode !== BUSY_SNAPSHOT && errno !== BUSY_SNAPSHOT && code !== 'SQLITE_BUSY_SNAPSHOT'
}

// Result codes after which the statement has certainly left nothing behind, by number and by name, since some
// drivers give one and some the other. Not among them: a failing disk, which may have kept what it reported lost.
const NOTHING_WRITTEN: Readonly<Record<string, number>> = {
  SQLITE_ERROR: 1,
  SQLITE_PERM: 3,
  SQLITE_BUSY: BUSY,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: READONLY,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_SCHEMA: 17,
  SQLITE_TOOBIG: 18,
  SQLITE_CONSTRAINT: 19,
  SQLITE_AUTH: 23,
  SQLITE_NOTADB: 26,
}
const CERTAIN: ReadonlySet<number> = new Set(Object.values(NOTHING_WRITTEN))

// What carries no result code never came as far as SQLite: a closed database, a driver's own complaint.
function nothingWritten(cause: unknown): boolean {
  const code = resultCode(cause)
  return code === undefined || CERTAIN.has(code)
}

/**
 * The primary result code: `errcode` of `node:sqlite`, `errno` of `bun:sqlite`, a name in `better-sqlite3`.
 * -1 for a name not listed above.
 */
function resultCode(cause: unknown): number | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined
  const { errcode, errno, code } = cause as Readonly<Record<'errcode' | 'errno' | 'code', unknown>>
  if (typeof errcode === 'number') return errcode & 0xff
  if (typeof errno === 'number') return errno & 0xff
  const name = typeof code === 'string' ? /^SQLITE_[A-Z]+/.exec(code)?.[0] : undefined
  return name === undefined ? undefined : (NOTHING_WRITTEN[name] ?? -1)
}
