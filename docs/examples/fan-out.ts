/** Hearing of changes that other processes wrote: what the stores announce, by the database's own means. */
import type { Store } from 'commandry'

/** What a store announces of every write that took place: `{"key":"scope/1001/guild/2001","revision":"…"}`. */
export interface Change {
  readonly key: string
  readonly revision: string
}

/** A connection of `pg` of its own; one of a pool would be handed to somebody else. */
interface PostgresListener {
  query(text: string): Promise<unknown>
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown
}

/** With `postgresStore(pool, { notify: 'commands_changed' })` in every process that writes. */
export async function hearPostgres(client: PostgresListener, heard: (change: Change) => void): Promise<void> {
  client.on('notification', ({ payload }) => {
    if (payload !== undefined) heard(JSON.parse(payload) as Change)
  })
  await client.query('LISTEN commands_changed')
}

/** A connection of `redis` (node-redis) of its own: one that subscribes can do little else. */
interface RedisListener {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
}

/** With `redisStore(client, { notify: 'commands_changed' })` in every process that writes. */
export async function hearRedis(client: RedisListener, heard: (change: Change) => void): Promise<void> {
  await client.subscribe('commands_changed', (message) => heard(JSON.parse(message) as Change))
}

/**
 * A copy of documents that is read anew when somebody announces a change. An announcement can be missed while the
 * connection is down, so the copy is thrown away when it comes back.
 */
export function copyOf(store: Store): {
  read(key: string): Promise<unknown>
  changed(change: Change): void
  forget(): void
} {
  const known = new Map<string, Promise<unknown>>()
  return {
    read(key) {
      let value = known.get(key)
      if (value === undefined) {
        value = store.read([key]).then(([entry]) => entry?.value)
        known.set(key, value)
      }
      return value
    },
    changed: ({ key }) => void known.delete(key),
    forget: () => known.clear(),
  }
}
