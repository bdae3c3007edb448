import pg from 'pg'
import { createClient } from 'redis'
import { describe, expect, it } from 'vitest'
import { CommandRegistry, guildScope } from 'commandry'
import { copyOf, hearPostgres, hearRedis, type Change } from '../../docs/examples/fan-out.ts'
import { postgresStore } from '../../src/storage/postgres.ts'
import { redisStore } from '../../src/storage/redis.ts'
import type { Store } from '../../src/storage/store.ts'
import { needing } from './servers.ts'

const scope = guildScope('1001', '2001')
const key = 'scope/1001/guild/2001'
const table = `commandry_test_fan_out_${process.pid}`

/** One writes, another hears of it and reads anew. `settled` returns once all that was announced has been heard. */
async function follow(
  writing: Store,
  reading: Store,
  hear: (heard: (change: Change) => void) => Promise<void>,
  settled: () => Promise<unknown>,
): Promise<void> {
  const copy = copyOf(reading)
  const keys: string[] = []
  await hear((change) => {
    keys.push(change.key)
    copy.changed(change)
  })
  const registry = new CommandRegistry({ store: writing })
  expect(await copy.read(key)).toBeUndefined()
  for (const name of ['one', 'two']) {
    await registry.upsert(scope, { name, description: 'b' })
    await settled()
    expect(await copy.read(key)).toMatchObject({ commands: await registry.list(scope) })
  }
  expect(keys.filter((each) => each === key)).toHaveLength(2)
}

describe('changes reach other processes', () => {
  const url = process.env['DATABASE_URL']
  const postgres = needing('by LISTEN and NOTIFY', url === undefined ? 'no DATABASE_URL' : undefined)
  it.skipIf(postgres.skip)(postgres.title, async () => {
    if (url === undefined) expect.fail('no DATABASE_URL')
    const pool = new pg.Pool({ connectionString: url })
    const listener = new pg.Client({ connectionString: url })
    await listener.connect()
    try {
      await follow(
        postgresStore(pool, { table, notify: 'commands_changed' }),
        postgresStore(pool, { table }),
        (heard) => hearPostgres(listener, heard),
        // Answers come behind the notifications.
        () => listener.query('SELECT 1'),
      )
    } finally {
      await pool.query(`DROP TABLE IF EXISTS ${table}`)
      await Promise.all([pool.end(), listener.end()])
    }
  })

  const redisUrl = process.env['REDIS_URL']
  const redis = needing('by publishing and subscribing', redisUrl === undefined ? 'no REDIS_URL' : undefined)
  it.skipIf(redis.skip)(redis.title, async () => {
    if (redisUrl === undefined) expect.fail('no REDIS_URL')
    const client = await createClient({ url: redisUrl }).connect()
    const listener = await client.duplicate().connect()
    const prefix = `${table}:`
    try {
      await follow(
        redisStore(client, { prefix, notify: 'commands_changed' }),
        redisStore(client, { prefix }),
        (heard) => hearRedis(listener, heard),
        () => listener.ping(),
      )
    } finally {
      await client.del(`${prefix}${key}`)
      client.destroy()
      listener.destroy()
    }
  })
})
