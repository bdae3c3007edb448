/**
 * Documents in Redis, one key each, on a single server or a cluster. docs/storage.md has the settings of the server and
 * of the drivers.
 *
 * By default ioredis sends a command again whose connection was cut before the answer. Such a write could create a document
 * again after its removal, so the store rejects a client with that setting.
 *
 * A single server has the keys in a sorted set; see redis-index.ts. In a cluster, listing keys scans every master, and
 * again while slots move, until a scan finds nothing new. It can miss only keys that move during every scan and keys of
 * a master that the driver does not know.
 */
import { aString, optionsOf } from '../core/rules/arguments.ts'
import { nullable } from '../core/rules/readers.ts'
import { toHex } from '../core/bytes.ts'
import { chanceBelow } from '../core/random.ts'
import { INDEX, indexedKeys, refusesSeveralKeys } from './redis-index.ts'
import { listenToRedis } from './redis-listen.ts'
import { REVISION_LENGTH } from './store-codec.ts'
import { reasonOf } from './store-error.ts'
import type { Store } from './store.ts'
import { textStore } from './text-store.ts'

/** A client or a pool of `redis` (node-redis 4 and later). */
export interface NodeRedisClient {
  /** Sends one command. */
  sendCommand(args: string[]): PromiseLike<unknown>
}

/** A cluster client of `redis` (node-redis 4 and later). */
export interface NodeRedisCluster {
  /** Sends one command to the node that has the key. */
  sendCommand(firstKey: string | undefined, isReadonly: boolean, args: string[]): PromiseLike<unknown>
  readonly masters: readonly unknown[]
  /** The client of one of the `masters`. */
  nodeClient(master: never): NodeRedisClient | PromiseLike<NodeRedisClient>
}

/** A `Redis` of `ioredis`. */
export interface IoRedisClient {
  /** Sends one command. */
  call(command: string, args: string[]): PromiseLike<unknown>
  /** True for a `Cluster`. */
  readonly isCluster: boolean
  /** `autoResendUnfulfilledCommands` must be false; of a `Cluster`, `retryDelayOnFailover` must be 0. */
  readonly options: object
}

/** A `Cluster` of `ioredis`. */
export interface IoRedisCluster extends IoRedisClient {
  /** The clients of the nodes with a role. */
  nodes(role: 'master' | 'all'): readonly IoRedisClient[]
}

/** The clients that `redisStore` takes. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient | IoRedisCluster

/** The keys and the channel of `redisStore`. */
export interface RedisStoreOptions {
  /** The start of every key. Default: `commandry:`. Of two stores on one server, neither may start as the other. */
  readonly prefix?: string
  /**
   * A channel to PUBLISH every write on, within the script that writes. The message is `{"key":…,"revision":…}`;
   * `followChanges` receives it. A write succeeds even if its account may not publish.
   */
  readonly notify?: string
}

// A document is one string, so that it is read, compared and replaced as one: the revision, 36 characters, followed by
// the JSON. KEYS: the key, and the set of keys unless in a cluster. ARGV: expected revision or '', new revision, JSON or ''
// to remove, channel or '', message, the member of the set. The set has a key before its document and after its removal.
// The message is sent last, so that only writes are announced, and with `pcall`, so that an error reply always means
// that nothing was written.
const SCRIPT = `
local present = redis.call('GETRANGE', KEYS[1], 0, 35)
if present == ARGV[2] then return 1 end
if present ~= ARGV[1] then return 0 end
if ARGV[3] == '' then
  redis.call('DEL', KEYS[1])
  if KEYS[2] then redis.pcall('ZREM', KEYS[2], ARGV[6]) end
else
  if KEYS[2] and present == '' then redis.call('ZADD', KEYS[2], 0, ARGV[6]) end
  redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3])
end
if ARGV[4] ~= '' then redis.pcall('PUBLISH', ARGV[4], ARGV[5]) end
return 1`

// More commands at once would block the driver for a while.
const MAX_BATCH_SIZE = 500
const MAX_PASSES = 10

const checkedOptions = /* @__PURE__ */ optionsOf<RedisStoreOptions>('redisStore', {
  prefix: nullable(aString),
  notify: nullable(aString),
})

