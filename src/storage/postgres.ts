/**
 * Documents in one table of PostgreSQL, or of a database that speaks its language.
 *
 * Guarantees beyond the contract: an acknowledged write is committed, and as durable as the server makes commits;
 * any number of processes may share the table; one read is of one moment, also when it asks for many documents.
 *
 * Costs: one round trip for a read of any number of keys, one for a write, one for every 500 keys listed. The
 * first use of a missing table takes two more. A write touches one row by its primary key, in a statement that
 * is a transaction of its own; there are no locks to wait for but that row's, and no extensions, triggers or
 * sequences. Where the server refuses the statement for the sake of serializability it is sent again, a few times.
 *
 * An index entry has its limit: keys of more than about 2,600 characters are refused. A database in an encoding
 * that lacks a character is given it as JSON can write it in ASCII; the first write that needs this takes one round
 * trip more.
 *
 * Reads and writes must reach the primary: a read from a lagging replica would break the contract. Give the store
 * a pool, or a connection of its own: inside a transaction of the host nothing it acknowledges is committed yet.
 */
import type { Json } from '../core/json.ts'
import { keyPages, PAGE } from './key-pages.ts'
import { asciiJson, decodeEntry, encodeKey, encodeValue, isRevision, newRevision } from './store-codec.ts'
import { storeError } from './store-error.ts'
import type { Entry, Store, Written } from './store.ts'

/** What a `Pool` or `Client` of `pg`, and a `PGlite`, have in common. */
export interface PostgresQueryClient {
  query(text: string, values: string[]): PromiseLike<{ readonly rows: readonly unknown[] }>
}

/** The `sql` of `postgres`, or a `SQL` of Bun: not the tagged template, but the plain form beside it. */
export interface PostgresUnsafeClient {
  unsafe(text: string, values: string[], options: { prepare: boolean }): PromiseLike<readonly unknown[]>
}

export type PostgresClient = PostgresQueryClient | PostgresUnsafeClient

export interface PostgresStoreOptions {
  /** The table, `commandry_documents` if not given: a plain name, or `schema.name`. */
  readonly table?: string
  /**
   * A channel to NOTIFY of every write, in the same statement and so only if it is committed. The payload is
   * `{"key":…,"revision":…}`, at most 8000 bytes; whoever wants it does a LISTEN with the driver's own means. The
   * name has 1 to 63 bytes. PostgreSQL lets committing transactions that notify pass one at a time.
   */
  readonly notify?: string
}

export interface PostgresStore extends Store {
  /**
   * Creates the table if it is missing. Safe to call from many processes at once. Needed only where the account
   * the store runs under may not create tables; otherwise the first use does it.
   */
  migrate(): Promise<void>
}

interface Row {
  readonly k: string
  readonly r: string
  readonly v: string
}

// A conflict is gone when the statement runs again, unless another takes its place.
const ATTEMPTS = 10
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

