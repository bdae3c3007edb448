/**
 * Documents in one table of PostgreSQL, or of a database that speaks its protocol and SQL. docs/storage.md has the
 * settings of the drivers.
 *
 * A write touches one row by its primary key, in a statement that is its own transaction. In a database whose encoding
 * lacks a character, documents are written as ASCII JSON from the first write on that needs it.
 */
import { argument, optionsOf } from '../core/rules/arguments.ts'
import { nullable, optional } from '../core/rules/readers.ts'
import { listenToPostgres } from './postgres-listen.ts'
import { asciiJson } from './store-codec.ts'
import { storeError } from './store-error.ts'
import type { Store } from './store.ts'
import { keyPages, PAGE, queue, textStore, type TextRow } from './text-store.ts'

/** A `Pool` or `Client` of `pg`, or a `PGlite`. */
export interface PostgresQueryClient {
  /** Runs a statement with positional parameters. */
  query(text: string, values: string[]): PromiseLike<{ readonly rows: readonly unknown[] }>
}

/** The `sql` of `postgres`, or a `SQL` of Bun. */
export interface PostgresUnsafeClient {
  /** Runs a statement with positional parameters. */
  unsafe(text: string, values: string[], options: { prepare: boolean }): PromiseLike<readonly unknown[]>
}

/** The clients that `postgresStore` takes. */
export type PostgresClient = PostgresQueryClient | PostgresUnsafeClient

/** The table of `postgresStore`. */
export interface PostgresStoreOptions {
  /** The table: a plain name or `schema.name`. Default: `commandry_documents`. */
  readonly table?: string
  /**
   * A channel to NOTIFY of every write, within the same statement, so only committed writes are announced. The payload
   * is `{"key":…,"revision":…}`, at most 8000 bytes; `followChanges` receives it. A name of 1 to 63 bytes.
   * PostgreSQL commits transactions that notify one at a time.
   */
  readonly notify?: string
}

/** A store in PostgreSQL. */
export interface PostgresStore extends Store {
  /**
   * Creates the table if it is missing. Many processes may call it at once. Needed only if the store's account may not
   * create tables; otherwise the first use creates it.
   */
  migrate(): Promise<void>
}

// A conflict is over when the statement runs again, unless another one takes its place.
const ATTEMPTS = 10
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

const checkedOptions = /* @__PURE__ */ optionsOf<PostgresStoreOptions>('postgresStore', {
  table: nullable(argument('a plain name of at most 63 characters, or schema.name', isTable)),
  notify: optional(
    argument(
      'a name of 1 to 63 bytes',
      (value) => typeof value === 'string' && value !== '' && new TextEncoder().encode(value).length <= 63,
    ),
  ),
})

/**
 * A store in a PostgreSQL database, over a client that the host opens and closes. Use the primary, and no client inside
 * a transaction: an acknowledged write would not be committed yet.
 *
 * @throws TypeError if the client or an option is invalid
 */
export function postgresStore(client: PostgresClient, options: PostgresStoreOptions = {}): PostgresStore {
  const { notify, table = 'commandry_documents' } = checkedOptions(options)
  const sql = statements(quotedTable(table), notify !== undefined)
  const run = runner(sender(Object(client)), sql)
  const writeText = textWriter(run, sql)
  const store = textStore({
    keys: (prefix) => keyPages(prefix, (from, to) => run(sql.page, [from, to])),
    rows: (keys) => (keys.length === 1 ? run(sql.one, keys) : run(sql.several, [keys.join('\n')])),
    async write({ key, documentKey, expected, revision, text }) {
      const message = asciiJson(JSON.stringify({ key: documentKey, revision }))
      const announcement = notify === undefined ? [] : [notify, message]
      if (text !== undefined) return writeText(key, expected, revision, text, announcement)
      if (expected === null) return (await run(sql.one, [key])).length === 0
      return (await run(sql.remove, [key, expected, ...announcement])).length > 0
    },
    nothingWritten,
  })
  return {
    ...store,
    ...(notify !== undefined && {
      announcements: {
        listen: (listener) => listenToPostgres(client, notify, listener),
        announce: (message) => run('SELECT pg_notify($1, $2)', [notify, message]),
      },
    }),
    async migrate(): Promise<void> {
      try {
        // Reads first: an existing table needs no right to create tables.
        await run(sql.probe, [])
      } catch (cause) {
        throw storeError('creating the table', cause, false)
      }
    },
  }
}

