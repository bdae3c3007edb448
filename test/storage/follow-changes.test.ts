/** `followChanges` over each driver, with connections that are killed or fall silent. */
import { randomInt } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import postgres from 'postgres'
import { createClient, createClientPool } from 'redis'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CommandRegistry,
  followChanges,
  guildScope,
  memoryStore,
  snowflakes,
  type Store,
  type StoreChange,
} from 'commandry'
import { sharedAnswers } from 'commandry/interactions'
import { postgresStore, type PostgresClient } from 'commandry/storage/postgres'
import { redisStore, type RedisClient } from 'commandry/storage/redis'
import { handClock } from '../support/clock.ts'
import { used } from '../support/invoked.ts'
import { proxyTo } from './proxy.ts'
import { onceOnly } from './redis-stores.ts'
import { missing, ownName, testWith } from './servers.ts'
import { until } from '../support/waiting.ts'

const guildId = '2001'

/** Follows a store, for the time of the test. */
async function followed(store: Store, heartbeat = 60_000) {
  const changes: StoreChange[] = []
  let wake = () => {}
  const listener = (change: StoreChange) => (changes.push(change), wake())
  const end = await followChanges(store, listener, { heartbeat })
  onTestFinished(end)
  /** The changes up to one of a type. */
  const until = async (type: StoreChange['type']) => {
    while (changes.at(-1)?.type !== type) await new Promise<void>((resolve) => (wake = resolve))
    return changes.splice(0)
  }
  return { until, end }
}

/** Expects the changes by another store of the same documents, before and after the listening connection is lost. */
async function expectFollowed(reading: Store, writing: Store, lose: () => Promise<unknown>) {
  const applicationId = String(randomInt(1, 2 ** 47))
  const scope = guildScope(applicationId, guildId)
  const registry = new CommandRegistry({ store: writing })
  const { until, end } = await followed(reading)
  const revision = expect.any(String) as string
  const own = { applicationId, guildId, revision }
  const changed = { type: 'changed', of: 'commands', ...own }

  const { command } = await registry.upsert(scope, { name: 'one', description: 'b' })
  expect(await until('changed')).toEqual([changed])
  await registry.setPermissions(applicationId, guildId, command.id, [{ id: '5', type: 1, permission: true }])
  expect(await until('changed')).toEqual([{ ...changed, of: 'permissions' }])

  for (let loss = 0; loss < 2; loss++) {
    await lose()
    expect(await until('missed')).toEqual([{ type: 'interrupted' }, { type: 'missed' }])
    await registry.upsert(scope, { name: `after-${loss}`, description: 'b' })
    expect(await until('changed')).toEqual([changed])
  }
  end()
}

/** A store that counts its readings, and whether it listens. */
function counted(store: Store) {
  const seen = { reads: 0, listening: 0 }
  const read: Store['read'] = (keys) => (seen.reads++, store.read(keys))
  const { announcements } = store
  if (announcements === undefined) return { seen, store: { ...store, read } }
  const listen: typeof announcements.listen = async (listener) => {
    const end = await announcements.listen(listener)
    seen.listening++
    return () => {
      end()
      seen.listening--
    }
  }
  return { seen, store: { ...store, read, announcements: { ...announcements, listen } } }
}

/** Expects that answers of another process arrive by announcements, and that they are hardly read. */
async function expectAnnouncedAnswers(reading: Store, writing: Store) {
  const { seen, store } = counted(reading)
  // The answer is in time, however long the readings are counted.
  const clock = handClock()
  const [a, b] = [sharedAnswers(store, { clock }), sharedAnswers(writing, { clock })]
  const interaction = used({ name: 'ping', description: 'b' }, { ids: snowflakes() })
  const { id, token } = interaction
  const expected = a.expect(interaction)
  await expected.ready
  await until(() => seen.listening === 1)
  // It reads once while a process without announcements reads ten times.
  const other = counted(memoryStore())
  const unanswered = sharedAnswers(other.store, { clock }).expect(interaction)
  await unanswered.ready
  const before = seen.reads
  await until(() => other.seen.reads > 40)
  expect(seen.reads - before).toBeLessThanOrEqual(10)
  await unanswered.end()
  const callback = { type: 4, data: { content: 'pong' } }
  await b.at({ token }, (table) => table.receive(id, token, callback))
  expect(await expected.answer).toMatchObject({ callback })
  // The end of its connection is at its next reading, before which the pool must not end.
  await until(() => seen.listening === 0)
}

