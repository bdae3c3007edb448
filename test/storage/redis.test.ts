import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool, createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CommandRegistry, guildScope } from 'commandry'
import { redisStore, type NodeRedisCluster, type RedisClient } from '../../src/storage/redis.ts'
import type { Store } from '../../src/storage/store.ts'
import { storeContract, type OpenedStore } from '../../src/testing/store-contract.ts'
import { attempt } from '../support/attempt.ts'
import { proxyTo, type Proxy } from './proxy.ts'
import { hasRedisServer, startRedisCluster, startRedisServer, type RedisCluster } from './redis-cluster.ts'
import { needing, ownName, patiently, withoutSlow } from './servers.ts'

const url = process.env['REDIS_URL']
const serverUrl = url ?? 'redis://nowhere'
const server = needing('a server', url === undefined ? 'no REDIS_URL' : undefined)
const missingPrograms = hasRedisServer() ? undefined : 'no redis-server and redis-cli'
const ownServer = needing("a server of the test's own", missingPrograms)
const cluster = needing('a cluster', missingPrograms)

// Several runs may share a server, so each test has its own prefix. Pattern characters in it
// must not matter.
const newPrefix = () => `[*?]:${ownName()}:`

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

/**
 * The outcomes of calls whose write was applied, lost its response, and is repeated after another writer
 * wrote.
 */
async function resent(proxy: Proxy, store: Store, direct: Store): Promise<void> {
  const scope = guildScope('1001', '2001')
  let cut: (() => void) | undefined
  const registry = new CommandRegistry({
    store: {
      ...store,
      write(...args) {
        cut?.()
        cut = undefined
        return store.write(...args)
      },
    },
  })
  const rival = new CommandRegistry({ store: direct })
  const body = (name: string) => ({ name, description: 'b' })
  // Also loads the script.
  const { command } = await registry.upsert(scope, body('first'))
  const calls: readonly (readonly [call: () => Promise<unknown>, meanwhile: () => Promise<unknown>])[] = [
    [() => registry.delete(scope, command.id), () => rival.upsert(scope, body('r1'))],
    [() => registry.upsert(scope, body('fresh')), () => rival.upsert(scope, body('r2'))],
    [() => registry.overwrite(scope, ['a', 'b', 'c'].map(body)), () => rival.overwrite(scope, [])],
  ]
  for (const [call, meanwhile] of calls) {
    cut = () => proxy.cutNextReply({ to: 'EVALSHA', meanwhile })
    expect(await attempt(call)).toMatchObject({ code: 'storage', mayHaveHappened: true })
  }
  expect(await rival.list(scope)).toEqual([])
  expect((await rival.plan(scope, [])).createsLeft).toBe(200 - 1 - 1 - 1 - 1 - 3)

  // A removal leaves no revision to recognize it by.
  const written = await store.write('key', null, 1)
  proxy.cutNextReply({ to: 'EVALSHA' })
  await expect(store.write('key', written.ok ? written.revision : '', undefined)).rejects.toMatchObject({
    name: 'StoreError',
    mayHaveHappened: true,
  })
  expect(await direct.read(['key'])).toEqual([undefined])
  // A stale write without a cut is refused as usual.
  expect(await store.write('key', crypto.randomUUID(), 2)).toEqual({ ok: false })
}

/** A store with its own prefix, and further clients for the same documents. */
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

