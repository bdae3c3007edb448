/** Redis stores for tests, with prefixes of their own. */
import type { Store } from 'commandry'
import type { OpenedStore } from 'commandry/testing'
import { type RedisClient, redisStore } from 'commandry/storage/redis'
import { listed } from './checks.ts'
import { hasRedisServer } from './redis-servers.ts'
import { ownName } from './servers.ts'

/** Why no server can be started on this machine; undefined when one can. */
export const missingPrograms = hasRedisServer() ? undefined : 'no redis-server and redis-cli'

// Several runs may share a server, so each test has its own prefix. Its pattern characters
// must not matter.
export const newPrefix = () => `[*?]:${ownName()}:`

export async function clear(store: Store): Promise<void> {
  const keys = await listed(store)
  const entries = await store.read(keys)
  await Promise.all(keys.map((key, i) => store.write(key, entries[i]?.revision ?? null, undefined)))
}

/** The setting of `ioredis` that the store requires. */
export const onceOnly = { autoResendUnfulfilledCommands: false }

/** A store with its own prefix, and further clients for the same documents. */
export function opened(
  clients: readonly [RedisClient, ...RedisClient[]],
  more: { notify?: string } = {},
  prefix = newPrefix(),
): OpenedStore {
  const store = redisStore(clients[0], { prefix, ...more })
  return {
    store,
    peers: clients.slice(1).map((client) => redisStore(client, { prefix, ...more })),
    reopen: () => redisStore(clients[0], { prefix, ...more }),
    close: () => clear(store),
  }
}
