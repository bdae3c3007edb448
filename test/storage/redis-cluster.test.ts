import { Cluster } from 'ioredis'
import { createClient, createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { followChanges, type StoreChange } from 'commandry'
import { storeContract } from 'commandry/testing'
import { type NodeRedisCluster, redisStore } from 'commandry/storage/redis'
import { expectCreatedOnce, listed } from './checks.ts'
import { proxyTo } from './proxy.ts'
import { startRedisCluster } from './redis-servers.ts'
import { clear, missingPrograms, newPrefix, opened } from './redis-stores.ts'
import { needing, ownName, contractTest } from './servers.ts'

const cluster = needing('a cluster', missingPrograms)

describe.skipIf(cluster.skip)(cluster.title, () => {
  let servers: Awaited<ReturnType<typeof startRedisCluster>>
  let node: ReturnType<typeof createCluster>
  let io: Cluster
  let applications = 0

  beforeAll(async () => {
    servers = await startRedisCluster()
    const roots = servers.nodes.map(({ port }) => ({ host: '127.0.0.1', port }))
    node = createCluster({ rootNodes: roots.map((socket) => ({ socket })) })
    io = new Cluster(roots, { lazyConnect: true, retryDelayOnFailover: 0 })
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

  test('follows the changes of both drivers, also after the connection was killed', async () => {
    const prefix = newPrefix()
    for (const follower of [node, io]) {
      const notify = ownName()
      const stores = [node, io].map((client) => redisStore(client, { prefix, notify }))
      const changes: StoreChange[] = []
      let wake = () => {}
      const end = await followChanges(redisStore(follower, { prefix, notify }), (change) => {
        changes.push(change)
        wake()
      })
      const until = async (isThere: () => boolean) => {
        while (!isThere()) await new Promise<void>((resolve) => (wake = resolve))
      }
      const types = () => changes.map(({ type }) => type)
      /** Writes by each driver, until each write is reported, or a gap that it may have fallen in. */
      const write = async () => {
        const written = await Promise.all(
          stores.map(async (store) => {
            const applicationId = String(++applications)
            await store.write(`scope/${applicationId}/global`, null, 1)
            return applicationId
          }),
        )
        const isReported = (id: string) =>
          changes.some((change) => change.type === 'changed' && change.applicationId === id)
        await until(() => types().includes('missed') || written.every(isReported))
        return written.every(isReported)
      }
      expect(await write()).toBe(true)
      expect(types()).not.toContain('interrupted')
      await Promise.all(io.nodes('master').map((master) => master.call('CLIENT', ['KILL', 'TYPE', 'PUBSUB'])))
      await until(() => types().includes('missed'))
      expect(
        types()
          .filter((type) => type !== 'changed')
          .slice(0, 2),
      ).toEqual(['interrupted', 'missed'])
      // A connection that is back before the last server has killed is interrupted again.
      do changes.length = 0
      while (!(await write()))
      end()
      await clear(stores[0]!)
    }
  })

  // The clients exist only when the tests run.
  describe('redis and ioredis together', () => {
    storeContract({ test: contractTest, durable: true, open: () => opened([node, io]) })
  })

  test('distributes documents over all masters', async () => {
    for (const client of [node, io]) {
      const prefix = newPrefix()
      const store = redisStore(client, { prefix })
      const keys = Array.from({ length: 60 }, (_, i) => `scope/${1000 + i}/global`)
      await Promise.all(keys.map((key) => store.write(key, null, key)))
      expect((await store.read(keys)).map((entry) => entry?.value)).toEqual(keys)
      expect(await listed(store)).toEqual(keys)
      const pattern = `${prefix.replace(/[[\]*?]/g, '\\$&')}*`
      const found = await Promise.all(io.nodes('master').map((master) => master.keys(pattern)))
      const shares = found.map((keys) => keys.length)
      expect(shares).toHaveLength(3)
      expect(Math.min(...shares)).toBeGreaterThan(0)
      await clear(store)
    }
  })

  test('does not create a document again that was removed before the lost answer: ioredis', async () => {
    // The text in braces selects the slot of a key.
    const prefix = `{${ownName()}}:`
    const slot = Number(await io.call('CLUSTER', ['KEYSLOT', prefix]))
    const owner = Number((await owners()).find(({ from, to }) => from <= slot && slot <= to)!.port)
    const proxy = await proxyTo(`redis://127.0.0.1:${owner}`)
    const client = new Cluster([{ host: '127.0.0.1', port: proxy.port }], {
      natMap: { [`127.0.0.1:${owner}`]: { host: '127.0.0.1', port: proxy.port } },
      lazyConnect: true,
      retryDelayOnFailover: 0,
    })
    client.on('error', () => undefined)
    onTestFinished(() => client.disconnect())
    const direct = redisStore(io, { prefix })
    await client.connect()
    await expectCreatedOnce(proxy, redisStore(client, { prefix }), direct, 'EVALSHA')
    await clear(direct)
  })

  test('scans once for a listing, and again during a slot migration', async () => {
    const prefix = newPrefix()
    const store = redisStore(io, { prefix })
    await store.write('key', null, 1)
    const { from, port } = (await owners())[0]!
    const source = io.nodes('master').find(({ options }) => options.port === port)!
    const target = io.nodes('master').find(({ options }) => options.port !== port)!
    for (const client of [io, node]) {
      const listing = async () => {
        const before = await scans()
        expect(await listed(redisStore(client, { prefix }))).toEqual(['key'])
        return (await scans()) - before
      }
      expect(await listing()).toBe(3)
      await source.call('CLUSTER', ['SETSLOT', `${from}`, 'MIGRATING', await target.cluster('MYID')])
      expect(await listing()).toBe(6)
      await source.call('CLUSTER', ['SETSLOT', `${from}`, 'STABLE'])
      expect(await listing()).toBe(3)
    }
    await clear(store)
  })

  /** How many scans the masters have answered so far. */
  async function scans(): Promise<number> {
    const stats = await Promise.all(io.nodes('master').map((master) => master.info('commandstats')))
    return stats.reduce((sum, text) => sum + Number(/cmdstat_scan:calls=(\d+)/.exec(text)?.[1] ?? 0), 0)
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

/** A cluster of two masters in memory, without scripts. */
function inMemory(
  nodes: readonly Set<string>[],
  asked: (master: number, args: string[]) => void,
  lastSlot = () => 2,
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
            : `${nodes.indexOf(keys)} a myself,master - 0 0 1 connected 1-${lastSlot()}`
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
  let lastSlot = 2
  const move = (master: number, [command]: string[]) => {
    // After the scan of the first master and before that of the second.
    if (command !== 'SCAN' || master !== 0 || ++scans > 1) return
    lastSlot++
    nodes[1]!.delete('commandry:b')
    nodes[0]!.add('commandry:b')
  }
  const client = inMemory(nodes, move, () => lastSlot)
  expect(await listed(redisStore(client))).toEqual(['a', 'b', 'c'])
})

test('requests at most 500 keys of a cluster at once in one read', async () => {
  let most = 0
  const client = inMemory([new Set(['commandry:key/1999'])], (underWay) => (most = Math.max(most, underWay)))
  const entries = await redisStore(client).read(Array.from({ length: 2000 }, (_, i) => `key/${i}`))
  expect(most).toBe(500)
  expect(entries.findIndex((entry) => entry?.value === 1)).toBe(1999)
})
