/** Hearing of changes that other processes wrote: what the stores announce, by the database's own means. */
import type { Store } from 'commandry'

/** What a store announces of every write that took place: `{"key":"scope/1001/guild/2001","revision":"…"}`. */
export interface Change {
  readonly key: string
  readonly revision: string
}

/** Who wants to hear. */
export interface Listener {
  changed(change: Change): void
  /** Whether announcements arrive from now on. Those made while they did not are lost. */
  hearing(hears: boolean): void
}

/** A connection of `pg` of its own; one of a pool would be handed to somebody else. */
interface PostgresListener {
  query(text: string): Promise<unknown>
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

/**
 * With `postgresStore(pool, { notify: channel })` in every process that writes. A connection of `pg` that has ended
 * does not come back: connect another one on its `end`, and call this again.
 */
export async function hearPostgres(
  client: PostgresListener,
  channel: string,
  listener: Listener,
): Promise<void> {
  client.on('notification', ({ payload }) => {
    if (payload !== undefined) listener.changed(JSON.parse(payload) as Change)
  })
  client.on('end', () => listener.hearing(false))
  await client.query(`LISTEN "${channel.replaceAll('"', '""')}"`)
  listener.hearing(true)
}

/** A connection of `redis` (node-redis) of its own: one that subscribes can do little else. */
interface RedisListener {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  on(event: 'reconnecting' | 'ready' | 'end', listener: () => void): unknown
}

/** With `redisStore(client, { notify: channel })` in every process that writes. It connects again by itself. */
export async function hearRedis(client: RedisListener, channel: string, listener: Listener): Promise<void> {
  client.on('reconnecting', () => listener.hearing(false))
  client.on('end', () => listener.hearing(false))
  await client.subscribe(channel, (message) => listener.changed(JSON.parse(message) as Change))
  // When it is ready again it has subscribed again.
  client.on('ready', () => listener.hearing(true))
  listener.hearing(true)
}

/** A copy of documents that are read anew when somebody announces a change; it keeps nothing while it hears nothing. */
export function copyOf(store: Store): Listener & { read(key: string): Promise<unknown> } {
  const known = new Map<string, Promise<unknown>>()
  let hears = false
  return {
    read(key) {
      const kept = known.get(key)
      if (kept !== undefined) return kept
      const value = store.read([key]).then(([entry]) => entry?.value)
      if (!hears) return value
      known.set(key, value)
      // What could not be read is asked for again.
      value.catch(() => {
        if (known.get(key) === value) known.delete(key)
      })
      return value
    },
    changed: ({ key }) => void known.delete(key),
    hearing(now) {
      hears = now
      known.clear()
    },
  }
}
