import { Redis } from 'ioredis'
import { createClient, createClientPool } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeContract } from 'commandry/testing'
import { type RedisClient, redisStore } from 'commandry/storage/redis'
import { listed } from './listed.ts'
import { expectParsedOnce } from './parsed-once.ts'
import { proxyTo } from './proxy.ts'
import { startRedisServer } from './redis-servers.ts'
import { clear, missingPrograms, newPrefix, opened, resent } from './redis-stores.ts'
import { needing, ownName, contractTest, fastContractTest } from './servers.ts'

const url = process.env['REDIS_URL']
const serverUrl = url ?? 'redis://nowhere'
const server = needing('a server', url === undefined ? 'no REDIS_URL' : undefined)
const ownServer = needing("a server of the test's own", missingPrograms)

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
    storeContract({ test: contractTest, durable: true, open: () => opened([single, io]) })
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

test('rejects an invalid client immediately', () => {
  expect(() => redisStore({} as RedisClient)).toThrow(TypeError)
})
