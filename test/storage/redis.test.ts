import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool, createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisStore, type RedisClient } from '../../src/storage/redis.ts'
import type { Store } from '../../src/storage/store.ts'
import { storeContract, type OpenedStore } from '../../src/testing/store-contract.ts'
import { proxyTo } from './proxy.ts'
import { hasRedisServer, startRedisCluster, type RedisCluster } from './redis-cluster.ts'

const url = process.env['REDIS_URL']
const serverUrl = url ?? 'redis://nowhere'

// Tests of several runs may share a server, and one test may not see another's keys. Signs of a pattern in it
// must not matter.
let prefixes = 0
const newPrefix = () => `commandry-test[*?]:${process.pid}:${++prefixes}:`

async function listed(store: Store, start = ''): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.keys(start)) keys.push(key)
  return keys
}

async function clear(store: Store): Promise<void> {
  const keys = await listed(store)
  const entries = await store.read(keys)
  await Promise.all(keys.map((key, i) => store.write(key, entries[i]?.revision ?? null, undefined)))
}

/** A store under a prefix of its own, with further clients for the same documents. */
function opened(
  clients: readonly [RedisClient, ...RedisClient[]],
  more: { notify?: string } = {},
): OpenedStore {
  const prefix = newPrefix()
  const store = redisStore(clients[0], { prefix, ...more })
  return {
    store,
    peers: clients.slice(1).map((client) => redisStore(client, { prefix, ...more })),
    reopen: () => redisStore(clients[0], { prefix, ...more }),
    close: () => clear(store),
  }
}