describe.skipIf(server.skip)(server.title, () => {
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
    storeContract({ test: patiently, durable: true, open: () => opened([single, io]) })
  })

  describe('a pool of redis', () => {
    storeContract({ test: withoutSlow, open: () => opened([pool]) })
  })

  describe('ioredis with its own prefix, and a channel to notify', () => {
    storeContract({ test: withoutSlow, open: () => opened([prefixing], { notify: 'commandry-test' }) })
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

  test('announces every applied write with its key and revision', async () => {
    const channel = ownName()
    const heard: unknown[] = []
    const listener = single.duplicate()
    await listener.connect()
    await listener.subscribe(channel, (message) => heard.push(JSON.parse(message)))
    const store = redisStore(io, { prefix: newPrefix(), notify: channel })
    const first = await store.write('a\0😀', null, 1)
    await store.write('a\0😀', null, 2)
    const second = await store.write('a\0😀', first.ok ? first.revision : '', 2)
    const third = await store.write('a\0😀', second.ok ? second.revision : '', undefined)
    // The response arrives on the same connection, after the messages.
    await listener.ping()
    expect(heard).toEqual(
      [first, second, third].map((each) => ({ key: 'a\0😀', revision: each.ok && each.revision })),
    )
    await listener.close()
  })

  test('takes one round trip for any read and one for a write', async () => {
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

  test('reports a write of redis as uncertain when the connection is cut, and allows a safe retry', async () => {
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

  test('recognizes a write that ioredis repeats after a cut connection', async () => {
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

  test('reports a write that ioredis repeats after another writer as uncertain', async () => {
    const proxy = await proxyTo(serverUrl)
    const client = new Redis(proxy.port, '127.0.0.1', { retryStrategy: () => 0 })
    client.on('error', () => undefined)
    const prefix = newPrefix()
    const direct = redisStore(io, { prefix })
    try {
      await resent(proxy, redisStore(client, { prefix }), direct)
      // Many stores share few clients.
      for (let i = 0; i < 20; i++) await redisStore(client, { prefix }).write('key', null, undefined)
      expect(client.listenerCount('close')).toBe(1)
    } finally {
      client.disconnect()
      await proxy.close()
      await clear(direct)
    }
  })

  test('reports that a refused write was not applied, if the driver sends it once', async () => {
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

  test('rejects a foreign value instead of reading it as absent', async () => {
    const prefix = newPrefix()
    await io.set(`${prefix}key`, 'somebody else wrote this, and it is longer than a revision')
    await expect(redisStore(io, { prefix }).read(['key'])).rejects.toMatchObject({ name: 'StoreError' })
    await io.del(`${prefix}key`)
  })
})

describe.skipIf(ownServer.skip)(ownServer.title, () => {
  let server: Awaited<ReturnType<typeof startRedisServer>>
  let io: Redis
  beforeAll(async () => {
    server = await startRedisServer()
    io = new Redis(server.url)
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

  test('does not announce refused writes, and keeps writes that it cannot announce', async () => {
    const listener = new Redis(server.url)
    const heard: string[] = []
    await listener.subscribe('changes')
    listener.on('message', (_, text: string) => heard.push((JSON.parse(text) as { key: string }).key))
    const options = { prefix: newPrefix(), notify: 'changes' }
    const store = redisStore(io, options)
    const first = await store.write('first', null, 1)

    // The memory is full.
    await io.config('SET', 'maxmemory', '1')
    const once = new Redis(server.url, { autoResendUnfulfilledCommands: false })
    const full = redisStore(once, options).write('first', first.ok ? first.revision : '', 2)
    await expect(full).rejects.toMatchObject({
      message: expect.stringMatching(/OOM/) as string,
      mayHaveHappened: false,
    })
    await io.config('SET', 'maxmemory', '0')

    await io.call('ACL', ['SETUSER', 'quiet', 'on', 'nopass', '+@all', '~*', 'resetchannels'])
    const quiet = new Redis(server.url, { username: 'quiet', password: 'any' })
    expect((await redisStore(quiet, options).write('quiet', null, 1)).ok).toBe(true)

    await store.write('last', null, 1)
    await listener.ping()
    expect(heard).toEqual(['first', 'last'])
    expect((await store.read(['first', 'quiet'])).map((entry) => entry?.value)).toEqual([1, 1])
    for (const client of [listener, once, quiet]) client.disconnect()
  })
})

describe.skipIf(cluster.skip)(cluster.title, () => {
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

  /** The slots of each node. */
  async function owners() {
    const answer = (await io.call('CLUSTER', ['SLOTS'])) as [number, number, [string, number]][]
    return answer.map(([from, to, [, port]]) => ({ from, to, port }))
  }

  // The clients exist only when the tests run.
  describe('redis and ioredis together', () => {
    storeContract({ test: patiently, durable: true, open: () => opened([node, io]) })
  })

  test('distributes documents over all masters', async () => {
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

  test('reports a write that ioredis repeats after another writer as uncertain', async () => {
    // The text in braces selects the slot of a key.
    const prefix = `{${ownName()}}:`
    const slot = Number(await io.call('CLUSTER', ['KEYSLOT', prefix]))
    const owner = Number((await owners()).find(({ from, to }) => from <= slot && slot <= to)!.port)
    const proxy = await proxyTo(`redis://127.0.0.1:${owner}`)
    const client = new Cluster([{ host: '127.0.0.1', port: proxy.port }], {
      natMap: { [`127.0.0.1:${owner}`]: { host: '127.0.0.1', port: proxy.port } },
      lazyConnect: true,
    })
    client.on('error', () => undefined)
    const direct = redisStore(io, { prefix })
    try {
      await client.connect()
      await resent(proxy, redisStore(client, { prefix }), direct)
    } finally {
      client.disconnect()
      await proxy.close()
      await clear(direct)
    }
  })

  test('scans once for a listing, and again during a slot migration', async () => {
    const prefix = newPrefix()
    const store = redisStore(io, { prefix })
    await store.write('key', null, 1)
    const { from, port } = (await owners())[0]!
    const source = io.nodes('master').find(({ options }) => options.port === port)!
    const target = io.nodes('master').find(({ options }) => options.port !== port)!
    for (const [client, scans] of [scanning(io), scanning(node)]) {
      const listing = async () => {
        scans.length = 0
        expect(await listed(redisStore(client, { prefix }))).toEqual(['key'])
        return scans.length
      }
      expect(await listing()).toBe(3)
      await source.call('CLUSTER', ['SETSLOT', `${from}`, 'MIGRATING', await target.cluster('MYID')])
      expect(await listing()).toBe(6)
      await source.call('CLUSTER', ['SETSLOT', `${from}`, 'STABLE'])
      expect(await listing()).toBe(3)
    }
    await clear(store)
  })

  /** The same client, and the nodes that it scans. */
  function scanning(client: Cluster | typeof node): [RedisClient, string[]] {
    const scans: string[] = []
    const told = (command: string) => {
      if (command === 'SCAN') scans.push(command)
    }
    if (client instanceof Cluster) {
      const one = (inner: Redis | Cluster) => ({
        isCluster: inner.isCluster,
        on: inner.on.bind(inner),
        call(command: string, args: string[]) {
          told(command)
          return inner.call(command, args)
        },
      })
      return [{ ...one(client), nodes: (role) => client.nodes(role).map(one) }, scans]
    }
    const cluster: NodeRedisCluster = {
      masters: client.masters,
      sendCommand: (...args) => client.sendCommand(...args),
      async nodeClient(master) {
        const inner = await client.nodeClient(master)
        return {
          sendCommand(args) {
            told(args[0]!)
            return inner.sendCommand(args)
          },
        }
      },
    }
    return [cluster, scans]
  }

  test('notifies listeners on other nodes', async () => {
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
})

test('reports that a refused connection wrote nothing', async () => {
  const client = createClient({ socket: { host: '127.0.0.1', port: 1, reconnectStrategy: false } })
  client.on('error', () => undefined)
  await client.connect().catch(() => undefined)
  const store = redisStore(client)
  const failure = { name: 'StoreError', mayHaveHappened: false, cause: expect.any(Error) as Error }
  await expect(store.write('key', null, 1)).rejects.toMatchObject(failure)
  await expect(store.read(['key'])).rejects.toMatchObject(failure)
  await expect(listed(store)).rejects.toMatchObject(failure)
})

/** A cluster of two masters in memory, without scripts. */
function inMemory(
  nodes: readonly Set<string>[],
  asked: (master: number, args: string[]) => void,
): NodeRedisCluster {
  const all = (key: string) => (nodes.some((keys) => keys.has(key)) ? `${crypto.randomUUID()}1` : null)
  let underWay = 0
  return {
    masters: nodes,
    async sendCommand(_, __, args) {
      asked(++underWay, args)
      await Promise.resolve()
      underWay--
      return all(args[1]!)
    },
    nodeClient: (keys: never) => ({
      async sendCommand(args) {
        const answer =
          args[0] === 'SCAN'
            ? ['0', [...(keys as Set<string>)]]
            : `${nodes.indexOf(keys)} a myself,master - 0 0 1 connected 1-2`
        asked(nodes.indexOf(keys), args)
        return answer
      },
    }),
  }
}

test('lists a key that moves during the listing', async () => {
  const keys = ['commandry:a', 'commandry:b', 'commandry:c']
  const nodes = [new Set<string>(keys.slice(0, 1)), new Set(keys.slice(1))]
  let scans = 0
  let generation = 0
  const client = inMemory(nodes, (master, [command]) => {
    // After the scan of the first master and before that of the second.
    if (command !== 'SCAN' || master !== 0 || ++scans > 1) return
    generation++
    nodes[1]!.delete('commandry:b')
    nodes[0]!.add('commandry:b')
  })
  const moved: NodeRedisCluster = {
    ...client,
    async nodeClient(master) {
      const inner = await client.nodeClient(master)
      return {
        sendCommand: async (args) =>
          args[0] === 'CLUSTER'
            ? `${String(await inner.sendCommand(args))} ${generation}`
            : inner.sendCommand(args),
      }
    },
  }
  expect(await listed(redisStore(moved))).toEqual(['a', 'b', 'c'])
})

test('requests at most 500 keys of a cluster at once in one read', async () => {
  let most = 0
  const client = inMemory([new Set(['commandry:key/1999'])], (underWay) => (most = Math.max(most, underWay)))
  const entries = await redisStore(client).read(Array.from({ length: 2000 }, (_, i) => `key/${i}`))
  expect(most).toBe(500)
  expect(entries.findIndex((entry) => entry?.value === 1)).toBe(1999)
})

test('rejects an invalid client immediately', () => {
  expect(() => redisStore({} as RedisClient)).toThrow(TypeError)
})
