import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StoreError } from 'commandry'
import { storeContract } from 'commandry/testing'
import { type PostgresClient, postgresStore } from 'commandry/storage/postgres'
import { listed } from './listed.ts'
import { expectParsedOnce } from './parsed-once.ts'
import { proxyTo } from './proxy.ts'
import { needing, ownName, contractTest, fastContractTest } from './servers.ts'

const url = process.env['DATABASE_URL']
const server = needing('a server', url === undefined ? 'no DATABASE_URL' : undefined)
const databaseUrl = url ?? 'postgres://nowhere'

// Several runs may share a database, so each test has its own table.
const newTable = ownName

const lite = new PGlite()
// A database inside this process starts slowly.
beforeAll(() => lite.waitReady, 300_000)
afterAll(() => lite.close())

describe('PGlite', () => {
  storeContract({
    test: contractTest,
    durable: true,
    open() {
      const table = newTable()
      return {
        store: postgresStore(lite, { table }),
        reopen: () => postgresStore(lite, { table }),
        close: () => lite.exec(`DROP TABLE IF EXISTS ${table}`),
      }
    },
  })

  describe('with a channel to notify', () => {
    storeContract({
      test: fastContractTest,
      open() {
        const table = newTable()
        return {
          store: postgresStore(lite, { table, notify: 'changes' }),
          close: () => lite.exec(`DROP TABLE IF EXISTS ${table}`),
        }
      },
    })
  })

  test('announces every applied write with its key and revision', async () => {
    const heard: unknown[] = []
    const channel = 'Changes here'
    const stop = await lite.listen(`"${channel}"`, (payload) => heard.push(JSON.parse(payload)))
    const store = postgresStore(lite, { table: newTable(), notify: channel })
    const first = await store.write('a\0😀', null, 1)
    await store.write('a\0😀', null, 2)
    const second = await store.write('a\0😀', first.ok ? first.revision : '', 2)
    const third = await store.write('a\0😀', second.ok ? second.revision : '', undefined)
    expect(heard).toEqual(
      [first, second, third].map((each) => ({ key: 'a\0😀', revision: each.ok && each.revision })),
    )
    await stop()
  })

  test('sends one statement for any read and one for a write', async () => {
    const statements: string[] = []
    const counting: PostgresClient = {
      query(text: string, values: string[]) {
        statements.push(text)
        return lite.query(text, values)
      },
    }
    const store = postgresStore(counting, { table: newTable() })
    await store.migrate()
    const cost = async (move: () => Promise<unknown>) => {
      statements.length = 0
      await move()
      return statements.length
    }
    let revision = ''
    const write = (expected: string | null, value?: number) => async () => {
      const written = await store.write('key', expected, value)
      if (written.ok) revision = written.revision
    }
    expect(await cost(() => store.read([]))).toBe(0)
    expect(await cost(() => store.read(['key']))).toBe(1)
    expect(await cost(() => store.read(Array.from({ length: 2000 }, (_, i) => `key/${i}`)))).toBe(1)
    expect(await cost(write(null, 1))).toBe(1)
    expect(await cost(write(null, 1))).toBe(1)
    expect(await cost(write(revision, 2))).toBe(1)
    expect(await cost(write(revision))).toBe(1)
    expect(await cost(() => listed(store))).toBe(1)
  })

  test('does not parse a document again while its revision is current', async () => {
    await expectParsedOnce(postgresStore(lite, { table: newTable() }))
  })

  test('creates a missing table on first use, and again after it was dropped', async () => {
    const table = newTable()
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
    const table = newTable()
    const picky: PostgresClient = {
      async query(text: string, values: string[]) {
        if (/^CREATE .*COLLATE/.test(text))
          throw Object.assign(new Error('invalid locale'), { code: '42704' })
        return lite.query(text, values)
      },
    }
    const store = postgresStore(picky, { table })
    for (const key of ['b', 'B', 'a', '-']) await store.write(key, null, null)
    expect(await listed(store)).toEqual(['-', 'B', 'a', 'b'])
  })

  test('lists by the index', async () => {
    const table = newTable()
    const plans: unknown[] = []
    const explaining: PostgresClient = {
      async query(text: string, values: string[]) {
        if (text.includes('ORDER BY')) {
          // Other plans are cheaper while the table is small.
          await lite.exec('SET enable_seqscan = off; SET enable_bitmapscan = off')
          plans.push((await lite.query(`EXPLAIN ${text}`, values)).rows)
          await lite.exec('RESET enable_seqscan; RESET enable_bitmapscan')
        }
        return lite.query(text, values)
      },
    }
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

  const drop = (table: string) => pools[0].query(`DROP TABLE IF EXISTS ${table}`)

  const clients: readonly (readonly [string, readonly PostgresClient[], typeof contractTest])[] = [
    ['two pools of pg', pools, contractTest],
    ['a client of pg', [alone], fastContractTest],
    ['a pool of pg, serializable', [serializable], fastContractTest],
    ['postgres', [sql], contractTest],
    ['pg and postgres together', [pools[0], sql, alone], fastContractTest],
  ]
  for (const [name, ways, declare] of clients) {
    describe(name, () => {
      storeContract({
        test: declare,
        durable: true,
        async open() {
          await connected
          const table = newTable()
          const [store, ...peers] = ways.map((client) => postgresStore(client, { table })) as [
            ReturnType<typeof postgresStore>,
          ]
          return {
            store,
            peers,
            reopen: () => postgresStore(ways[0] as PostgresClient, { table }),
            close: () => drop(table),
          }
        },
      })
    })
  }

  test.each<[string, () => (pg.Pool | postgres.Sql) & { end(): Promise<unknown> }]>([
    ['pg', () => new pg.Pool({ connectionString: databaseUrl, max: 1 })],
    ['postgres', () => postgres(databaseUrl, { max: 1 })],
  ])('creates a table concurrently, over %s', async (_, connect) => {
    const clients = Array.from({ length: 12 }, connect)
    try {
      // Connects all clients before the start.
      const warm = newTable()
      await Promise.all(clients.map((client) => postgresStore(client, { table: warm }).read(['key'])))
      await drop(warm)
      for (let round = 0; round < 5; round++) {
        const table = newTable()
        await Promise.all(clients.map((client) => postgresStore(client, { table }).migrate()))
        const fresh = newTable()
        const written = await Promise.all(
          clients.map((client) => postgresStore(client, { table: fresh }).write('key', null, round)),
        )
        expect(written.filter((end) => end.ok)).toHaveLength(1)
        await drop(table)
        await drop(fresh)
      }
    } finally {
      await Promise.all(clients.map((client) => client.end()))
    }
  })

  test('lists in the order of UTF-16 units whatever the collation of the table', async () => {
    const table = newTable()
    await pools[0].query(
      `CREATE TABLE ${table} (key text COLLATE "und-x-icu" PRIMARY KEY, revision text NOT NULL, value text NOT NULL)`,
    )
    const store = postgresStore(pools[0], { table })
    for (const key of ['a', 'B', 'a/b', 'a-', 'A', 'ab', 'é', 'f']) await store.write(key, null, null)
    expect(await listed(store)).toEqual(['A', 'B', 'a', 'a-', 'a/b', 'ab', 'f', 'é'])
    expect(await listed(store, 'a')).toEqual(['a', 'a-', 'a/b', 'ab'])
    await drop(table)
  })

  test('does not acknowledge a write that fails at commit', async () => {
    for (const client of [pools[0], sql]) {
      const table = newTable()
      const store = postgresStore(client, { table })
      await store.migrate()
      try {
        // A deferred check runs after the row is written and counted.
        await pools[0].query(
          `ALTER TABLE ${table} ADD CONSTRAINT late UNIQUE (revision, value) DEFERRABLE INITIALLY DEFERRED;
         CREATE FUNCTION ${table}_no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION USING ERRCODE = ''23514''; END';
         CREATE CONSTRAINT TRIGGER no AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION ${table}_no()`,
        )
        await expect(store.write('key', null, 1)).rejects.toMatchObject({
          name: 'StoreError',
          mayHaveHappened: false,
          cause: { code: '23514' },
        })
        expect(await store.read(['key'])).toEqual([undefined])
      } finally {
        await drop(table)
        await pools[0].query(`DROP FUNCTION IF EXISTS ${table}_no`)
      }
    }
  })

  test('keeps every text and announces every key in a database of another encoding', async () => {
    const name = ownName()
    await pools[0].query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
    const elsewhere = new URL(databaseUrl)
    elsewhere.pathname = `/${name}`
    const pool = new pg.Pool({ connectionString: elsewhere.href })
    const other = postgres(elsewhere.href)
    const listener = new pg.Client(elsewhere.href)
    try {
      await listener.connect()
      const heard: unknown[] = []
      listener.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)))
      await listener.query('LISTEN changes')
      for (const client of [pool, other]) {
        const store = postgresStore(client, { notify: 'changes' })
        const value = { é: '😀', 語: ['\ud800', '\\u00e9'] }
        const key = client === pool ? 'ключ' : '鍵'
        // Concurrently, before any of the calls has detected the encoding.
        const written = await Promise.all(
          [key, `${key}2`, `${key}3`].map((each) => store.write(each, null, value)),
        )
        const [first] = written
        const second = await store.write(key, first?.ok ? first.revision : '', [value])
        expect((await store.read([key, `${key}2`])).map((entry) => entry?.value)).toEqual([[value], value])
        await listener.query('SELECT 1')
        expect(heard).toContainEqual({ key, revision: second.ok && second.revision })
      }
    } finally {
      await Promise.all([pool.end(), other.end(), listener.end()])
      await pools[0].query(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  })

  /** One connection to the server through a proxy. */
  const single = {
    pg(port: number) {
      const pool = new pg.Pool({ connectionString: withPort(port), max: 1 })
      // Without a listener the loss of an idle connection would throw.
      pool.on('error', () => undefined)
      return { client: pool, end: () => pool.end() }
    },
    postgres(port: number) {
      const sql = postgres(withPort(port), { max: 1, backoff: false })
      // Without a timeout it would wait forever to end a lost connection.
      return { client: sql, end: () => sql.end({ timeout: 0 }) }
    },
  }

  test.each(['pg', 'postgres'] as const)(
    'reports a write as uncertain when %s loses the connection, and allows a safe retry',
    async (driver) => {
      const proxy = await proxyTo(databaseUrl)
      const { client, end } = single[driver](proxy.port)
      const table = newTable()
      try {
        const store = postgresStore(client, { table })
        const direct = postgresStore(pools[0], { table })
        const first = await store.write('key', null, 1)
        const revision = first.ok ? first.revision : ''

        proxy.cutNextRequest()
        const unsent = await store.write('key', revision, 2).catch((error: unknown) => error)
        expect(unsent).toBeInstanceOf(StoreError)
        expect(unsent).toMatchObject({ mayHaveHappened: true })
        expect((await direct.read(['key']))[0]).toEqual({ value: 1, revision })

        // Reconnects and prepares the statement, so that the cut response is that of the write.
        expect(await store.write('key', crypto.randomUUID(), 0)).toEqual({ ok: false })
        proxy.cutNextReply()
        const unheard = await store.write('key', revision, 2).catch((error: unknown) => error)
        expect(unheard).toMatchObject({ name: 'StoreError', mayHaveHappened: true })
        expect((await direct.read(['key']))[0]?.value).toBe(2)
        expect(await store.write('key', revision, 3)).toEqual({ ok: false })

        proxy.cutNextReply()
        await expect(store.read(['key'])).rejects.toMatchObject({
          name: 'StoreError',
          mayHaveHappened: false,
        })
        expect((await store.read(['key']))[0]?.value).toBe(2)
      } finally {
        await end()
        await proxy.close()
        await drop(table)
      }
    },
  )

  test.each(['pg', 'postgres'] as const)(
    'takes one round trip for any read and one for a write, over %s',
    async (driver) => {
      const proxy = await proxyTo(databaseUrl)
      const { client, end } = single[driver](proxy.port)
      const table = newTable()
      try {
        const store = postgresStore(client, { table })
        const keys = Array.from({ length: 20 }, (_, i) => `key/${i}`)
        const revisions = new Map<string, string | null>()
        async function everything() {
          const trips: number[] = []
          const count = async (move: Promise<unknown>) => {
            const before = proxy.roundTrips()
            await move
            trips.push(proxy.roundTrips() - before)
          }
          const write = async (value: number | undefined) => {
            const written = await store.write('key', revisions.get('key') ?? null, value)
            revisions.set('key', written.ok && value !== undefined ? written.revision : null)
          }
          await count(store.read(['key']))
          await count(store.read(keys))
          await count(write(1))
          await count(write(2))
          await count(write(undefined))
          await count(listed(store))
          return trips
        }
        // A statement may take longer when a connection sees it for the first time.
        await everything()
        expect(await everything()).toEqual([1, 1, 1, 1, 1, 1])
      } finally {
        await end()
        await proxy.close()
        await drop(table)
      }
    },
  )
})

function withPort(port: number): string {
  const changed = new URL(databaseUrl)
  changed.port = String(port)
  return changed.href
}

test.each([
  ['pg', () => new pg.Pool({ host: '127.0.0.1', port: 1 })],
  ['postgres', () => postgres('postgres://127.0.0.1:1', { backoff: false })],
])('reports that a refused connection wrote nothing, over %s', async (_, connect) => {
  const client = connect()
  const store = postgresStore(client)
  const failure = { name: 'StoreError', mayHaveHappened: false, cause: { code: 'ECONNREFUSED' } }
  await expect(store.write('key', null, 1)).rejects.toMatchObject(failure)
  await expect(store.read(['key'])).rejects.toMatchObject(failure)
  await expect(store.migrate()).rejects.toMatchObject(failure)
  await expect(store.keys('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(failure)
  await client.end()
})

test('rejects invalid options immediately', () => {
  for (const table of [
    '',
    'a b',
    'a"b',
    '"a',
    'a"; DROP TABLE b; SELECT "c',
    'a.b"; SELECT "c',
    'é',
    '1a',
    'a.b.c',
    'a.',
    '.a',
    'a'.repeat(64),
  ])
    expect(() => postgresStore(lite, { table })).toThrow(TypeError)
  for (const notify of ['', 'a'.repeat(64), 'é'.repeat(32)])
    expect(() => postgresStore(lite, { notify })).toThrow(TypeError)
  expect(() => postgresStore({} as PostgresClient)).toThrow(TypeError)
})