type Statements = ReturnType<typeof statements>

function statements(table: string, notifies: boolean) {
  const columns = 'key, revision, value AS text'
  /** @param next the number of the first parameter that the statement does not use */
  const announced = (statement: string, next: number) =>
    notifies
      ? `WITH written AS (${statement}) SELECT pg_notify($${next}, $${next + 1}) FROM written`
      : statement
  return {
    one: `SELECT ${columns} FROM ${table} WHERE key = $1`,
    // All keys in one parameter, one per line: drivers pass lists differently.
    several: `SELECT ${columns} FROM ${table} WHERE key = ANY (string_to_array($1, chr(10)))`,
    // Written keys are ASCII and must sort by bytes, whatever the order of the database; the index does where it can.
    page: `SELECT key FROM ${table} WHERE key COLLATE "C" >= $1 AND key COLLATE "C" < $2 ORDER BY key COLLATE "C" LIMIT ${PAGE}`,
    // RETURNING shows whether a row was written; not every driver returns the count.
    create: announced(
      `INSERT INTO ${table} (key, revision, value) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING RETURNING key`,
      4,
    ),
    replace: announced(
      `UPDATE ${table} SET revision = $2, value = $3 WHERE key = $1 AND revision = $4 RETURNING key`,
      5,
    ),
    remove: announced(`DELETE FROM ${table} WHERE key = $1 AND revision = $2 RETURNING key`, 3),
    probe: `SELECT key FROM ${table} LIMIT 0`,
    createTable: (collation: string) =>
      `CREATE TABLE ${table} (key text${collation} PRIMARY KEY, revision text NOT NULL, value text NOT NULL)`,
  }
}

type Run = (text: string, values: string[]) => Promise<readonly TextRow[]>

/** Runs statements: creates the table if it is missing, and repeats a statement after a conflict. */
function runner(send: Send, sql: Statements): Run {
  // Callers that find the table missing at the same time share one attempt to create it.
  let creating: Promise<void> | undefined
  return async (text, values) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await send(text, values)) as readonly TextRow[]
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
        const state = sqlState(error)
        if (state === UNDEFINED_TABLE)
          await (creating ??= createTable(send, sql).finally(() => (creating = undefined)))
        else if (!CONFLICTS.includes(state)) throw error
      }
    }
  }
}

async function createTable(send: Send, sql: Statements): Promise<void> {
  let collation = ' COLLATE "C"'
  for (let attempt = 1; ; attempt++) {
    try {
      await send(sql.createTable(collation), [])
      return
    } catch (error) {
      const state = sqlState(error)
      // Another process created it. IF NOT EXISTS would not help: it also fails on one that is not committed yet.
      if (CREATED_MEANWHILE.includes(state)) return
      if (attempt === ATTEMPTS) throw error
      // CockroachDB sorts by bytes anyway and refuses a column that names this collation.
      if (collation !== '' && UNKNOWN_COLLATION.includes(state)) collation = ''
      else if (!CONFLICTS.includes(state)) throw error
    }
  }
}

