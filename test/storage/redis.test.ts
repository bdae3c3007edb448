import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool } from 'redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { storeContract } from 'commandry/testing'
import { type RedisClient, redisStore } from 'commandry/storage/redis'
import {
  expectAnnounced,
  expectCreatedOnce,
  expectNothingWritten,
  expectOneTrip,
  expectParsedOnce,
  expectStoreError,
  expectUncertain,
  listed,
  put,
} from './checks.ts'
import { proxyTo } from './proxy.ts'
import { startRedisServer } from './redis-servers.ts'
import { clear, missingPrograms, newPrefix, onceOnly, opened } from './redis-stores.ts'
import { failingServer } from './outages.ts'
import { openProxy } from './tcp-proxy.ts'
import { redisBackUp } from './backups.ts'
import { contractTest, fastContractTest, missing, needing, ownName } from './servers.ts'
import { until } from '../support/waiting.ts'

const url = process.env['REDIS_URL']
const serverUrl = url ?? 'redis://nowhere'
const server = needing('a server', missing('REDIS_URL'))
const ownServer = needing("a server of the test's own", missingPrograms)

describe.skipIf(server.skip)(server.title, () => {
  const io = new Redis(serverUrl, { ...onceOnly, lazyConnect: true })
  const prefixing = new Redis(serverUrl, {
    ...onceOnly,
    lazyConnect: true,
    keyPrefix: 'commandry-test-client[*]:',
  })
  const single = createClient({ url: serverUrl })
  const pool = createClientPool({ url: serverUrl }, { minimum: 1, maximum: 3, acquireTimeout: 60_000 })

  beforeAll(async () => {
    await Promise.all([io.connect(), prefixing.connect(), single.connect(), pool.connect()])
  })
  afterAll(async () => {
    await Promise.all([io.quit(), prefixing.quit(), single.close(), pool.close()])
  })

  /** A prefix without signs of patterns, by which the keys are found. */
  function restorable() {
    const prefix = `${ownName()}:`
    return { ...opened([single, io], {}, prefix), backUp: redisBackUp(io, prefix) }
  }

  describe('redis and ioredis together', () => {
    storeContract({ test: contractTest, durable: true, open: restorable, restorable: true })
  })

  // Not ioredis: a command whose connection was cut ends by `commandTimeout` only.
  describe('redis behind a connection that fails', () => {
    storeContract({
      test: fastContractTest,
      failing: true,
      async open() {
        const proxy = await openProxy(serverUrl)
        const connect = async () => {
          const socket = { reconnectStrategy: () => 10 }
          const client = createClient({ url: proxy.url, disableOfflineQueue: true, socket })
          client.on('error', () => undefined)
          await client.connect()
          return client
        }
        const clients = [await connect(), await connect()] as const
        const ready = async () => {
          for (const client of clients) await until(() => client.ping())
        }
        const { close, ...rest } = opened(clients)
        return {
          ...rest,
          fail: failingServer(proxy, serverUrl, ready),
          close: async () => {
            await close!()
            for (const client of clients) client.destroy()
            await proxy.close()
          },
        }
      },
    })
  })

  describe('a pool of redis', () => {
    storeContract({ test: fastContractTest, open: () => opened([pool]) })
  })

  describe('ioredis with its own prefix, and a channel to notify', () => {
    storeContract({ test: fastContractTest, open: () => opened([prefixing], { notify: 'commandry-test' }) })
  })

  test('separates stores with different prefixes', async () => {
    const one = redisStore(io, { prefix: newPrefix() })
    const other = redisStore(io, { prefix: newPrefix() })
    await one.write('key', null, 1)
    expect(await other.read(['key'])).toEqual([undefined])
    expect(await listed(other)).toEqual([])
    expect((await other.write('key', null, 2)).ok).toBe(true)
    await clear(one)
    await clear(other)
  })

  test('lists documents without an index below the prefix of ioredis', async () => {
    const prefix = newPrefix()
    await prefixing.set(`${prefix}scope/1/global`, `${crypto.randomUUID()}1`)
    const store = redisStore(prefixing, { prefix })
    expect(await listed(store)).toEqual(['scope/1/global'])
    await clear(store)
  })

  test('does not parse a document again while its revision is current', async () => {
    await expectParsedOnce(redisStore(io, { prefix: newPrefix() }))
  })

  test('announces every applied write with its key and revision', async () => {
    const channel = ownName()
    const heard: unknown[] = []
    const listener = single.duplicate()
    await listener.connect()
    await listener.subscribe(channel, (message) => heard.push(JSON.parse(message)))
    const store = redisStore(io, { prefix: newPrefix(), notify: channel })
    // The response arrives on the same connection, after the messages.
    await expectAnnounced(store, heard, () => listener.ping())
    await listener.close()
  })

  /** A store through a proxy, by a client that is stopped after the test, and one beside it. */
  async function proxied<Client extends Redis | typeof single>(connect: (url: string) => Client) {
    const proxy = await proxyTo(serverUrl)
    const client = connect(proxy.url)
    client.on('error', () => undefined)
    const prefix = newPrefix()
    const direct = redisStore(io, { prefix })
    onTestFinished(async () => {
      if (client instanceof Redis) client.disconnect()
      else client.destroy()
      await clear(direct)
    })
    return { proxy, client, prefix, store: redisStore(client, { prefix }), direct }
  }

  /** Of `redis`. */
  async function proxiedSingle() {
    const through = await proxied((url) => createClient({ url }))
    await through.client.connect()
    return through
  }

  /** Of `ioredis`. */
  const proxiedIo = () =>
    proxied((url) => new Redis(url, { ...onceOnly, retryStrategy: () => 0, commandTimeout: 1_000 }))

  test('takes one round trip for any read and one for a write', async () => {
    const { proxy, store } = await proxiedSingle()
    await expectOneTrip(store, proxy.roundTrips)
  })

  test.each([
    ['redis', proxiedSingle],
    ['ioredis', proxiedIo],
  ])(
    'reports a write of %s as uncertain when the connection is cut, and allows a safe retry',
    async (_, through) => {
      const { proxy, store, direct } = await through()
      await expectUncertain(proxy, store, direct)
    },
  )

  test.each([
    ['redis', proxiedSingle],
    ['ioredis', proxiedIo],
  ])('does not create a document again that was removed before the lost answer: %s', async (_, through) => {
    const { proxy, store, direct } = await through()
    await expectCreatedOnce(proxy, store, direct, 'EVALSHA')
  })

  test('reports that a refused write was not applied', async () => {
    const prefix = newPrefix()
    await io.call('HSET', `${prefix}key`, 'not', 'a document')
    for (const client of [single, io]) {
      const write = redisStore(client, { prefix }).write('key', null, 1)
      await expectStoreError(write, {
        mayHaveHappened: false,
        message: /^writing key failed: .*WRONGTYPE/,
      })
    }
    await io.del(`${prefix}key`)
  })

  test('rejects a foreign value instead of reading it as absent', async () => {
    const prefix = newPrefix()
    await io.set(`${prefix}key`, 'somebody else wrote this, and it is longer than a revision')
    await expectStoreError(redisStore(io, { prefix }).read(['key']))
    await io.del(`${prefix}key`)
  })
})

