/**
 * Documents in one SQLite file. docs/storage.md has what the host must know of its connection.
 *
 * SQLite works synchronously: the event loop waits for the disk. While another process writes, the store waits a few
 * milliseconds at a time and lets the event loop run in between; its own writes run one after another, in the order of
 * the calls.
 */
import { argument, optionsOf } from '../core/rules/arguments.ts'
import { optional } from '../core/rules/readers.ts'
import { describeValue } from '../core/text.ts'
import { realTimers } from '../core/timers.ts'
import type { Store } from './store.ts'
import { keyPages, PAGE, queue, textStore, type TextRow, type TextWrite } from './text-store.ts'

/**
 * A connection of `node:sqlite` (Node 22.5 and later), `better-sqlite3` or `bun:sqlite`. Parameters are positional, rows
 * are objects, and a read fetches all rows at once: an open iterator would lock the connection for everyone else.
 */
export interface SqliteDatabase {
  /** Runs statements without parameters. */
  exec(sql: string): unknown
  /** Prepares one statement. */
  prepare(sql: string): SqliteStatement
}

/** A prepared statement of one of the drivers. */
export interface SqliteStatement {
  /** Runs a statement that writes, and returns the number of changed rows. */
  run(...parameters: string[]): { readonly changes: number | bigint }
  /** Runs a statement that reads, and returns its rows. */
  all(...parameters: string[]): unknown[]
}

/** The table and the durability of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** The table: letters, digits and `_`, not starting with a digit. Default: `commandry_documents`. */
  readonly table?: string
  /**
   * `full` (the default) flushes every write. `normal` flushes now and then: a power failure may lose the last writes,
   * but the file stays intact and the writes before them are complete.
   */
  readonly synchronous?: 'full' | 'normal'
  /**
   * How long a write waits for other processes before it fails without writing, in milliseconds; at most 2,147,483,647.
   * Default: 5000.
   */
  readonly busyTimeout?: number
}

// The largest value of SQLite's busy_timeout and of a timer.
const MAX_DELAY = 2 ** 31 - 1

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * A store in a SQLite database that the host opens and closes. Give it its own connection: a transaction of the host
 * that is rolled back would take the store's writes with it.
 *
 * @throws TypeError if an option is invalid
 */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): Store {
  if (typeof database?.prepare !== 'function') {
    const got = describeValue(database)
    throw new TypeError(`sqliteStore: expected an open database, which has the function prepare, got ${got}`)
  }
  const { table = 'commandry_documents', synchronous = 'full', busyTimeout = 5000 } = checkedOptions(options)
  const settings = { table, synchronous, busyTimeout }
  const { retry, inTurn } = busyRetries(busyTimeout)
  let prepared: Statements | undefined
  const statements = () => (prepared ??= prepare(database, settings))
  return textStore({
    keys: (prefix) =>
      keyPages(prefix, (from, to) => retry(() => statements().page.all(from, to) as TextRow[])),
    rows: (keys) =>
      retry(() => {
        const { one, several } = statements()
        return (keys.length === 1 ? one.all(...keys) : several.all(JSON.stringify(keys))) as TextRow[]
      }),
    write: async (change) => (await inTurn(() => write(statements(), change))) > 0,
    nothingWritten,
  })
}

const checkedOptions = /* @__PURE__ */ optionsOf<SqliteStoreOptions>('sqliteStore', {
  table: optional(argument('a plain name', (value) => typeof value === 'string' && NAME.test(value))),
  synchronous: optional(argument("'full' or 'normal'", (value) => value === 'full' || value === 'normal')),
  busyTimeout: optional(
    argument(
      `milliseconds, at most ${MAX_DELAY}`,
      (value) => Number.isSafeInteger(value) && value >= 0 && value <= MAX_DELAY,
    ),
  ),
})

type Statements = ReturnType<typeof prepare>