describe.skipIf(url === undefined)(
  url === undefined ? 'a server (skipped: no REDIS_URL)' : 'a server',
  () => {
    const io = new Redis(serverUrl, { lazyConnect: true })
    const prefixing = new Redis(serverUrl, { lazyConnect: true, keyPrefix: 'commandry-test-client[*]:' })
    const single = createClient({ url: serverUrl })
    const pool = createClientPool({ url: serverUrl }, { minimum: 1, maximum: 3 })

    beforeAll(async () => {
      await Promise.all([io.connect(), prefixing.connect(), single.connect(), pool.connect()])
    })
    afterAll(async () => {
      await Promise.all([io.quit(), prefixing.quit(), single.close(), pool.close()])
    })

    describe('redis and ioredis together', () => {
      storeContract({ test, durable: true, open: () => opened([single, io]) })
    })

    describe('a pool of redis', () => {
      storeContract({ test, open: () => opened([pool]) })
    })

    describe('ioredis with a prefix of its own, and a channel to notify', () => {
      storeContract({ test, open: () => opened([prefixing], { notify: 'commandry-test' }) })
    })

    test('stores with different prefixes see nothing of each other', async () => {
      const one = redisStore(io, { prefix: newPrefix() })
      const other = redisStore(io, { prefix: newPrefix() })
      await one.write('key', null, 1)
      expect(await other.read(['key'])).toEqual([undefined])
      expect(await listed(other)).toEqual([])
      expect((await other.write('key', null, 2)).ok).toBe(true)
      await clear(one)
      await clear(other)
    })

    test('every write that took place is announced, with its key and revision', async () => {
      const channel = `commandry-test:${process.pid}`
      const heard: unknown[] = []
      const listener = single.duplicate()
      await listener.connect()
      await listener.subscribe(channel, (message) => heard.push(JSON.parse(message)))
      const store = redisStore(io, { prefix: newPrefix(), notify: channel })
      const first = await store.write('a\0😀', null, 1)
      await store.write('a\0😀', null, 2)
      const second = await store.write('a\0😀', first.ok ? first.revision : '', 2)
      const third = await store.write('a\0😀', second.ok ? second.revision : '', undefined)
      // Comes back on the same connection, behind the messages.
      await listener.ping()
      expect(heard).toEqual(
        [first, second, third].map((each) => ({ key: 'a\0😀', revision: each.ok && each.revision })),
      )
      await listener.close()
    })

    test('a server that has lost its scripts is brought them again', async () => {
      const store = redisStore(io, { prefix: newPrefix() })
      await store.write('a', null, 1)
      await io.script('FLUSH')
      expect((await store.write('b', null, 1)).ok).toBe(true)
      expect(await listed(store)).toEqual(['a', 'b'])
      await clear(store)
    })

    test('one round trip a read, whatever it reads, and one a write', async () => {
      const proxy = await proxyTo(serverUrl)
      const client = createClient({ url: `redis://127.0.0.1:${proxy.port}` })
      await client.connect()
      const store = redisStore(client, { prefix: newPrefix() })
      const trips = async (move: () => Promise<unknown>) => {
        const before = proxy.roundTrips()
        await move()
        return proxy.roundTrips() - before
      }
      let revision: string | null = null
      const write = (value: number | undefined) => async () => {
        const written = await store.write('key', revision, value)
        revision = written.ok ? written.revision : null
      }
      await client.ping()
      await redisStore(io).write('', crypto.randomUUID(), undefined)
      expect(await trips(() => store.read(['key']))).toBe(1)
      expect(await trips(() => store.read(Array.from({ length: 20 }, (_, i) => `key/${i}`)))).toBe(1)
      expect(await trips(write(1))).toBe(1)
      expect(await trips(write(2))).toBe(1)
      expect(await trips(write(undefined))).toBe(1)
      client.destroy()
      await proxy.close()
    })

    test('a cut connection leaves a write of redis in doubt, and trying again is safe', async () => {
      const proxy = await proxyTo(serverUrl)
      const client = createClient({ url: `redis://127.0.0.1:${proxy.port}` })
      client.on('error', () => undefined)
      await client.connect()
      const prefix = newPrefix()
      const store = redisStore(client, { prefix })
      const direct = redisStore(io, { prefix })
      const first = await store.write('key', null, 1)
      const revision = first.ok ? first.revision : ''

      proxy.cutNextReply()
      const doubt = { name: 'StoreError', mayHaveHappened: true, cause: expect.any(Error) as Error }
      await expect(store.write('key', revision, 2)).rejects.toMatchObject(doubt)
      expect((await direct.read(['key']))[0]?.value).toBe(2)
      expect(await store.write('key', revision, 2)).toEqual({ ok: false })

      proxy.cutNextReply()
      await expect(store.read(['key'])).rejects.toMatchObject({ ...doubt, mayHaveHappened: false })
      client.destroy()
      await proxy.close()
      await clear(direct)
    })

    test('a write that ioredis sends again after a cut connection is known for what it is', async () => {
      const proxy = await proxyTo(serverUrl)
      const client = new Redis(proxy.port, '127.0.0.1', { retryStrategy: () => 0 })
      client.on('error', () => undefined)
      const prefix = newPrefix()
      const store = redisStore(client, { prefix })
      const direct = redisStore(io, { prefix })
      const first = await store.write('key', null, 1)

      proxy.cutNextReply()
      const second = await store.write('key', first.ok ? first.revision : '', 2)
      expect(second.ok).toBe(true)
      expect((await direct.read(['key']))[0]).toEqual({ value: 2, revision: second.ok && second.revision })

      proxy.cutNextRequest()
      const third = await store.write('key', second.ok ? second.revision : '', 3)
      expect(third.ok).toBe(true)
      expect((await direct.read(['key']))[0]).toEqual({ value: 3, revision: third.ok && third.revision })
      client.disconnect()
      await proxy.close()
      await clear(direct)
    })

    test('what the server refuses was not written, as far as the driver sends it once', async () => {
      const prefix = newPrefix()
      await io.call('HSET', `${prefix}key`, 'not', 'a document')
      const once = new Redis(serverUrl, { autoResendUnfulfilledCommands: false })
      for (const [client, mayHaveHappened] of [
        [single, false],
        [once, false],
        [io, true],
      ] as const) {
        const failure = {
          name: 'StoreError',
          message: expect.stringMatching(/^writing key failed: .*WRONGTYPE/) as string,
        }
        await expect(redisStore(client, { prefix }).write('key', null, 1)).rejects.toMatchObject({
          ...failure,
          mayHaveHappened,
        })
      }
      await io.del(`${prefix}key`)
      once.disconnect()
    })

    test('a document that is none is an error, not an absence', async () => {
      const prefix = newPrefix()
      await io.set(`${prefix}key`, 'somebody else wrote this, and it is longer than a revision')
      await expect(redisStore(io, { prefix }).read(['key'])).rejects.toMatchObject({ name: 'StoreError' })
      await io.del(`${prefix}key`)
    })
  },
)