describe.skipIf(ownServer.skip)(ownServer.title, () => {
  let server: Awaited<ReturnType<typeof startRedisServer>>
  let io: Redis
  beforeAll(async () => {
    server = await startRedisServer()
    io = new Redis(server.url, onceOnly)
  })
  afterAll(async () => {
    io?.disconnect()
    await server?.stop()
  })

  test('loads the scripts again when the server has lost them', async () => {
    const store = redisStore(io, { prefix: newPrefix() })
    await store.write('a', null, 1)
    await io.script('FLUSH')
    expect((await store.write('b', null, 1)).ok).toBe(true)
    expect(await listed(store)).toEqual(['a', 'b'])
  })

  /** How many scans the server has answered so far. */
  const scans = async () => Number(/cmdstat_scan:calls=(\d+)/.exec(await io.info('commandstats'))?.[1] ?? 0)

  test('lists the keys of one application without a scan of all', async () => {
    const prefix = newPrefix()
    const store = redisStore(io, { prefix })
    await Promise.all(['scope/1/global', 'scope/2/global'].map((key) => store.write(key, null, 1)))
    expect(await listed(store)).toHaveLength(2)
    const before = await scans()
    for (const one of [store, redisStore(io, { prefix })])
      expect(await listed(one, 'scope/2/')).toEqual(['scope/2/global'])
    expect(await scans()).toBe(before)
    await clear(store)
    expect(await io.zcard(`${prefix}~index`)).toBe(1)
  })

  test('lists documents that an earlier version wrote, which has no index', async () => {
    const prefix = newPrefix()
    const earlier = (key: string) => io.set(`${prefix}${key}`, `${crypto.randomUUID()}1`)
    await Promise.all(Array.from({ length: 1_200 }, (_, i) => earlier(`scope/${i}/global`)))
    const store = redisStore(io, { prefix })
    await store.write('scope/5000/global', null, 1)
    expect(await listed(store)).toHaveLength(1_201)
    expect(await listed(store, 'scope/7/')).toEqual(['scope/7/global'])
    await clear(store)
    expect(await listed(store)).toEqual([])
  })

  test('lists what is there when documents come and go while the index is made', async () => {
    for (let round = 0; round < 10; round++) {
      const prefix = newPrefix()
      const stores = [redisStore(io, { prefix }), redisStore(io, { prefix })] as const
      const revisions: string[] = []
      for (let i = 0; i < 600; i++) {
        revisions.push(crypto.randomUUID())
        void io.set(`${prefix}key/${i}`, `${revisions[i]}1`)
      }
      await Promise.all([
        ...stores.map((store) => listed(store)),
        ...revisions
          .slice(0, 300)
          .map((revision, i) => stores[i % 2]!.write(`key/${i}`, revision, undefined)),
        ...revisions.map((_, i) => stores[i % 2]!.write(`new/${i}`, null, 1)),
      ])
      const left = [
        ...revisions.slice(300).map((_, i) => `key/${i + 300}`),
        ...revisions.map((_, i) => `new/${i}`),
      ]
      expect(await listed(stores[0])).toEqual(left.sort())
      await clear(stores[0])
    }
  })

  test('scans where a script has one key: a node of a cluster, over a client that does not know it', async () => {
    const refusing = {
      sendCommand: async ([command = '', ...args]: string[]) => {
        if (command.startsWith('EVAL') && args[1] !== '1')
          throw new Error("CROSSSLOT Keys in request don't hash to the same slot")
        return io.call(command, args)
      },
    }
    const prefix = newPrefix()
    const store = redisStore(refusing, { prefix })
    const first = await put(store, 'b', null, 1)
    await put(store, 'a', null, 1)
    expect(await listed(store)).toEqual(['a', 'b'])
    await put(store, 'b', first, undefined)
    expect(await listed(redisStore(refusing, { prefix }))).toEqual(['a'])
    expect(await io.exists(`${prefix}~index`)).toBe(0)
    await clear(store)
  })

  test('does not announce refused writes, and keeps writes that it cannot announce', async () => {
    const listener = new Redis(server.url)
    const heard: string[] = []
    await listener.subscribe('changes')
    listener.on('message', (_, text: string) => heard.push((JSON.parse(text) as { key: string }).key))
    const options = { prefix: newPrefix(), notify: 'changes' }
    const store = redisStore(io, options)
    const first = await put(store, 'first', null, 1)

    // The memory is full.
    await io.config('SET', 'maxmemory', '1')
    const full = store.write('first', first, 2)
    await expectStoreError(full, { mayHaveHappened: false, message: /OOM/ })
    await io.config('SET', 'maxmemory', '0')

    await io.call('ACL', ['SETUSER', 'quiet', 'on', 'nopass', '+@all', '~*', 'resetchannels'])
    const quiet = new Redis(server.url, { ...onceOnly, username: 'quiet', password: 'any' })
    expect((await redisStore(quiet, options).write('quiet', null, 1)).ok).toBe(true)

    await store.write('last', null, 1)
    await listener.ping()
    expect(heard).toEqual(['first', 'last'])
    expect((await store.read(['first', 'quiet'])).map((entry) => entry?.value)).toEqual([1, 1])
    for (const client of [listener, quiet]) client.disconnect()
  })
})

