/** Hears what is announced by PUBLISH, on a connection of its own. */
import type { AnnouncementListener } from './store.ts'

/** A connection of `ioredis`, which can be made anew. */
interface IoRedisNode {
  duplicate(options: object): IoRedisNode
  connect(): PromiseLike<unknown>
  subscribe(channel: string): PromiseLike<unknown>
  on(event: string, listener: (...args: string[]) => void): unknown
  disconnect(): void
}

/** A client of `redis` (node-redis), which can be made anew. */
interface NodeRedisNode {
  readonly options?: { readonly socket?: object }
  duplicate(options: object): NodeRedisNode
  connect(): PromiseLike<unknown>
  subscribe(channel: string, listener: (message: string) => void): PromiseLike<unknown>
  on(event: string, listener: () => void): unknown
  destroy?(): void
  disconnect(): void
}

/**
 * Listens on a channel, over a copy of a connection that does not connect again by itself. @returns ends it
 *
 * @param node a connection to any server of a cluster: messages reach all of them
 */
export async function listenToRedis(
  node: object,
  channel: string,
  listener: AnnouncementListener,
): Promise<() => void> {
  if (!('duplicate' in node) || !('subscribe' in node))
    throw new TypeError(
      'followChanges: expected a store over a client of redis or ioredis that can subscribe, not a pool',
    )
  return 'call' in node
    ? listenByIoRedis(node as unknown as IoRedisNode, channel, listener)
    : listenByNodeRedis(node as unknown as NodeRedisNode, channel, listener)
}

async function listenByIoRedis(
  node: IoRedisNode,
  channel: string,
  { received, lost }: AnnouncementListener,
): Promise<() => void> {
  const copy = node.duplicate({ lazyConnect: true, retryStrategy: null, enableOfflineQueue: true })
  copy.on('error', () => {})
  copy.on('close', lost)
  copy.on('message', (_, message = '') => received(message))
  return begin(
    copy,
    () => copy.disconnect(),
    () => copy.subscribe(channel),
  )
}

async function listenByNodeRedis(
  node: NodeRedisNode,
  channel: string,
  { received, lost }: AnnouncementListener,
): Promise<() => void> {
  const copy = node.duplicate({ socket: { ...node.options?.socket, reconnectStrategy: false } })
  for (const event of ['error', 'end', 'reconnecting']) copy.on(event, lost)
  const end = () => {
    try {
      // The version before the fifth has no `destroy`.
      if (copy.destroy !== undefined) copy.destroy()
      else copy.disconnect()
    } catch {
      // It is closed already.
    }
  }
  return begin(copy, end, () => copy.subscribe(channel, received))
}

async function begin(
  copy: { connect(): PromiseLike<unknown> },
  end: () => void,
  subscribe: () => PromiseLike<unknown>,
): Promise<() => void> {
  try {
    await copy.connect()
    await subscribe()
    return end
  } catch (error) {
    end()
    throw error
  }
}