describe.skipIf(!hasRedisServer())(
  hasRedisServer() ? 'a cluster' : 'a cluster (skipped: no redis-server and redis-cli)',
  () => {
    let servers: RedisCluster
    let node: ReturnType<typeof createCluster>
    let io: Cluster

    beforeAll(async () => {
      servers = await startRedisCluster()
      const roots = servers.nodes.map(({ port }) => ({ host: '127.0.0.1', port }))
      node = createCluster({ rootNodes: roots.map((socket) => ({ socket })) })
      io = new Cluster(roots, { lazyConnect: true })
      await Promise.all([node.connect(), io.connect()])
    })
    afterAll(async () => {
      io?.disconnect()
      node?.destroy()
      await servers?.stop()
    })

    // The clients are there only when the tests run.
    describe('redis and ioredis together', () => {
      storeContract({ test, durable: true, open: () => opened([node, io]) })
    })

    test('documents are spread over all masters', async () => {
      for (const client of [node, io]) {
        const prefix = newPrefix()
        const store = redisStore(client, { prefix })
        const keys = Array.from({ length: 60 }, (_, i) => `scope/${1000 + i}/global`)
        await Promise.all(keys.map((key) => store.write(key, null, key)))
        expect((await store.read(keys)).map((entry) => entry?.value)).toEqual(keys)
        expect(await listed(store)).toEqual(keys)
        const shares = await Promise.all(
          io.nodes('master').map(async (master) => {
            const found = await master.keys(`${prefix.replace(/[[\]*?]/g, '\\$&')}*`)
            return found.length
          }),
        )
        expect(shares).toHaveLength(3)
        expect(Math.min(...shares)).toBeGreaterThan(0)
        await clear(store)
      }
    })

    test('a channel reaches listeners on other nodes', async () => {
      const heard: string[] = []
      const listeners = await Promise.all(
        servers.nodes.map(async ({ port }) => {
          const client = createClient({ socket: { host: '127.0.0.1', port } })
          await client.connect()
          const message = new Promise<void>((resolve) => {
            void client.subscribe('changes', (text) => {
              heard.push((JSON.parse(text) as { key: string }).key)
              resolve()
            })
          })
          await client.ping()
          return { client, message }
        }),
      )
      const store = redisStore(node, { prefix: newPrefix(), notify: 'changes' })
      await store.write('key', null, 1)
      await Promise.all(listeners.map(({ message }) => message))
      expect(heard).toEqual(['key', 'key', 'key'])
      await Promise.all(listeners.map(({ client }) => client.close()))
    })
  },
)

test('where nobody listens nothing was written', async () => {
  const client = createClient({ socket: { host: '127.0.0.1', port: 1, reconnectStrategy: false } })
  client.on('error', () => undefined)
  await client.connect().catch(() => undefined)
  const store = redisStore(client)
  const failure = { name: 'StoreError', mayHaveHappened: false, cause: expect.any(Error) as Error }
  await expect(store.write('key', null, 1)).rejects.toMatchObject(failure)
  await expect(store.read(['key'])).rejects.toMatchObject(failure)
  await expect(listed(store)).rejects.toMatchObject(failure)
})

test('a client that is none is refused at once', () => {
  expect(() => redisStore({} as RedisClient)).toThrow(TypeError)
})
