/** Hears what is announced by NOTIFY, on a connection of its own. */
import type { AnnouncementListener } from './store.ts'

interface Connection {
  query(text: string): PromiseLike<unknown>
  on(event: string, listener: (message: { readonly payload?: string }) => void): unknown
}

/** A connection that a `Pool` of `pg` lends. */
interface LentConnection extends Connection {
  release(destroy: boolean): void
}

/** A connection of `pg` outside of a pool. */
interface OwnConnection extends Connection {
  connect(): PromiseLike<unknown>
  end(): PromiseLike<unknown>
}

interface Pool {
  connect(): PromiseLike<LentConnection>
  readonly totalCount: number
  readonly options?: { readonly max?: number }
  readonly Client?: new (options: object) => OwnConnection
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
    const { connection, release } = await connectionOf(client)
    let isReleased = false
    const end = () => {
      if (!isReleased) release()
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

/** A connection of a pool, or beside it, where the pool has no other one left for queries. @throws TypeError */
async function connectionOf(pool: Pool): Promise<{ readonly connection: Connection; release(): void }> {
  const { options = {}, Client } = pool
  if ((options.max ?? 2) > 1) {
    const connection = await pool.connect()
    return { connection, release: () => connection.release(true) }
  }
  if (Client === undefined)
    throw new TypeError(
      'followChanges: expected a Pool with max: 2 or more, as listening keeps a connection, got max: 1',
    )
  const connection = new Client(options)
  await connection.connect()
  return { connection, release: () => void Promise.resolve(connection.end()).catch(() => {}) }
}

function isPool(client: object): client is Pool {
  return 'totalCount' in client && 'connect' in client
}
