/** Notifications of changes by other processes, sent by the stores through the database. */
import type { Store } from 'commandry'

/** The notification of an applied write: `{"key":"scope/1001/guild/2001","revision":"…"}`. */
export interface Change {
  readonly key: string
  readonly revision: string
}

/** A receiver of notifications. */
export interface Listener {
  changed(change: Change): void
  /** Called when the connection is made or lost. Notifications sent while it is lost do not arrive later. */
  connected(isConnected: boolean): void
}

/** A dedicated connection of `pg`; a connection of a pool would be reused for other queries. */
interface PostgresListener {
  query(text: string): Promise<unknown>
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

/**
 * For `postgresStore(pool, { notify: channel })` in every process that writes. `pg` does not reconnect: on `end`, connect
 * a new client and call this again.
 */
export async function listenToPostgres(
  client: PostgresListener,
  channel: string,
  listener: Listener,
): Promise<void> {
  client.on('notification', ({ payload }) => {
    if (payload !== undefined) listener.changed(JSON.parse(payload) as Change)
  })
  client.on('end', () => listener.connected(false))
  await client.query(`LISTEN "${channel.replaceAll('"', '""')}"`)
  listener.connected(true)
}

/** A dedicated connection of `redis` (node-redis): a subscribed connection can do little else. */
interface RedisListener {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  on(event: 'reconnecting' | 'ready' | 'end', listener: () => void): unknown
}

/** For `redisStore(client, { notify: channel })` in every process that writes. The client reconnects by itself. */
export async function listenToRedis(
  client: RedisListener,
  channel: string,
  listener: Listener,
): Promise<void> {
  client.on('reconnecting', () => listener.connected(false))
  client.on('end', () => listener.connected(false))
  await client.subscribe(channel, (message) => listener.changed(JSON.parse(message) as Change))
  // On `ready` the client has subscribed again.
  client.on('ready', () => listener.connected(true))
  listener.connected(true)
}

/** A cache of documents that drops a document on a notification, and caches nothing while disconnected. */
export function cacheOf(store: Store): Listener & { read(key: string): Promise<unknown> } {
  const cached = new Map<string, Promise<unknown>>()
  let isConnected = false
  return {
    read(key) {
      const hit = cached.get(key)
      if (hit !== undefined) return hit
      const value = store.read([key]).then(([entry]) => entry?.value)
      if (!isConnected) return value
      cached.set(key, value)
      // A failed read is not cached.
      value.catch(() => {
        if (cached.get(key) === value) cached.delete(key)
      })
      return value
    },
    changed: ({ key }) => void cached.delete(key),
    connected(now) {
      isConnected = now
      cached.clear()
    },
  }
}
