/**
 * Documents in Redis, one key each, on a single server or a cluster.
 *
 * Guarantees beyond the contract: any number of processes may share the keys; each document is one key, so a
 * cluster spreads them over its masters. A write that the driver sends a second time after a cut connection is
 * recognised as its own, and is not taken for a lost race (a removal leaves nothing to recognise it by: sent
 * twice, it is).
 *
 * How lasting an acknowledged write is, is the server's business: `appendonly yes` with `appendfsync always` keeps
 * it through a crash, the defaults do not; a replica that takes over may lack the last writes of its master. Set
 * `maxmemory-policy noeviction`, or Redis will drop documents when memory runs out. Read from masters.
 *
 * Costs: one round trip for a read of any number of keys (on a cluster one GET a key, all under way at once), one
 * for a write, which runs a script by its digest; the first write on each server takes one more, to bring the
 * script. Listing keys scans every key of every master.
 */
import type { Json } from '../core/json.ts'
import { decodeEntry, decodeKey, encodeKey, encodeValue, isRevision, newRevision } from './store-codec.ts'
import { storeError } from './store-error.ts'
import type { Entry, Store, Written } from './store.ts'

/** A client or a pool of `redis` (node-redis 4 and later). */
export interface NodeRedisClient {
  sendCommand(args: string[]): PromiseLike<unknown>
}

/** A cluster client of `redis` (node-redis 4 and later). */
export interface NodeRedisCluster {
  sendCommand(firstKey: string | undefined, isReadonly: boolean, args: string[]): PromiseLike<unknown>
  readonly masters: readonly unknown[]
  /** Takes one of the `masters`, whatever this version of the driver makes of them. */
  nodeClient(master: never): NodeRedisClient | PromiseLike<NodeRedisClient>
}

/** A `Redis` of `ioredis`. */
export interface IoRedisClient {
  call(command: string, args: string[]): PromiseLike<unknown>
  readonly isCluster: boolean
}

/** A `Cluster` of `ioredis`. */
export interface IoRedisCluster extends IoRedisClient {
  nodes(role: 'master'): readonly IoRedisClient[]
}

export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient | IoRedisCluster

export interface RedisStoreOptions {
  /** What every key begins with, `commandry:` if not given. Of two stores neither may begin as the other does. */
  readonly prefix?: string
  /**
   * A channel to PUBLISH every write on, from within the script that writes. The message is
   * `{"key":…,"revision":…}`; whoever wants it subscribes with the driver's own means.
   */
  readonly notify?: string
}

// What is stored is the revision, 36 characters, and the JSON right behind it: one string, so that it is read,
// compared and replaced as one. KEYS: the key. ARGV: expected revision or '', new revision, JSON or '' to
// remove, channel or '', message. The message goes out first: what fails then has written nothing.
const SCRIPT = `
local present = redis.call('GETRANGE', KEYS[1], 0, 35)
if present == ARGV[2] then return 1 end
if present ~= ARGV[1] then return 0 end
if ARGV[4] ~= '' then redis.call('PUBLISH', ARGV[4], ARGV[5]) end
if ARGV[3] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3]) end
return 1`

const REVISION_LENGTH = 36

/** A store in Redis, over a client that the host has made, and closes. */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const prefix = options.prefix ?? 'commandry:'
  const notify = options.notify ?? ''
  const server = connect(client)
  let digest: Promise<string> | undefined

  async function runScript(key: string, values: readonly string[]): Promise<boolean> {
    const rest = ['1', key, ...values]
    try {
      return Number(await server.send(key, ['EVALSHA', await (digest ??= sha1(SCRIPT)), ...rest])) === 1
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error
      return Number(await server.send(key, ['EVAL', SCRIPT, ...rest])) === 1
    }
  }

  async function fetch(keys: readonly string[]): Promise<readonly unknown[]> {
    // A cluster refuses one command for keys that live apart.
    if (server.cluster || keys.length === 1)
      return Promise.all(keys.map((key) => server.send(key, ['GET', key])))
    return (await server.send(keys[0], ['MGET', ...keys])) as readonly unknown[]
  }

  return {
    async read(keys: readonly string[]): Promise<readonly (Entry | undefined)[]> {
      if (keys.length === 0) return []
      const entries = new Map<string, Entry | undefined>(keys.map((key) => [key, undefined]))
      const asked = [...entries.keys()]
      try {
        const found = await fetch(asked.map((key) => prefix + encodeKey(key)))
        asked.forEach((key, i) => {
          const text = found[i]
          if (text === null || text === undefined) return
          // A driver may be set to hand out bytes.
          const all = String(text)
          entries.set(key, decodeEntry(all.slice(REVISION_LENGTH), all.slice(0, REVISION_LENGTH)))
        })
      } catch (cause) {
        throw storeError('reading', cause, false)
      }
      return keys.map((key) => entries.get(key))
    },

    async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
      if (expected !== null && !isRevision(expected)) return { ok: false }
      const revision = newRevision()
      const text = value === undefined ? '' : encodeValue(value)
      const message = notify === '' ? '' : JSON.stringify({ key, revision })
      try {
        const done = await runScript(prefix + encodeKey(key), [
          expected ?? '',
          revision,
          text,
          notify,
          message,
        ])
        return done ? { ok: true, revision } : { ok: false }
      } catch (cause) {
        throw storeError(`writing ${key}`, cause, !(server.sendsOnce && refused(cause)))
      }
    },

    async *keys(start: string): AsyncGenerator<string> {
      const written = prefix + encodeKey(start)
      // A key can turn up twice in one scan, and on two masters while it moves.
      const found = new Set<string>()
      try {
        await Promise.all(
          (await server.masters()).map((send) => scan(send, server.keyPrefix + written, found)),
        )
      } catch (cause) {
        throw storeError('listing keys', cause, false)
      }
      const skip = server.keyPrefix.length + prefix.length
      // As written they sort by bytes, which is how the keys themselves sort.
      for (const text of [...found].sort()) yield decodeKey(text.slice(skip))
    },
  }
}

