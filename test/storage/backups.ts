/** Backups of the documents of a store, which are restored below the connections that use them. */
import type { NatsConnection } from '@nats-io/transport-node'
import { Kvm } from '@nats-io/kv'
import type { Redis } from 'ioredis'

/** Backs up all documents. @returns restores them */
export type BackUp = () => Promise<() => Promise<void>>

/**
 * Of a table.
 *
 * @param run carries out statements in one transaction
 * @param lock the statement that keeps writers away until its end
 */
export function tableBackUp(
  run: (statements: readonly string[]) => unknown,
  table: string,
  lock: readonly string[] = [],
): BackUp {
  let count = 0
  return async () => {
    const copy = `${table}_${++count}`
    await run([`CREATE TABLE ${copy} AS SELECT * FROM ${table}`])
    return async () => {
      await run([...lock, `DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM ${copy}`])
    }
  }
}

const RESTORE = `
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do redis.call('DEL', key) end
for i = 2, #ARGV, 2 do redis.call('RESTORE', ARGV[i], 0, ARGV[i + 1]) end`

/** Of the keys with a prefix without signs of patterns. */
export function redisBackUp(client: Redis, prefix: string): BackUp {
  return async () => {
    const keys = await client.keys(`${prefix}*`)
    const dumps = await Promise.all(keys.map((key) => client.dumpBuffer(key)))
    const pairs = keys.flatMap((key, i) => (dumps[i] ? [key, dumps[i]] : []))
    return async () => void (await client.eval(RESTORE, 0, prefix, ...pairs))
  }
}

const FILLER = 'filler'

/** Of a bucket, which is made anew: its messages have the numbers again that they had. */
export function natsBackUp(connection: NatsConnection, name: string, options: object): BackUp {
  return async () => {
    const kvm = new Kvm(connection)
    const bucket = await kvm.open(name)
    const kept = new Map<number, { readonly key: string; readonly value: Uint8Array }>()
    for await (const key of await bucket.keys()) {
      const entry = await bucket.get(key)
      if (entry !== null) kept.set(entry.revision, { key, value: entry.value })
    }
    return async () => {
      await (await kvm.open(name)).destroy()
      const again = await kvm.create(name, options)
      for (let number = 1; number <= Math.max(0, ...kept.keys()); number++) {
        const { key, value } = kept.get(number) ?? { key: FILLER, value: '' }
        await again.put(key, value)
      }
    }
  }
}