/** A store in a PostgreSQL database, over a client that the host has made, and ends. */
export function postgresStore(client: PostgresClient, options: PostgresStoreOptions = {}): PostgresStore {
  const table = quotedTable(options.table ?? 'commandry_documents')
  const { notify } = options
  if (notify !== undefined && (notify === '' || new TextEncoder().encode(notify).length > 63))
    throw new TypeError(`notify: expected a name of 1 to 63 bytes, got ${JSON.stringify(notify)}`)
  const send = sender(client)
  let creating: Promise<void> | undefined
  let ascii = false

  // The queries name the collation: keys are ASCII as written, and sort by their bytes whatever the database's
  // own order is. The index has it too, where the server knows it.
  const one = `SELECT key AS k, revision AS r, value AS v FROM ${table} WHERE key = $1`
  // The keys travel as one text with a line each, since drivers disagree about lists.
  const several = `SELECT key AS k, revision AS r, value AS v FROM ${table} WHERE key = ANY (string_to_array($1, chr(10)))`
  const page = `SELECT key AS k FROM ${table} WHERE key COLLATE "C" >= $1 AND key COLLATE "C" < $2 ORDER BY key COLLATE "C" LIMIT ${PAGE}`
  // Whether a write took place is seen from the row it returns: not every driver counts.
  const create = announced(
    `INSERT INTO ${table} (key, revision, value) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING RETURNING key`,
    4,
  )
  const replace = announced(
    `UPDATE ${table} SET revision = $2, value = $3 WHERE key = $1 AND revision = $4 RETURNING key`,
    5,
  )
  const remove = announced(`DELETE FROM ${table} WHERE key = $1 AND revision = $2 RETURNING key`, 3)

  function announced(statement: string, next: number): string {
    if (notify === undefined) return statement
    return `WITH written AS (${statement}) SELECT pg_notify($${next}, $${next + 1}) FROM written`
  }

  function announcement(key: string, revision: string): string[] {
    return notify === undefined ? [] : [notify, asciiJson(JSON.stringify({ key, revision }))]
  }

  async function run(text: string, values: string[]): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await send(text, values)) as readonly Row[]
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
        const state = sqlState(error)
        if (state === UNDEFINED_TABLE) await createTable()
        else if (!CONFLICTS.has(state)) throw error
      }
    }
  }

  /** Whether a document was put in place of what was expected. */
  async function put(
    key: string,
    expected: string | null,
    revision: string,
    text: string,
    news: string[],
  ): Promise<boolean> {
    const json = ascii ? asciiJson(text) : text
    try {
      if (expected === null) return (await run(create, [key, revision, json, ...news])).length > 0
      return (await run(replace, [key, revision, json, expected, ...news])).length > 0
    } catch (error) {
      if (json !== text || sqlState(error) !== UNTRANSLATABLE_CHARACTER) throw error
      ascii = true
      return put(key, expected, revision, text, news)
    }
  }

  // However many find the table missing at once, one of them makes it.
  function createTable(): Promise<void> {
    return (creating ??= tryCreateTable().finally(() => (creating = undefined)))
  }

  async function tryCreateTable(): Promise<void> {
    let collation = ' COLLATE "C"'
    for (let attempt = 1; ; attempt++) {
      try {
        await send(
          `CREATE TABLE ${table} (key text${collation} PRIMARY KEY, revision text NOT NULL, value text NOT NULL)`,
          [],
        )
        return
      } catch (error) {
        const state = sqlState(error)
        // Another process did. IF NOT EXISTS would not help: it too stumbles over one who has not committed yet.
        if (CREATED_MEANWHILE.has(state)) return
        if (attempt === ATTEMPTS) throw error
        // CockroachDB sorts by bytes anyway and will not have a column say so.
        if (collation !== '' && UNKNOWN_COLLATION.has(state)) collation = ''
        else if (!CONFLICTS.has(state)) throw error
      }
    }
  }

  return {
    async read(keys: readonly string[]): Promise<readonly (Entry | undefined)[]> {
      if (keys.length === 0) return []
      const written = keys.map(encodeKey)
      try {
        const rows = written.length === 1 ? await run(one, written) : await run(several, [written.join('\n')])
        const found = new Map(rows.map((row) => [row.k, decodeEntry(row.v, row.r)]))
        return written.map((key) => found.get(key))
      } catch (cause) {
        throw storeError('reading', cause, false)
      }
    },

    async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
      if (expected !== null && !isRevision(expected)) return { ok: false }
      const written = encodeKey(key)
      const revision = newRevision()
      const text = value === undefined ? undefined : encodeValue(value)
      const news = announcement(key, revision)
      try {
        let done: boolean
        if (text !== undefined) done = await put(written, expected, revision, text, news)
        else if (expected === null) done = (await run(one, [written])).length === 0
        else done = (await run(remove, [written, expected, ...news])).length > 0
        return done ? { ok: true, revision } : { ok: false }
      } catch (cause) {
        throw storeError(`writing ${key}`, cause, !nothingWritten(cause))
      }
    },

    keys: (prefix: string) => keyPages(prefix, (from, to) => run(page, [from, to])),

    async migrate(): Promise<void> {
      try {
        // Looks first: a table that is there needs no right to create it.
        await run(`SELECT key AS k FROM ${table} LIMIT 0`, [])
      } catch (cause) {
        throw storeError('creating the table', cause, false)
      }
    },
  }
}

