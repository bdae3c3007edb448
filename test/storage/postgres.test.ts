import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { storeContract } from 'commandry/testing'
import { type PostgresClient, postgresStore } from 'commandry/storage/postgres'
import {
  expectAnnounced,
  expectNothingWritten,
  expectOneTrip,
  expectParsedOnce,
  expectStoreError,
  expectUncertain,
  listed,
  put,
} from './checks.ts'
import { failingServer } from './outages.ts'
import { openProxy } from './tcp-proxy.ts'
import { tableBackUp } from './backups.ts'
import { proxyTo } from './proxy.ts'
import { contractTest, fastContractTest, missing, needing, ownName } from './servers.ts'

const url = process.env['DATABASE_URL']
const server = needing('a server', missing('DATABASE_URL'))
const databaseUrl = url ?? 'postgres://nowhere'

/** A table for the time of a test. Several runs may share a database, so each has its own. */
function tableIn(database: { query(statement: string): PromiseLike<unknown> }): string {
  const table = ownName()
  onTestFinished(async () => void (await database.query(`DROP TABLE IF EXISTS ${table}`)))
  return table
}

const lite = new PGlite()
beforeAll(() => lite.waitReady)
afterAll(() => lite.close())

/** The database, with something done before each statement. */
const before = (act: (text: string, values: string[]) => unknown): PostgresClient => ({
  async query(text: string, values: string[]) {
    await act(text, values)
    return lite.query(text, values)
  },
})

describe('PGlite', () => {
  storeContract({
    test: contractTest,
    durable: true,
    restorable: true,
    open() {
      const table = tableIn(lite)
      const run = (statements: readonly string[]) => lite.exec(statements.join(';'))
      return {
        store: postgresStore(lite, { table }),
        backUp: tableBackUp(run, table),
        reopen: () => postgresStore(lite, { table }),
      }
    },
  })

  describe('with a channel to notify', () => {
    storeContract({
      test: fastContractTest,
      open: () => postgresStore(lite, { table: tableIn(lite), notify: 'changes' }),
    })
  })

  test('announces every applied write with its key and revision', async () => {
    const heard: unknown[] = []
    const channel = 'Changes here'
    const stop = await lite.listen(`"${channel}"`, (payload) => heard.push(JSON.parse(payload)))
    const store = postgresStore(lite, { table: tableIn(lite), notify: channel })
    await expectAnnounced(store, heard, async () => {})
    await stop()
  })

  test('sends one statement for any read and one for a write', async () => {
    let statements = 0
    const counting = before(() => statements++)
    const store = postgresStore(counting, { table: tableIn(lite) })
    await expectOneTrip(store, () => statements)
    statements = 0
    await listed(store)
    expect(statements).toBe(1)
  })

  test('does not parse a document again while its revision is current', async () => {
    await expectParsedOnce(postgresStore(lite, { table: tableIn(lite) }))
  })

  test('creates a missing table on first use, and again after it was dropped', async () => {
    const table = tableIn(lite)
    const store = postgresStore(lite, { table })
    expect(await store.read(['key'])).toEqual([undefined])
    expect((await store.write('key', null, 1)).ok).toBe(true)
    await lite.exec(`DROP TABLE ${table}`)
    expect(await listed(store)).toEqual([])
    await store.migrate()
    await store.migrate()
    expect((await store.write('key', null, 1)).ok).toBe(true)
  })

  test('accepts a table in a schema', async () => {
    await lite.exec('CREATE SCHEMA elsewhere')
    const store = postgresStore(lite, { table: 'elsewhere.documents' })
    await store.write('key', null, 1)
    expect((await lite.query('SELECT key FROM elsewhere.documents')).rows).toEqual([{ key: 'key' }])
  })

  test('creates the column without a collation where naming one is refused', async () => {
    const table = tableIn(lite)
    const picky = before((text) => {
      if (/^CREATE .*COLLATE/.test(text)) throw Object.assign(new Error('invalid locale'), { code: '42704' })
    })
    const store = postgresStore(picky, { table })
    for (const key of ['b', 'B', 'a', '-']) await store.write(key, null, null)
    expect(await listed(store)).toEqual(['-', 'B', 'a', 'b'])
  })

  test('lists by the index', async () => {
    const table = tableIn(lite)
    const plans: unknown[] = []
    const explaining = before(async (text, values) => {
      if (!text.includes('ORDER BY')) return
      // Other plans are cheaper while the table is small.
      await lite.exec('SET enable_seqscan = off; SET enable_bitmapscan = off')
      plans.push((await lite.query(`EXPLAIN ${text}`, values)).rows)
      await lite.exec('RESET enable_seqscan; RESET enable_bitmapscan')
    })
    const store = postgresStore(explaining, { table })
    await store.write('key', null, 1)
    await listed(store, 'k')
    expect(JSON.stringify(plans)).toMatch(/Index Only Scan using .*_pkey.*Index Cond/)
    expect(JSON.stringify(plans)).not.toContain('Sort')
  })
})