describe('followChanges over LISTEN', () => {
  const url = process.env['DATABASE_URL']!

  async function stores(client: PostgresClient) {
    const names = { table: ownName(), notify: `"${ownName()}` }
    const pool = new pg.Pool({ connectionString: url })
    onTestFinished(async () => {
      await pool.query(`DROP TABLE IF EXISTS ${names.table}`)
      await pool.end()
    })
    /** Kills the connections that listen to the channel of this test. */
    const kill = () =>
      pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'listen%' AND query ILIKE $1`,
        [`%${names.notify.slice(1)}%`],
      )
    return { reading: postgresStore(client, names), writing: postgresStore(pool, names), kill }
  }

  testWith(missing('DATABASE_URL'), 'by pg, whose connection is killed', async () => {
    const pool = new pg.Pool({ connectionString: url })
    const { reading, writing, kill } = await stores(pool)
    await expectFollowed(reading, writing, kill)
    await pool.end()
  })

  testWith(
    missing('DATABASE_URL'),
    '[2.11-15] and answers of other processes, which are hardly read',
    async () => {
      const pool = new pg.Pool({ connectionString: url })
      const { reading, writing } = await stores(pool)
      await expectAnnouncedAnswers(reading, writing)
      await pool.end()
    },
  )

  testWith(missing('DATABASE_URL'), 'by postgres, whose connection is killed', async () => {
    const sql = postgres(url, { onnotice: () => {} })
    const { reading, writing, kill } = await stores(sql)
    await expectFollowed(reading, writing, kill)
    await sql.end()
  })

  testWith(missing('DATABASE_URL'), 'by pg, whose connection falls silent', async () => {
    const proxy = await proxyTo(url)
    const pool = new pg.Pool({
      connectionString: proxy.url,
      query_timeout: 200,
      connectionTimeoutMillis: 200,
    })
    const { reading, writing } = await stores(pool)
    pool.on('error', () => undefined)
    const { until, end } = await followed(reading, 200)
    const speak = proxy.silence()
    expect(await until('interrupted')).toEqual([{ type: 'interrupted' }])
    speak()
    expect(await until('missed')).toEqual([{ type: 'missed' }])
    const registry = new CommandRegistry({ store: writing })
    await registry.upsert(guildScope('1', guildId), { name: 'one', description: 'b' })
    expect(await until('changed')).toMatchObject([{ type: 'changed', applicationId: '1' }])
    end()
    await pool.end()
  })

  testWith(missing('DATABASE_URL'), 'refuses a single connection', async () => {
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    await expect(followChanges(postgresStore(client, { notify: 'x' }), () => {})).rejects.toThrow(
      'followChanges: expected a store over a Pool of pg or the sql of postgres',
    )
  })

  testWith(missing('DATABASE_URL'), 'gives its connection back to the pool at its end', async () => {
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    const end = await followChanges(postgresStore(pool, { notify: ownName() }), () => {})
    end()
    const sleeping = Array.from({ length: 2 }, () => pool.query('SELECT pg_sleep(0), 1 AS one'))
    expect((await Promise.all(sleeping)).map(({ rows }) => rows[0].one)).toEqual([1, 1])
    await pool.end()
  })

  testWith(missing('DATABASE_URL'), 'leaves the only connection of a pool to queries', async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const store = postgresStore(pool, { table: ownName(), notify: ownName() })
    const registry = new CommandRegistry({ store })
    const scope = guildScope(String(randomInt(1, 2 ** 47)), guildId)
    const { until, end } = await followed(store)
    await registry.upsert(scope, { name: 'one', description: 'b' })
    expect(await until('changed')).toMatchObject([{ type: 'changed', of: 'commands' }])
    expect(await registry.list(scope)).toHaveLength(1)
    end()
    await pool.end()
  })
})

describe('followChanges over SUBSCRIBE', () => {
  const url = process.env['REDIS_URL']!

  /** Kills the connections with a name that subscribe. */
  async function killNamed(name: string) {
    const admin = new Redis(url)
    const lines = String(await admin.call('CLIENT', ['LIST', 'TYPE', 'PUBSUB'])).split('\n')
    const own = lines.filter((line) => line.includes(`name=${name}`))
    for (const line of own) await admin.call('CLIENT', ['KILL', 'ID', /id=(\d+)/.exec(line)![1]!])
    admin.disconnect()
    expect(own).toHaveLength(1)
  }

  async function expectKilled(client: RedisClient, name: string, prefixOfDriver = '') {
    const [prefix, notify] = [`${ownName()}:`, ownName()]
    const writer = new Redis(url, { ...onceOnly, keyPrefix: prefixOfDriver })
    onTestFinished(() => writer.disconnect())
    const [reading, writing] = [client, writer].map((each) => redisStore(each, { prefix, notify }))
    await expectFollowed(reading!, writing!, () => killNamed(name))
  }

  testWith(missing('REDIS_URL'), 'by ioredis, whose connection is killed', async () => {
    const name = ownName()
    const client = new Redis(url, { ...onceOnly, connectionName: name, keyPrefix: 'p:' })
    await expectKilled(client, name, 'p:')
    client.disconnect()
  })

  testWith(missing('REDIS_URL'), 'by redis, whose connection is killed', async () => {
    const name = ownName()
    const client = await createClient({ url, name }).connect()
    await expectKilled(client, name)
    client.destroy()
  })

  testWith(
    missing('REDIS_URL'),
    '[2.11-15] and answers of other processes, which are hardly read',
    async () => {
      const names = { prefix: `${ownName()}:`, notify: ownName() }
      const clients = [0, 1].map(() => new Redis(url, onceOnly))
      onTestFinished(() => clients.forEach((client) => client.disconnect()))
      const [reading, writing] = clients.map((client) => redisStore(client, names))
      await expectAnnouncedAnswers(reading!, writing!)
    },
  )

  testWith(missing('REDIS_URL'), 'refuses a pool', async () => {
    const pool = createClientPool({ url })
    await pool.connect()
    onTestFinished(() => void pool.destroy())
    await expect(followChanges(redisStore(pool, { notify: 'x' }), () => {})).rejects.toThrow(
      'that can subscribe, not a pool',
    )
  })

  test('refuses a client that can only be copied', async () => {
    const client = { isCluster: false, options: onceOnly, call: async () => null, duplicate: () => client }
    await expect(followChanges(redisStore(client, { notify: 'x' }), () => {})).rejects.toThrow(
      'that can subscribe, not a pool',
    )
  })
})
