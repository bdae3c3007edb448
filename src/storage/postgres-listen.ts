/** Hears what is announced by NOTIFY, on a connection of its own. */
import type { AnnouncementListener } from './store.ts'

/** A connection that a `Pool` of `pg` lends. */
interface PoolConnection {
  query(text: string): PromiseLike<unknown>
  on(event: string, listener: (message: { readonly payload?: string }) => void): unknown
  release(destroy: boolean): void
}

interface Pool {
  connect(): PromiseLike<PoolConnection>
  readonly totalCount: number
}

/** The `sql` of `postgres`. */
interface Sql {
  listen(
    channel: string,
    received: (message: string) => void,
    listening: () => void,
  ): PromiseLike<{ unlisten(): PromiseLike<void> }>
}

/** Listens on a channel. @returns ends it */
export async function listenToPostgres(
  client: object,
  channel: string,
  { received, lost, again }: AnnouncementListener,
): Promise<() => void> {
  if (isPool(client)) {
    const connection = await client.connect()
    let isReleased = false
    const end = () => {
      if (!isReleased) connection.release(true)
      isReleased = true
    }
    connection.on('notification', ({ payload }) => received(payload ?? ''))
    connection.on('error', lost)
    connection.on('end', lost)
    try {
      await connection.query(`LISTEN "${channel.replaceAll('"', '""')}"`)
    } catch (error) {
      end()
      throw error
    }
    return end
  }
  if ('listen' in client && !('exec' in client)) {
    let isEnded = false
    let times = 0
    const listener = (message: string) => void (isEnded || received(message))
    // This driver connects again by itself, and then listens with a copy that cannot be ended.
    const listening = () => void (isEnded || (++times > 1 && again()))
    const { unlisten } = await (client as Sql).listen(channel, listener, listening)
    return () => {
      isEnded = true
      Promise.resolve(unlisten()).catch(() => {})
    }
  }
  throw new TypeError(
    'followChanges: expected a store over a Pool of pg or the sql of postgres, which can listen',
  )
}

function isPool(client: object): client is Pool {
  return 'totalCount' in client && 'connect' in client
}
