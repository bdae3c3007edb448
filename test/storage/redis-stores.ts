/** Redis stores for tests, with prefixes of their own. */
import { expect } from 'vitest'
import { CommandRegistry, type Store } from 'commandry'
import type { OpenedStore } from 'commandry/testing'
import { type RedisClient, redisStore } from 'commandry/storage/redis'
import { attempt } from '../support/attempt.ts'
import { here as scope } from '../support/fixtures.ts'
import { expectStoreError, interrupted, listed, put } from './checks.ts'
import type { Proxy } from './proxy.ts'
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

/**
 * The outcomes of calls whose write was applied, lost its response, and is repeated after another
 * writer.
 */
export async function resent(proxy: Proxy, store: Store, direct: Store): Promise<void> {
  const { registry, beforeNextWrite } = interrupted(store)
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
    beforeNextWrite(() => proxy.cutNextReply({ to: 'EVALSHA', meanwhile }))
    expect(await attempt(call)).toMatchObject({ code: 'storage', mayHaveHappened: true })
  }
  expect(await rival.list(scope)).toEqual([])
  expect((await rival.plan(scope, [])).createsLeft).toBe(200 - 1 - 1 - 1 - 1 - 3)

  // A removal leaves no revision to recognize it by.
  const revision = await put(store, 'key', null, 1)
  proxy.cutNextReply({ to: 'EVALSHA' })
  await expectStoreError(store.write('key', revision, undefined), { mayHaveHappened: true })
  expect(await direct.read(['key'])).toEqual([undefined])
  // A stale write without a cut is refused as usual.
  expect(await store.write('key', crypto.randomUUID(), 2)).toEqual({ ok: false })
}

/** A store with its own prefix, and further clients for the same documents. */
export function opened(
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