/**
 * A store in Redis, over a client that the host opens and closes. With the server's default settings, a crash or a
 * failover can lose acknowledged writes.
 *
 * @throws TypeError if the client is invalid, or is one of ioredis that sends commands again
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const { prefix = 'commandry:', notify = '' } = checkedOptions(options)
  const server = connect(Object(client))
  const runScript = scriptRunner(server, prefix)
  const scanned = async (start: string) => {
    const before = server.keyPrefix + prefix
    const found = await scanAll(server, before + start)
    return [...found]
      .map((key) => key.slice(before.length))
      .filter((key) => key !== INDEX)
      .sort()
  }
  const store = textStore({
    async *keys(start) {
      try {
        if (!server.cluster)
          return yield* indexedKeys(
            (args) => server.send(args[1], args),
            prefix,
            start,
            () => scanned(''),
          )
      } catch (error) {
        if (!refusesSeveralKeys(error)) throw error
      }
      yield* await scanned(start)
    },
    async rows(keys) {
      const replies = await fetchAll(
        server,
        keys.map((key) => prefix + key),
      )
      return keys.flatMap((key, i) => {
        if (replies[i] === null || replies[i] === undefined) return []
        // A driver can be configured to return bytes.
        const reply = String(replies[i])
        return [{ key, revision: reply.slice(0, REVISION_LENGTH), text: reply.slice(REVISION_LENGTH) }]
      })
    },
    async write({ key, documentKey, expected, revision, text = '' }) {
      const message = notify === '' ? '' : JSON.stringify({ key: documentKey, revision })
      return runScript(key, [expected ?? '', revision, text, notify, message])
    },
    nothingWritten: wroteNothing,
  })
  if (notify === '') return store
  return {
    ...store,
    announcements: {
      listen: async (listener) => listenToRedis(await server.anyNode(), notify, listener),
      announce: async (message) => server.send(undefined, ['PUBLISH', notify, message]),
    },
  }
}

/** Runs the script: by its digest, or in full on a server that does not have it. */
function scriptRunner(
  server: RedisConnection,
  prefix: string,
): (key: string, values: readonly string[]) => Promise<boolean> {
  let digest: Promise<string> | undefined
  // False for a node of a cluster too, over a client that does not know that.
  let hasIndex = !server.cluster
  const run = async (key: string, values: readonly string[]): Promise<boolean> => {
    const keys = [prefix + key, ...(hasIndex ? [prefix + INDEX] : [])]
    const rest = [String(keys.length), ...keys, ...values, key]
    try {
      return Number(await server.send(keys[0], ['EVALSHA', await (digest ??= sha1(SCRIPT)), ...rest])) === 1
    } catch (error) {
      if (!reasonOf(error).startsWith('NOSCRIPT')) throw error
      return Number(await server.send(keys[0], ['EVAL', SCRIPT, ...rest])) === 1
    }
  }
  return async (key, values) => {
    try {
      return await run(key, values)
    } catch (error) {
      if (!hasIndex || !refusesSeveralKeys(error)) throw error
      hasIndex = false
      return run(key, values)
    }
  }
}

async function fetchAll(server: RedisConnection, keys: readonly string[]): Promise<readonly unknown[]> {
  if (keys.length === 1) return [await server.send(keys[0], ['GET', keys[0]!])]
  if (!server.cluster) return (await server.send(keys[0], ['MGET', ...keys])) as readonly unknown[]
  // A cluster refuses one command for keys on several nodes.
  const replies: unknown[] = []
  for (let i = 0; i < keys.length; i += MAX_BATCH_SIZE) {
    const some = keys.slice(i, i + MAX_BATCH_SIZE)
    replies.push(...(await Promise.all(some.map((key) => server.send(key, ['GET', key])))))
  }
  return replies
}

/** The written keys with this start on all masters. A set: one scan can return a key twice, and so can two masters. */
async function scanAll(server: RedisConnection, start: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const known = found.size
    const layout = await layoutOf(server)
    await Promise.all((await server.masters()).map((send) => scan(send, start, found)))
    // A key that moved from a master not yet scanned to one already scanned is found by the next pass.
    if (layout !== undefined && layout === (await layoutOf(server))) break
    if (pass > 1 && found.size === known) break
  }
  return found
}

/** A text that changes when keys move between masters; `undefined` while some are moving. */
async function layoutOf({ cluster, masters }: RedisConnection): Promise<string | undefined> {
  if (!cluster) return ''
  try {
    const answers = await Promise.all((await masters()).map((send) => send(['CLUSTER', 'NODES'])))
    const lines = answers.map((answer) => /^.*\bmyself\b.*$/m.exec(String(answer))?.[0].split(' ') ?? [])
    // An identifier, seven other fields, then slots; `[93-<-…]` is a moving one.
    const shares = lines.map(([id = '', ...rest]) => [id, ...rest.slice(7)].join(' '))
    return shares.some((share) => share === '' || share.includes('[')) ? undefined : shares.sort().join('\n')
  } catch {
    // The account may not ask: assume that slots move.
    return undefined
  }
}