type Send = (text: string, values: string[]) => PromiseLike<readonly unknown[]>

function sender(client: PostgresClient): Send {
  if ('unsafe' in client && typeof client.unsafe === 'function')
    // Prepared, as long as the host has not turned that off: otherwise this driver asks about the parameters first,
    // every time, and takes two round trips.
    return (text, values) => client.unsafe(text, values, { prepare: true })
  if ('query' in client && typeof client.query === 'function') {
    const query: Send = async (text, values) => (await client.query(text, values)).rows
    // A single connection of `pg` wants to be asked one thing at a time; a pool shares out, others queue.
    return 'connection' in client && !('totalCount' in client) ? inTurn(query) : query
  }
  throw new TypeError('client: expected a pool or client of pg, a PGlite, or the sql of postgres')
}

function inTurn(send: Send): Send {
  let last: PromiseLike<unknown> = Promise.resolve()
  return (text, values) => {
    const next = last.then(() => send(text, values))
    last = next.then(
      () => undefined,
      () => undefined,
    )
    return next
  }
}

function quotedTable(table: string): string {
  const parts = table.split('.')
  // A longer name would be cut, and two of them could become one.
  if (parts.length > 2 || !parts.every((part) => IDENTIFIER.test(part)))
    throw new TypeError(
      `table: expected a plain name of at most 63 characters, or schema.name, got ${JSON.stringify(table)}`,
    )
  return parts.map((part) => `"${part}"`).join('.')
}

const UNDEFINED_TABLE = '42P01'
const UNTRANSLATABLE_CHARACTER = '22P05'
// serialization_failure, deadlock_detected: rolled back, to be run again.
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01'])
// duplicate_table, duplicate_object, unique_violation in the catalogue, "tuple concurrently updated".
const CREATED_MEANWHILE: ReadonlySet<string> = new Set(['42P07', '42710', '23505', 'XX000'])
// undefined_object, syntax_error, feature_not_supported, invalid_parameter_value.
const UNKNOWN_COLLATION: ReadonlySet<string> = new Set(['42704', '42601', '0A000', '22023'])

/** The five characters by which the server names what went wrong; empty when it was not the server that spoke. */
function sqlState(error: unknown): string {
  // Bun's client keeps them in `errno`, and a code of its own in `code`.
  const states = [property(error, 'code'), property(error, 'errno')]
  return (
    (states.find((state) => typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state)) as
      string | undefined) ?? ''
  )
}

function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null
    ? (error as Readonly<Record<string, unknown>>)[name]
    : undefined
}

// Failures before anything was sent: nobody listens there, or the name is unknown.
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
])
// Classes of errors that refuse the statement or roll it back: data, constraint, transaction state, authorization,
// conflict, syntax or privilege, program limit, wrong state, no such database or schema.
const REFUSED: ReadonlySet<string> = new Set([
  '0A',
  '22',
  '23',
  '25',
  '28',
  '3D',
  '3F',
  '40',
  '42',
  '54',
  '55',
])
// too_many_connections, query_canceled, cannot_connect_now.
const REFUSED_STATES: ReadonlySet<string> = new Set(['53300', '57014', '57P03'])

function nothingWritten(error: unknown): boolean {
  const state = sqlState(error)
  if (state === '') return NOT_CONNECTED.has(property(error, 'code'))
  // statement_completion_unknown says it itself.
  if (state === '40003') return false
  if (REFUSED.has(state.slice(0, 2)) || REFUSED_STATES.has(state)) return true
  // Out of disk or memory: an ordinary error undoes the statement; the same code on a server that gives up does not.
  return state.startsWith('53') && property(error, 'severity') === 'ERROR'
}