/** Writes documents, as ASCII JSON from the moment the database reports a character it cannot store. */
function textWriter(run: Run, sql: Statements) {
  let ascii = false
  return async function write(
    key: string,
    expected: string | null,
    revision: string,
    text: string,
    announcement: readonly string[],
  ): Promise<boolean> {
    const json = ascii ? asciiJson(text) : text
    const [statement, rest] = expected === null ? [sql.create, []] : [sql.replace, [expected]]
    try {
      return (await run(statement, [key, revision, json, ...rest, ...announcement])).length > 0
    } catch (error) {
      if (json !== text || sqlState(error) !== UNTRANSLATABLE_CHARACTER) throw error
      ascii = true
      return write(key, expected, revision, text, announcement)
    }
  }
}

type Send = (text: string, values: string[]) => PromiseLike<readonly unknown[]>

function sender(client: PostgresClient): Send {
  if ('unsafe' in client && typeof client.unsafe === 'function')
    // Prepared, unless the host turned that off: otherwise this driver asks for the types of the parameters first, and
    // every statement takes two round trips.
    return (text, values) => client.unsafe(text, values, { prepare: true })
  if ('query' in client && typeof client.query === 'function') {
    const query: Send = async (text, values) => (await client.query(text, values)).rows
    // A single connection of `pg` must run one statement at a time; a pool distributes them, other drivers queue.
    const inTurn = queue()
    const isConnection = 'connection' in client && !('totalCount' in client)
    return isConnection ? (text, values) => inTurn(() => query(text, values)) : query
  }
  throw new TypeError('client: expected a pool or client of pg, a PGlite, or the sql of postgres')
}

/** PostgreSQL cuts longer names, so two of them could become the same. */
function isTable(name: unknown): boolean {
  const parts = typeof name === 'string' ? name.split('.') : []
  return (parts.length === 1 || parts.length === 2) && parts.every((part) => IDENTIFIER.test(part))
}

function quotedTable(table: string): string {
  const parts = table.split('.')
  return parts.map((part) => `"${part}"`).join('.')
}

const UNDEFINED_TABLE = '42P01'
const UNTRANSLATABLE_CHARACTER = '22P05'
// serialization_failure, deadlock_detected: rolled back; the statement can run again.
const CONFLICTS: readonly string[] = ['40001', '40P01']
// duplicate_table, duplicate_object, unique_violation in the catalogue, "tuple concurrently updated".
const CREATED_MEANWHILE: readonly string[] = ['42P07', '42710', '23505', 'XX000']
// undefined_object, syntax_error, feature_not_supported, invalid_parameter_value.
const UNKNOWN_COLLATION: readonly string[] = ['42704', '42601', '0A000', '22023']

/** The five-character SQLSTATE of an error of the server; empty for other errors. */
function sqlState(error: unknown): string {
  // Bun's client has it in `errno`, and its own code in `code`.
  const states = [property(error, 'code'), property(error, 'errno')]
  return (
    states.filter((state) => typeof state === 'string').find((state) => /^[0-9A-Z]{5}$/.test(state)) ?? ''
  )
}

function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null
    ? (error as Readonly<Record<string, unknown>>)[name]
    : undefined
}

// Failures before anything was sent: refused connections and unknown hosts.
const NOT_CONNECTED: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CONNECT_TIMEOUT']
// Classes of errors after which the statement was refused or rolled back: data, constraint, transaction state, authorization,
// conflict, syntax or privilege, program limit, wrong state, no such database or schema.
const REFUSED = /^(?:0A|22|23|25|28|3D|3F|40|42|54|55)/
// too_many_connections, query_canceled, cannot_connect_now.
const REFUSED_STATES: readonly string[] = ['53300', '57014', '57P03']

function nothingWritten(error: unknown): boolean {
  const state = sqlState(error)
  if (state === '') return NOT_CONNECTED.includes(property(error, 'code'))
  // statement_completion_unknown.
  if (state === '40003') return false
  if (REFUSED.test(state) || REFUSED_STATES.includes(state)) return true
  // Out of disk or memory: an ERROR rolls the statement back; a server that shuts down with the same code does not.
  return state.startsWith('53') && property(error, 'severity') === 'ERROR'
}
