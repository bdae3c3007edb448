/** The time limits that docs/storage.md recommends, shortened: a call fails when the server stops responding. */
import { Redis } from 'ioredis'
import pg from 'pg'
import { createClient } from 'redis'
import { expect, onTestFinished } from 'vitest'
import type { Entry, Store } from 'commandry'
import { postgresStore } from 'commandry/storage/postgres'
import { redisStore } from 'commandry/storage/redis'
import { expectStoreError, put } from './checks.ts'
import { proxyTo } from './proxy.ts'
import { missing, ownName, testWith } from './servers.ts'

interface Subject {
  readonly name: string
  readonly url: string | undefined
  /** A store for the time of a test. */
  open(url: string): Promise<Store>
}

const redisUrl = process.env['REDIS_URL']

const subjects: readonly Subject[] = [
  {
    name: 'pg',
    url: process.env['DATABASE_URL'],
    async open(url) {
      const pool = new pg.Pool({
        connectionString: url,
        connectionTimeoutMillis: 300,
        statement_timeout: 200,
        query_timeout: 300,
      })
      pool.on('error', () => undefined)
      const table = ownName()
      onTestFinished(async () => {
        await pool.query(`DROP TABLE IF EXISTS ${table}`).finally(() => pool.end())
      })
      return postgresStore(pool, { table })
    },
  },
  {
    name: 'node-redis',
    url: redisUrl,
    async open(url) {
      const client = createClient({
        url: url,
        pingInterval: 100,
        socket: { connectTimeout: 300, socketTimeout: 300, reconnectStrategy: () => 20 },
      })
      client.on('error', () => undefined)
      await client.connect()
      onTestFinished(() => client.destroy())
      return redisStore(client, { prefix: `${ownName()}:` })
    },
  },
  {
    name: 'ioredis',
    url: redisUrl,
    async open(url) {
      const client = new Redis(url, {
        connectTimeout: 300,
        commandTimeout: 300,
        socketTimeout: 300,
        autoResendUnfulfilledCommands: false,
        retryStrategy: () => 20,
      })
      client.on('error', () => undefined)
      onTestFinished(() => client.disconnect())
      return redisStore(client, { prefix: `${ownName()}:` })
    },
  },
]

for (const { name, url, open } of subjects)
  testWith(
    url === undefined ? 'no address of its server' : undefined,
    `${name} fails within the time limits when the server is silent, and works again afterwards`,
    async () => {
      const proxy = await proxyTo(url!)
      const store = await open(proxy.url)
      const revision = await put(store, 'key', null, 1)
      const speak = proxy.silence()
      await expectStoreError(store.write('key', revision, 2), { mayHaveHappened: true })
      await expectStoreError(store.read(['key']))
      speak()
      // The driver may need several attempts to reconnect; each ends at its limit.
      let entry: Entry | undefined
      while (entry === undefined) [entry] = await store.read(['key']).catch(() => [])
      expect(entry.value).toBe(1)
      await put(store, 'key', entry.revision, undefined)
    },
  )

testWith(
  missing('REDIS_URL'),
  'node-redis never reconnects after a silence with its default strategy',
  async () => {
    const proxy = await proxyTo(redisUrl!)
    const client = createClient({ url: proxy.url, pingInterval: 50, socket: { socketTimeout: 200 } })
    client.on('error', () => undefined)
    onTestFinished(() => void (client.isOpen && client.destroy()))
    await client.connect()
    const speak = proxy.silence()
    await expectStoreError(redisStore(client).read(['key']))
    speak()
    expect(client.isOpen).toBe(false)
  },
)