test('reports that a refused connection wrote nothing', async () => {
  const client = createClient({ socket: { host: '127.0.0.1', port: 1, reconnectStrategy: false } })
  client.on('error', () => undefined)
  await client.connect().catch(() => undefined)
  await expectNothingWritten(redisStore(client))
})

class ClientOfflineError extends Error {}

test.each([
  new ClientOfflineError('offline'),
  ...['ENOTFOUND', 'EAI_AGAIN'].map((code) => Object.assign(new Error(code), { code })),
])('reports that a client that sends nothing wrote nothing: %s', async (error) => {
  await expectNothingWritten(redisStore({ sendCommand: () => Promise.reject(error) } as RedisClient))
})

test.each([['ERR refused'], [null]])(
  'reports a rejection that is not an Error as uncertain: %s',
  async (cause) => {
    const store = redisStore({ sendCommand: () => Promise.reject(cause) } as RedisClient)
    await expectStoreError(store.write('key', null, 1), { mayHaveHappened: true, cause })
  },
)

test('rejects an invalid client immediately', () => {
  for (const client of [{}, { call: 'PING' }, { sendCommand: 'PING' }])
    expect(() => redisStore(client as RedisClient)).toThrow(/^client: expected a client or cluster of redis/)
})

test('rejects a client of ioredis that sends commands again, and names the setting', () => {
  const lazyConnect = true
  const client = (options = {}) => new Redis({ lazyConnect, ...options })
  const cluster = (options = {}) => new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect, ...options })
  expect(() => redisStore(client())).toThrow(
    /^client: set autoResendUnfulfilledCommands to false, or ioredis/,
  )
  expect(() => redisStore(cluster())).toThrow(/^client: set retryDelayOnFailover to 0, or ioredis/)
  const back = { retryDelayOnFailover: 0, clusterNodeRetryStrategy: () => 0 }
  expect(() => redisStore(cluster(back))).toThrow(
    /^client: set redisOptions.autoResendUnfulfilledCommands to/,
  )
  redisStore(client(onceOnly))
  redisStore(cluster({ retryDelayOnFailover: 0 }))
  redisStore(cluster({ ...back, redisOptions: onceOnly }))
})

test('lists nothing while a server refuses the index for another reason than several keys', async () => {
  const refusing = {
    isCluster: false,
    options: onceOnly,
    call: async (command: string) => {
      if (command === 'SCAN') return ['0', []]
      throw new Error('LOADING Redis is loading the dataset in memory')
    },
  }
  await expect(listed(redisStore(refusing))).rejects.toMatchObject({ name: 'StoreError' })
})