describe.skipIf(server.skip)(server.title, () => {
  const pools = [
    new pg.Pool({ connectionString: databaseUrl, max: 4 }),
    new pg.Pool({ connectionString: databaseUrl, max: 2 }),
  ] as const
  const serializable = new pg.Pool({
    connectionString: databaseUrl,
    max: 8,
    options: '-c default_transaction_isolation=serializable',
  })
  const alone = new pg.Client(databaseUrl)
  const sql = postgres(databaseUrl, { max: 4 })
  const connected = url === undefined ? undefined : alone.connect()

  afterAll(async () => {
    await connected
    await Promise.all([...pools.map((pool) => pool.end()), serializable.end(), alone.end(), sql.end()])
  })

  const clients: readonly (readonly [string, readonly PostgresClient[], typeof contractTest])[] = [
    ['two pools of pg', pools, contractTest],
    ['a client of pg', [alone], fastContractTest],
    ['a pool of pg, serializable', [serializable], fastContractTest],
    ['postgres', [sql], contractTest],
    ['pg and postgres together', [pools[0], sql, alone], fastContractTest],
  ]
  describe('a pool of pg behind a connection that fails', () => {
    storeContract({
      test: fastContractTest,
      failing: true,
      async open() {
        const table = tableIn(pools[0])
        const proxy = await openProxy(databaseUrl)
        const connect = () => {
          const pool = new pg.Pool({ connectionString: proxy.url, max: 4 })
          // An idle connection was lost.
          pool.on('error', () => undefined)
          return pool
        }
        const [one, other] = [connect(), connect()]
        return {
          store: postgresStore(one, { table }),
          peers: [postgresStore(other, { table })],
          fail: failingServer(proxy, databaseUrl, () => Promise.all([one, other].map(allConnected))),
          close: async () => {
            await Promise.all([one.end(), other.end()])
            await proxy.close()
          },
        }
      },
    })
  })

  /** Resolves when no connection of a pool is a lost one. */
  async function allConnected(pool: pg.Pool): Promise<void> {
    const queries = Array.from({ length: 4 }, () => pool.query('SELECT 1'))
    const ended = await Promise.allSettled(queries)
    if (ended.some(({ status }) => status === 'rejected')) return allConnected(pool)
  }

  for (const [name, ways, declare] of clients)
    describe(name, () => {
      storeContract({
        test: declare,
        durable: true,
        restorable: true,
        async open() {
          await connected
          const table = tableIn(pools[0])
          const [store, ...peers] = ways.map((client) => postgresStore(client, { table }))
          const run = (statements: readonly string[]) => pools[0].query(statements.join(';'))
          const reopen = () => postgresStore(ways[0]!, { table })
          return { store: store!, peers, reopen, backUp: tableBackUp(run, table) }
        },
      })
    })

  test.each<[string, () => (pg.Pool | postgres.Sql) & { end(): Promise<unknown> }]>([
    ['pg', () => new pg.Pool({ connectionString: databaseUrl, max: 1 })],
    ['postgres', () => postgres(databaseUrl, { max: 1 })],
  ])('creates a table concurrently, over %s', async (_, connect) => {
    const clients = Array.from({ length: 12 }, connect)
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))))
    const stores = (table: string) => clients.map((client) => postgresStore(client, { table }))
    // Connects all clients before the start.
    await Promise.all(stores(tableIn(pools[0])).map((store) => store.read(['key'])))
    for (let round = 0; round < 5; round++) {
      await Promise.all(stores(tableIn(pools[0])).map((store) => store.migrate()))
      const written = await Promise.all(
        stores(tableIn(pools[0])).map((store) => store.write('key', null, round)),
      )
      expect(written.filter((end) => end.ok)).toHaveLength(1)
    }
  })

  test('lists in the order of UTF-16 units whatever the collation of the table', async () => {
    const table = tableIn(pools[0])
    await pools[0].query(
      `CREATE TABLE ${table} (key text COLLATE "und-x-icu" PRIMARY KEY, revision text NOT NULL, value text NOT NULL)`,
    )
    const store = postgresStore(pools[0], { table })
    for (const key of ['a', 'B', 'a/b', 'a-', 'A', 'ab', 'é', 'f']) await store.write(key, null, null)
    expect(await listed(store)).toEqual(['A', 'B', 'a', 'a-', 'a/b', 'ab', 'f', 'é'])
    expect(await listed(store, 'a')).toEqual(['a', 'a-', 'a/b', 'ab'])
  })

  test('does not acknowledge a write that fails at commit', async () => {
    for (const client of [pools[0], sql]) {
      const table = ownName()
      onTestFinished(async () => {
        await pools[0].query(`DROP TABLE IF EXISTS ${table}; DROP FUNCTION IF EXISTS ${table}_no`)
      })
      const store = postgresStore(client, { table })
      await store.migrate()
      // A deferred check runs after the row is written and counted.
      await pools[0].query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${table}_late UNIQUE (revision, value) DEFERRABLE INITIALLY DEFERRED;
         CREATE FUNCTION ${table}_no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION USING ERRCODE = ''23514''; END';
         CREATE CONSTRAINT TRIGGER no AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION ${table}_no()`,
      )
      await expectStoreError(store.write('key', null, 1), {
        mayHaveHappened: false,
        cause: { code: '23514' },
      })
      expect(await store.read(['key'])).toEqual([undefined])
    }
  })

  test('keeps every text and announces every key in a database of another encoding', async () => {
    const name = ownName()
    await pools[0].query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
    onTestFinished(async () => void (await pools[0].query(`DROP DATABASE ${name} WITH (FORCE)`)))
    const elsewhere = new URL(databaseUrl)
    elsewhere.pathname = `/${name}`
    const pool = new pg.Pool({ connectionString: elsewhere.href })
    // A pool does not wait until its connections have ended, so the end of the database may end them.
    pool.on('error', () => {})
    const other = postgres(elsewhere.href)
    const listener = new pg.Client(elsewhere.href)
    onTestFinished(async () => void (await Promise.all([pool.end(), other.end(), listener.end()])))
    await listener.connect()
    const heard: unknown[] = []
    listener.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)))
    await listener.query('LISTEN changes')
    for (const client of [pool, other]) {
      const store = postgresStore(client, { notify: 'changes' })
      const value = { é: '😀', 語: ['\ud800', '\\u00e9'] }
      const key = client === pool ? 'ключ' : '鍵'
      // Concurrently, before any of the calls has detected the encoding.
      const [first] = await Promise.all(
        [key, `${key}2`, `${key}3`].map((each) => put(store, each, null, value)),
      )
      const revision = await put(store, key, first!, [value])
      expect((await store.read([key, `${key}2`])).map((entry) => entry?.value)).toEqual([[value], value])
      await listener.query('SELECT 1')
      expect(heard).toContainEqual({ key, revision })
    }
  })

  describe.each(['pg', 'postgres'] as const)('through a proxy, over %s', (driver) => {
    /** A store with one connection. */
    async function proxied() {
      const proxy = await proxyTo(databaseUrl)
      const table = tableIn(pools[0])
      if (driver === 'pg') {
        const pool = new pg.Pool({ connectionString: proxy.url, max: 1 })
        // Without a listener the loss of an idle connection would throw.
        pool.on('error', () => undefined)
        onTestFinished(() => pool.end())
        return { proxy, table, store: postgresStore(pool, { table }) }
      }
      const client = postgres(proxy.url, { max: 1, backoff: false })
      // Without a timeout it would wait forever to end a lost connection.
      onTestFinished(() => client.end({ timeout: 0 }))
      return { proxy, table, store: postgresStore(client, { table }) }
    }

    test('reports a write as uncertain when the connection is lost, and allows a safe retry', async () => {
      const { proxy, table, store } = await proxied()
      await expectUncertain(proxy, store, postgresStore(pools[0], { table }))
    })

    test('takes one round trip for any read and one for a write', async () => {
      const { proxy, store } = await proxied()
      await expectOneTrip(store, proxy.roundTrips)
      await listed(store)
      const before = proxy.roundTrips()
      await listed(store)
      expect(proxy.roundTrips() - before).toBe(1)
    })
  })
})

test.each([
  ['pg', () => new pg.Pool({ host: '127.0.0.1', port: 1 })],
  ['postgres', () => postgres('postgres://127.0.0.1:1', { backoff: false })],
])('reports that a refused connection wrote nothing, over %s', async (_, connect) => {
  const client = connect()
  const store = postgresStore(client)
  const cause = { code: 'ECONNREFUSED' }
  await expectNothingWritten(store, cause)
  await expectStoreError(store.migrate(), { mayHaveHappened: false, cause })
  await client.end()
})

test('rejects invalid options immediately', () => {
  const attacks = ['a"; DROP TABLE b; SELECT "c', 'a.b"; SELECT "c']
  for (const table of [...attacks, '', 'a b', 'a"b', '"a', 'é', '1a', 'a.b.c', 'a.', '.a', 'a'.repeat(64)])
    expect(() => postgresStore(lite, { table })).toThrow(TypeError)
  for (const notify of ['', 'a'.repeat(64), 'é'.repeat(32)])
    expect(() => postgresStore(lite, { notify })).toThrow(TypeError)
  expect(() => postgresStore({} as PostgresClient)).toThrow(TypeError)
  for (const notify of ['a'.repeat(63), `${'é'.repeat(31)}a`]) postgresStore(lite, { notify })
})