async function scan(send: Send, start: string, found: Set<string>): Promise<void> {
  const pattern = `${start.replace(/[\\*?[\]^-]/g, '\\$&')}*`
  let cursor = '0'
  do {
    const reply = await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000'])
    const [next, keys] = reply as [unknown, readonly unknown[]]
    for (const key of keys) found.add(String(key))
    cursor = String(next)
  } while (cursor !== '0')
}

type Send = (args: string[]) => PromiseLike<unknown>

/** The common interface of the drivers. */
interface RedisConnection {
  readonly cluster: boolean
  /** What the driver puts before every key, but not before the pattern of a scan. */
  readonly keyPrefix: string
  send(key: string | undefined, args: string[]): PromiseLike<unknown>
  /** A connection to each server that holds keys. */
  masters(): PromiseLike<readonly Send[]>
  /** The driver's connection to one server. */
  anyNode(): PromiseLike<object>
}

function connect(client: RedisClient): RedisConnection {
  if ('call' in client && typeof client.call === 'function') return connectIoRedis(client)
  if ('nodeClient' in client) return connectNodeRedisCluster(client)
  if ('sendCommand' in client && typeof client.sendCommand === 'function') {
    const send: Send = (args) => client.sendCommand(args)
    return {
      ...nodeRedis,
      cluster: false,
      send: (_, args) => send(args),
      masters: async () => [send],
      anyNode: async () => client,
    }
  }
  throw new TypeError('client: expected a client or cluster of redis (node-redis) or ioredis')
}

function connectIoRedis(client: IoRedisClient | IoRedisCluster): RedisConnection {
  const options: Settings = Object(client.options)
  checkSendsOnce(client.isCluster, options)
  const one =
    (node: IoRedisClient): Send =>
    ([command = '', ...args]) =>
      node.call(command, args)
  const send = one(client)
  return {
    cluster: client.isCluster,
    keyPrefix: String(options['keyPrefix'] ?? ''),
    send: (_, args) => send(args),
    masters: async () => ('nodes' in client ? client.nodes('master').map(one) : [send]),
    anyNode: async () => ('nodes' in client ? anyOf(client.nodes('master')) : client),
  }
}

type Settings = Readonly<Record<string, unknown>>

/** @throws TypeError if the client sends a command again whose connection was cut before the answer */
function checkSendsOnce(isCluster: boolean, options: Settings): void {
  const { retryDelayOnFailover, clusterNodeRetryStrategy, redisOptions } = options
  const ofNode: Settings = isCluster ? Object(redisOptions) : options
  // The nodes of a cluster do not connect again unless this function is set.
  const nodeRepeats =
    ofNode['autoResendUnfulfilledCommands'] !== false &&
    (!isCluster || typeof clusterNodeRetryStrategy === 'function')
  const reason = 'or ioredis repeats writes whose connection was cut'
  if (isCluster && retryDelayOnFailover !== 0)
    throw new TypeError(`client: set retryDelayOnFailover to 0, ${reason}`)
  if (nodeRepeats)
    throw new TypeError(
      `client: set ${isCluster ? 'redisOptions.' : ''}autoResendUnfulfilledCommands to false, ${reason}`,
    )
}

/** This driver adds its prefix to its own methods only, not to `sendCommand`, and sends each command once. */
const nodeRedis = { keyPrefix: '' }

function connectNodeRedisCluster(client: NodeRedisCluster): RedisConnection {
  const sendTo = async (master: unknown): Promise<Send> => {
    const node = await client.nodeClient(master as never)
    return (args) => node.sendCommand(args)
  }
  return {
    ...nodeRedis,
    cluster: true,
    // Never "read only": a replica may answer that, without the last writes.
    send: (key, args) => client.sendCommand(key, false, args),
    masters: () => Promise.all(client.masters.map(sendTo)),
    anyNode: async () => client.nodeClient(anyOf(client.masters) as never),
  }
}

/** Another one each time: one that does not answer is not asked again and again. */
function anyOf<T>(nodes: readonly T[]): T {
  if (nodes.length === 0) throw new Error('the driver has no connection to a master')
  return nodes[chanceBelow(nodes.length)]!
}

async function sha1(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))))
}

const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
const NOT_OPEN: ReadonlySet<string> = new Set(['ClientClosedError', 'ClientOfflineError'])

/**
 * Whether the script certainly did not write. True for an error reply of the server, because writing is the last step
 * of the script that can fail; such errors start with a word in capitals. True also if there was no connection.
 */
function wroteNothing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (NOT_OPEN.has(error.constructor.name) || ('code' in error && NOT_SENT.has(error.code))) return true
  return /^[A-Z]{3,} /.test(error.message)
}
