/** The time limits that docs/storage.md recommends, shortened: a call fails when the server stops responding. */
import { Redis } from 'ioredis'
import pg from 'pg'
import { createClient } from 'redis'
import { describe, expect, test } from 'vitest'
import type { Store } from 'commandry'
import { postgresStore } from 'commandry/storage/postgres'
import { redisStore } from 'commandry/storage/redis'
import { proxyTo } from './proxy.ts'
import { needing, ownName } from './servers.ts'

interface Opened {
  readonly store: Store
  close(): unknown
}

interface Subject {
  readonly name: string
  readonly url: string | undefined
  open(url: URL): Promise<Opened>
}

const subjects: readonly Subject[] = [
  {
    name: 'pg',
    url: process.env['DATABASE_URL'],
    async open(url) {
      const pool = new pg.Pool({
        connectionString: url.href,
        connectionTimeoutMillis: 300,
        statement_timeout: 200,
        query_timeout: 300,
      })
      pool.on('error', () => undefined)
      const table = ownName()
      const store = postgresStore(pool, { table })
      const close = () => pool.query(`DROP TABLE IF EXISTS ${table}`).finally(() => pool.end())
      return { store, close }
    },
  },
  {
    name: 'node-redis',
    url: process.env['REDIS_URL'],
    async open(url) {
      const client = createClient({
        url: url.href,
        pingInterval: 100,
        socket: { connectTimeout: 300, socketTimeout: 300, reconnectStrategy: () => 20 },
      })
      client.on('error', () => undefined)
      await client.connect()
      return { store: redisStore(client, { prefix: `${ownName()}:` }), close: () => client.destroy() }
    },
  },
  {
    name: 'ioredis',
    url: process.env['REDIS_URL'],
    async open(url) {
      const client = new Redis(url.href, {
        connectTimeout: 300,
        commandTimeout: 300,
        socketTimeout: 300,
        autoResendUnfulfilledCommands: false,
        retryStrategy: () => 20,
      })
      client.on('error', () => undefined)
      return { store: redisStore(client, { prefix: `${ownName()}:` }), close: () => client.disconnect() }
    },
  },
]

for (const { name, url, open } of subjects) {
  const { title, skip } = needing(name, url === undefined ? 'no address of its server' : undefined)
  describe.skipIf(skip)(title, () => {
    test('fails within the time limits when the server is silent, and works again afterwards', async () => {
      const proxy = await proxyTo(url!)
      const through = new URL(url!)
      through.hostname = '127.0.0.1'
      through.port = String(proxy.port)
      const { store, close } = await open(through)
      try {
        const first = await store.write('key', null, 1)
        const speak = proxy.silence()
        await expect(store.write('key', first.ok ? first.revision : '', 2)).rejects.toMatchObject({
          name: 'StoreError',
          mayHaveHappened: true,
        })
        await expect(store.read(['key'])).rejects.toMatchObject({ name: 'StoreError' })
        speak()
        // The driver may need several attempts to reconnect; each ends at its limit.
        let value: unknown
        while (value === undefined)
          value = await store.read(['key']).then(
            ([entry]) => entry?.value,
            () => undefined,
          )
        expect(value).toBe(1)
        const [entry] = await store.read(['key'])
        expect((await store.write('key', entry!.revision, undefined)).ok).toBe(true)
      } finally {
        await close()
        await proxy.close()
      }
    }, 30_000)
  })
}

const redisUrl = process.env['REDIS_URL']
const standing = needing(
  'node-redis never reconnects after a silence with its default strategy',
  redisUrl === undefined ? 'no REDIS_URL' : undefined,
)
test.skipIf(standing.skip)(standing.title, async () => {
  const proxy = await proxyTo(redisUrl!)
  const client = createClient({
    url: `redis://127.0.0.1:${proxy.port}`,
    pingInterval: 50,
    socket: { socketTimeout: 200 },
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const speak = proxy.silence()
    await expect(redisStore(client).read(['key'])).rejects.toMatchObject({ name: 'StoreError' })
    speak()
    expect(client.isOpen).toBe(false)
  } finally {
    if (client.isOpen) client.destroy()
    await proxy.close()
  }
})
