import { randomInt } from 'node:crypto'
import pg from 'pg'
import { createClient } from 'redis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CommandRegistry, guildScope, memoryStore, type Store } from 'commandry'
import { cacheOf, listenToPostgres, listenToRedis, type Listener } from '../../docs/examples/fan-out.ts'
import { postgresStore } from 'commandry/storage/postgres'
import { redisStore } from 'commandry/storage/redis'
import { proxyTo } from './proxy.ts'
import { missing, ownName, testWith } from './servers.ts'

/** Documents, a channel and an application that no other run uses. */
function own() {
  const application = randomInt(1, 2 ** 47)
  const scope = guildScope(String(application), '2001')
  return { scope, key: `scope/${application}/guild/2001`, name: ownName(), channel: `"${ownName()}` }
}

/** One registry writes, another is notified and reads again. `settled` resolves once every notification has arrived. */
async function follow(
  { scope, key }: ReturnType<typeof own>,
  writing: Store,
  reading: Store,
  hear: (listener: Listener) => Promise<void>,
  settled: () => Promise<unknown>,
): Promise<ReturnType<typeof cacheOf>> {
  const copy = cacheOf(reading)
  const keys: string[] = []
  await hear({
    ...copy,
    changed(change) {
      keys.push(change.key)
      copy.changed(change)
    },
  })
  const registry = new CommandRegistry({ store: writing })
  expect(await copy.read(key)).toBeUndefined()
  for (const name of ['one', 'two']) {
    await registry.upsert(scope, { name, description: 'b' })
    await settled()
    expect(await copy.read(key)).toMatchObject({ commands: await registry.list(scope) })
    expect(copy.read(key)).toBe(copy.read(key))
  }
  expect(keys).toEqual([key, key])
  return copy
}

describe('notifications of changes', () => {
  const url = process.env['DATABASE_URL']
  testWith(missing('DATABASE_URL'), 'by LISTEN and NOTIFY', async () => {
    const pool = new pg.Pool({ connectionString: url })
    const listener = new pg.Client({ connectionString: url })
    listener.on('error', () => undefined)
    await listener.connect()
    const ours = own()
    const { key, name: table, channel } = ours
    onTestFinished(async () => {
      await pool.query(`DROP TABLE IF EXISTS ${table}`)
      await Promise.all([pool.end(), listener.end()])
    })
    const store = postgresStore(pool, { table, notify: channel })
    const copy = await follow(
      ours,
      store,
      postgresStore(pool, { table }),
      (heard) => listenToPostgres(listener, channel, heard),
      // Responses arrive after the notifications.
      () => listener.query('SELECT 1'),
    )
    const ended = new Promise<void>((resolve) => listener.once('end', resolve))
    const { rows } = await listener.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid])
    await ended
    const [entry] = await store.read([key])
    await store.write(key, entry!.revision, 'unheard')
    expect(await copy.read(key)).toBe('unheard')
  })

  const redisUrl = process.env['REDIS_URL']
  testWith(missing('REDIS_URL'), 'by publishing and subscribing', async () => {
    const client = await createClient({ url: redisUrl! }).connect()
    const proxy = await proxyTo(redisUrl!)
    const socket = { host: '127.0.0.1', port: proxy.port, reconnectStrategy: () => 0 }
    const listener = createClient({ socket })
    listener.on('error', () => undefined)
    await listener.connect()
    const ours = own()
    const { key, name: prefix, channel } = ours
    onTestFinished(async () => {
      await client.del(`${prefix}${key}`)
      client.destroy()
      listener.destroy()
    })
    const store = redisStore(client, { prefix, notify: channel })
    const copy = await follow(
      ours,
      store,
      redisStore(client, { prefix }),
      (heard) => listenToRedis(listener, channel, heard),
      () => listener.ping(),
    )
    // It misses one change while it is disconnected, and is notified of the next.
    const again = new Promise<void>((resolve) => listener.once('ready', () => resolve()))
    const value = async () => (await store.read([key]))[0]!
    proxy.cutNextReply({ meanwhile: async () => store.write(key, (await value()).revision, 'unheard') })
    await listener.ping().catch(() => undefined)
    await again
    expect(await copy.read(key)).toBe('unheard')
    await store.write(key, (await value()).revision, 'heard')
    await listener.ping()
    expect(await copy.read(key)).toBe('heard')
  })

  it('reads again after a failed read', async () => {
    const store = memoryStore()
    await store.write('key', null, 1)
    let down = true
    const copy = cacheOf({
      ...store,
      read: (keys) => (down ? Promise.reject(new Error('down')) : store.read(keys)),
    })
    copy.connected(true)
    await expect(copy.read('key')).rejects.toThrow('down')
    down = false
    expect(await copy.read('key')).toBe(1)
  })
})