async function scan(send: Send, start: string, found: Set<string>): Promise<void> {
  const pattern = `${start.replace(/[\\*?[\]^-]/g, '\\$&')}*`
  let cursor = '0'
  do {
    const reply = (await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000'])) as readonly [
      unknown,
      readonly unknown[],
    ]
    for (const key of reply[1]) found.add(String(key))
    cursor = String(reply[0])
  } while (cursor !== '0')
}

type Send = (args: string[]) => PromiseLike<unknown>

/** The drivers made alike. */
interface Server {
  readonly cluster: boolean
  /** What the driver itself puts before every key it knows for one; a pattern is none. */
  readonly keyPrefix: string
  /** False when the driver may send a command again that was under way when its connection broke. */
  readonly sendsOnce: boolean
  send(key: string | undefined, args: string[]): PromiseLike<unknown>
  /** A way to each server that holds a share of the keys. */
  masters(): PromiseLike<readonly Send[]>
}

function connect(client: RedisClient): Server {
  if ('call' in client && typeof client.call === 'function') return connectIoRedis(client)
  if ('nodeClient' in client) return connectNodeRedisCluster(client)
  if ('sendCommand' in client && typeof client.sendCommand === 'function') return connectNodeRedis(client)
  throw new TypeError('client: expected a client or cluster of redis (node-redis) or ioredis')
}

function connectIoRedis(client: IoRedisClient | IoRedisCluster): Server {
  const { keyPrefix, autoResendUnfulfilledCommands } = optionsOf(client)
  const one =
    (node: IoRedisClient): Send =>
    (args) =>
      node.call(args[0] ?? '', args.slice(1))
  const send = one(client)
  return {
    cluster: client.isCluster,
    keyPrefix: keyPrefix === undefined || keyPrefix === null ? '' : String(keyPrefix),
    sendsOnce: !client.isCluster && autoResendUnfulfilledCommands === false,
    send: (_, args) => send(args),
    masters: async () => ('nodes' in client ? client.nodes('master').map(one) : [send]),
  }
}

function connectNodeRedis(client: NodeRedisClient): Server {
  const send: Send = (args) => client.sendCommand(args)
  return {
    cluster: false,
    // This driver's own prefix does not reach commands sent as they are.
    keyPrefix: '',
    sendsOnce: true,
    send: (_, args) => send(args),
    masters: async () => [send],
  }
}

function connectNodeRedisCluster(client: NodeRedisCluster): Server {
  return {
    cluster: true,
    keyPrefix: '',
    sendsOnce: true,
    // Never "read only": that may go to a replica, and miss the last writes.
    send: (key, args) => client.sendCommand(key, false, args),
    masters: () =>
      Promise.all(
        client.masters.map(async (master): Promise<Send> => {
          const node = await client.nodeClient(master as never)
          return (args) => node.sendCommand(args)
        }),
      ),
  }
}

function optionsOf(client: object): Readonly<Record<string, unknown>> {
  return 'options' in client && typeof client.options === 'object' && client.options !== null
    ? (client.options as Readonly<Record<string, unknown>>)
    : {}
}

async function sha1(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
const NOT_OPEN: ReadonlySet<string> = new Set(['ClientClosedError', 'ClientOfflineError'])

/**
 * Whether the failure shows that the script did not write. An error the server replied with does, as the write is
 * the last thing the script does; such errors begin with a word in capitals. So does a connection never made.
 */
function refused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (NOT_OPEN.has(error.constructor.name) || ('code' in error && NOT_SENT.has(error.code))) return true
  return /^[A-Z]{3,} /.test(error.message)
}