/** Sets up the connection, creates the table if it is missing, and prepares the statements. */
function prepare(
  database: SqliteDatabase,
  { table, synchronous, busyTimeout }: Required<SqliteStoreOptions>,
) {
  database.exec(`PRAGMA busy_timeout = ${Math.min(busyTimeout, MOMENT)}`)
  // Reports "busy" when several processes open a new file at once.
  execUnlessReadOnly(database, 'PRAGMA journal_mode = WAL')
  // Set in any case: some builds flush only now and then under WAL by default. `fullfsync` matters on macOS only, where
  // a plain fsync leaves the data in the drive's memory.
  database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA fullfsync = ${synchronous === 'full' ? 1 : 0}`)
  execUnlessReadOnly(
    database,
    `CREATE TABLE IF NOT EXISTS "${table}" (key TEXT NOT NULL PRIMARY KEY, revision TEXT NOT NULL, value TEXT NOT NULL)`,
  )
  const columns = 'key, revision, value AS text'
  return {
    one: database.prepare(`SELECT ${columns} FROM "${table}" WHERE key = ?`),
    // One parameter for any number of keys: SQLite allows at most 32,766.
    several: database.prepare(
      `SELECT ${columns} FROM "${table}" WHERE key IN (SELECT value FROM json_each(?))`,
    ),
    page: database.prepare(
      `SELECT key FROM "${table}" WHERE key >= ? AND key < ? ORDER BY key LIMIT ${PAGE}`,
    ),
    create: database.prepare(
      `INSERT INTO "${table}" (key, revision, value) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING`,
    ),
    replace: database.prepare(`UPDATE "${table}" SET revision = ?, value = ? WHERE key = ? AND revision = ?`),
    remove: database.prepare(`DELETE FROM "${table}" WHERE key = ? AND revision = ?`),
  }
}

function execUnlessReadOnly(database: SqliteDatabase, sql: string): void {
  try {
    database.exec(sql)
  } catch (cause) {
    if (resultCode(cause) !== READONLY) throw cause
  }
}

/**
 * Writes or removes a document, and returns 0 if its revision is not the expected one. Uses `run` and its count, not
 * RETURNING and `get`: a driver that stops at the first row may not notice that the commit failed.
 */
function write(
  { one, create, replace, remove }: Statements,
  { key, expected, revision, text }: TextWrite,
): number {
  if (expected === null) {
    if (text === undefined) return one.all(key).length === 0 ? 1 : 0
    return Number(create.run(key, revision, text).changes)
  }
  if (text === undefined) return Number(remove.run(key, expected).changes)
  return Number(replace.run(revision, text, key, expected).changes)
}

/** Repeats what fails because another process is writing, until `busyTimeout` milliseconds have passed. */
function busyRetries(busyTimeout: number) {
  const inOrder = queue()

  async function retry<T>(operation: () => T, since = realTimers.now()): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return operation()
      } catch (cause) {
        if (!isBusy(cause) || realTimers.now() - since >= busyTimeout) throw cause
      }
      await pause(attempt)
    }
  }

  /** The same after all earlier ones: several that wait at once would only block the event loop in turn. */
  function inTurn<T>(operation: () => T): Promise<T> {
    const since = realTimers.now()
    return inOrder(() => retry(operation, since))
  }

  return { retry, inTurn }
}

// How long SQLite itself waits, in milliseconds: it blocks the event loop, and retries at growing intervals, so that the
// process that has waited longest retries least.
const MOMENT = 25
const MAX_PAUSE = 8

/** Waits a few milliseconds, different each time, so that two waiting processes do not retry at the same moments. */
function pause(attempt: number): Promise<void> {
  return realTimers.sleep(1 + ((attempt * 0.618) % 1) * MAX_PAUSE)
}

const BUSY = 5
const BUSY_SNAPSHOT = 517
const READONLY = 8

/** Whether another connection has the lock: nothing was written, and a retry can succeed. */
function isBusy(cause: unknown): boolean {
  if (resultCode(cause) !== BUSY) return false
  // A transaction of the host that started too early never succeeds.
  return !Object.values(codesOf(cause)).some(
    (code) => code === BUSY_SNAPSHOT || code === 'SQLITE_BUSY_SNAPSHOT',
  )
}

// Result codes after which certainly nothing was written, by name and number, because some drivers report one and some
// the other. A failing disk is not among them: it may have kept what it reported as lost.
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

// An error without a result code comes from the driver, for example for a closed database: SQLite was not called.
function nothingWritten(cause: unknown): boolean {
  const code = resultCode(cause)
  return code === undefined || Object.values(NOTHING_WRITTEN).includes(code)
}

/**
 * The primary result code: `errcode` of `node:sqlite`, `errno` of `bun:sqlite`, a name in `better-sqlite3`.
 * -1 for any other name.
 */
function resultCode(cause: unknown): number | undefined {
  const { errcode, errno, code } = codesOf(cause)
  const number = errcode ?? errno
  if (typeof number === 'number') return number & 0xff
  const name = typeof code === 'string' ? /^SQLITE_[A-Z]+/.exec(code)?.[0] : undefined
  return name === undefined ? undefined : (NOTHING_WRITTEN[name] ?? -1)
}

function codesOf(cause: unknown): Readonly<Partial<Record<'errcode' | 'errno' | 'code', unknown>>> {
  if (typeof cause !== 'object' || cause === null) return {}
  const { errcode, errno, code } = cause as Readonly<Record<'errcode' | 'errno' | 'code', unknown>>
  return { errcode, errno, code }
}
