/**
 * Documents in Redis, one key each, on a single server or a cluster.
 *
 * Guarantees beyond the contract: any number of processes may share the keys; each document is one key, so a
 * cluster spreads them over its masters.
 *
 * `ioredis` sends a command again that was under way when its connection was cut, unless it is told
 * `autoResendUnfulfilledCommands: false` (in a Cluster `retryDelayOnFailover: 0`). A write that is sent twice is
 * recognised as its own as long as what it wrote is there. If that is gone, because it was a removal or because
 * somebody wrote in between, nobody can say any more whether it took place, and it fails with `mayHaveHappened`. One
 * that creates a document can bring it back if it was removed in between.
 *
 * How lasting an acknowledged write is, is the server's business: `appendonly yes` with `appendfsync always` keeps
 * it through a crash, the defaults do not; a replica that takes over may lack the last writes of its master. Set
 * `maxmemory-policy noeviction`, or Redis will drop documents when memory runs out. Read from masters.
 *
 * Costs: one round trip for a read of any number of keys (on a cluster one GET a key, 500 under way at once), one
 * for a write, which runs a script by its digest; the first write on each server takes one more, to bring the
 * script. Listing keys scans every key of every master. On a cluster it asks them before and after which slots they
 * have, and scans again where some are on the move, until nothing new turns up, at most ten times. Only a key that
 * moves each time can be missed, and those on a master that the driver has not heard of.
 */
import type { Json } from '../core/json.ts'
import { decodeEntry, decodeKey, encodeKey, encodeValue, isRevision, newRevision } from './store-codec.ts'
import { storeError, type StoreError } from './store-error.ts'
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
  on(event: string, listener: (node: IoRedisClient) => void): unknown
  readonly isCluster: boolean
}

/** A `Cluster` of `ioredis`. */
export interface IoRedisCluster extends IoRedisClient {
  nodes(role: 'master' | 'all'): readonly IoRedisClient[]
}

export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient | IoRedisCluster

export interface RedisStoreOptions {
  /** What every key begins with, `commandry:` if not given. Of two stores neither may begin as the other does. */
  readonly prefix?: string
  /**
   * A channel to PUBLISH every write on, from within the script that writes. The message is
   * `{"key":…,"revision":…}`; whoever wants it subscribes with the driver's own means. What cannot be announced,
   * because the account may not publish there, is written all the same.
   */
  readonly notify?: string
}

// What is stored is the revision, 36 characters, and the JSON right behind it: one string, so that it is read,
// compared and replaced as one. KEYS: the key. ARGV: expected revision or '', new revision, JSON or '' to
// remove, channel or '', message. The message goes out last, so that nothing is announced that was not written, and
// with `pcall`, so that an error in the answer always means that nothing was.
const SCRIPT = `
local present = redis.call('GETRANGE', KEYS[1], 0, 35)
if present == ARGV[2] then return 1 end
if present ~= ARGV[1] then return 0 end
if ARGV[3] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3]) end
if ARGV[4] ~= '' then redis.pcall('PUBLISH', ARGV[4], ARGV[5]) end
return 1`

const REVISION_LENGTH = 36
// A driver that is handed forty thousand commands at once does nothing else for a while.
const AT_ONCE = 500
const PASSES = 10

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
    if (server.cluster || keys.length === 1) {
      const found: unknown[] = []
      for (let i = 0; i < keys.length; i += AT_ONCE) {
        const some = keys.slice(i, i + AT_ONCE)
        found.push(...(await Promise.all(some.map((key) => server.send(key, ['GET', key])))))
      }
      return found
    }
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
      const cuts = server.cuts()
      try {
        const done = await runScript(prefix + encodeKey(key), [
          expected ?? '',
          revision,
          text,
          notify,
          message,
        ])
        if (done) return { ok: true, revision }
        // It may have been first, and was then sent once more.
        if (server.cuts() !== cuts) throw inDoubt(key)
        return { ok: false }
      } catch (cause) {
        throw storeError(`writing ${key}`, cause, !(server.sendsOnce && refused(cause)))
      }
    },

    async *keys(start: string): AsyncGenerator<string> {
      const written = prefix + encodeKey(start)
      // A key can turn up twice in one scan, and on two masters while it moves.
      const found = new Set<string>()
      try {
        for (let pass = 1; pass <= PASSES; pass++) {
          const known = found.size
          const before = await server.layout()
          await Promise.all(
            (await server.masters()).map((send) => scan(send, server.keyPrefix + written, found)),
          )
          // A key that moved from a master not yet scanned to one that was is found the next time.
          if (before !== undefined && before === (await server.layout())) break
          if (pass > 1 && found.size === known) break
        }
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

function inDoubt(key: string): StoreError {
  const cause = new Error(
    'the connection was cut under way, and what stands there now is not from this write',
  )
  return storeError(`writing ${key}`, cause, true)
}

type Send = (args: string[]) => PromiseLike<unknown>

/** The drivers made alike. */
interface Server {
  readonly cluster: boolean
  /** What the driver itself puts before every key it knows for one; a pattern is none. */
  readonly keyPrefix: string
  /** False when the driver may send a command again that was under way when its connection broke. */
  readonly sendsOnce: boolean
  /** How many connections were cut so far, as far as commands are sent again for it. */
  cuts(): number
  send(key: string | undefined, args: string[]): PromiseLike<unknown>
  /** A way to each server that holds a share of the keys. */
  masters(): PromiseLike<readonly Send[]>
  /** Which master has which keys, as a text that changes when that does; `undefined` while some are on the move. */
  layout(): Promise<string | undefined>
}

const atRest = async (): Promise<string> => ''

/** What each master says of the slots it has itself, and of those it is handing over or taking. */
async function layoutOf(masters: readonly Send[]): Promise<string | undefined> {
  try {
    const answers = await Promise.all(masters.map((send) => send(['CLUSTER', 'NODES'])))
    const lines = answers.map((answer) => /^.*\bmyself\b.*$/m.exec(String(answer))?.[0].split(' ') ?? [])
    // An identifier, then seven fields that do not matter here, then slots; `[93-<-…]` is one on the move.
    const shares = lines.map(([id = '', ...rest]) => [id, ...rest.slice(7)].join(' '))
    return shares.some((share) => share === '' || share.includes('[')) ? undefined : shares.sort().join('\n')
  } catch {
    // Where nobody may ask this, anything may be on the move.
    return undefined
  }
}

function connect(client: RedisClient): Server {
  if ('call' in client && typeof client.call === 'function') return connectIoRedis(client)
  if ('nodeClient' in client) return connectNodeRedisCluster(client)
  if ('sendCommand' in client && typeof client.sendCommand === 'function') return connectNodeRedis(client)
  throw new TypeError('client: expected a client or cluster of redis (node-redis) or ioredis')
}

function connectIoRedis(client: IoRedisClient | IoRedisCluster): Server {
  const { keyPrefix, autoResendUnfulfilledCommands } = optionsOf(client)
  const sendsOnce = !client.isCluster && autoResendUnfulfilledCommands === false
  const one =
    (node: IoRedisClient): Send =>
    (args) =>
      node.call(args[0] ?? '', args.slice(1))
  const send = one(client)
  const masters = async () => ('nodes' in client ? client.nodes('master').map(one) : [send])
  return {
    cluster: client.isCluster,
    keyPrefix: keyPrefix === undefined || keyPrefix === null ? '' : String(keyPrefix),
    sendsOnce,
    cuts: sendsOnce ? () => 0 : () => cutsOf(client),
    send: (_, args) => send(args),
    masters,
    layout: client.isCluster ? async () => layoutOf(await masters()) : atRest,
  }
}

// One count a client, however many stores it serves: too many listeners look like a leak.
const counted = new WeakMap<IoRedisClient, { cuts: number }>()

/** How often the client, or a node of the cluster, has lost its connection since this was first asked. */
function cutsOf(client: IoRedisClient | IoRedisCluster): number {
  if (!('nodes' in client)) return watched(client).cuts
  const known = counted.get(client)
  const counter = known ?? { cuts: 0 }
  if (known === undefined) {
    counted.set(client, counter)
    client.on('+node', (node) => watched(node, counter))
  }
  // Those that were there before anybody listened.
  for (const node of client.nodes('all')) watched(node, counter)
  return counter.cuts
}

function watched(connection: IoRedisClient, counter = { cuts: 0 }): { readonly cuts: number } {
  const known = counted.get(connection)
  if (known !== undefined) return known
  counted.set(connection, counter)
  connection.on('close', () => counter.cuts++)
  return counter
}

function connectNodeRedis(client: NodeRedisClient): Server {
  const send: Send = (args) => client.sendCommand(args)
  return {
    cluster: false,
    // This driver's own prefix does not reach commands sent as they are.
    keyPrefix: '',
    sendsOnce: true,
    cuts: () => 0,
    send: (_, args) => send(args),
    masters: async () => [send],
    layout: atRest,
  }
}

function connectNodeRedisCluster(client: NodeRedisCluster): Server {
  const masters = () =>
    Promise.all(
      client.masters.map(async (master): Promise<Send> => {
        const node = await client.nodeClient(master as never)
        return (args) => node.sendCommand(args)
      }),
    )
  return {
    cluster: true,
    keyPrefix: '',
    sendsOnce: true,
    cuts: () => 0,
    // Never "read only": that may go to a replica, and miss the last writes.
    send: (key, args) => client.sendCommand(key, false, args),
    masters,
    layout: async () => layoutOf(await masters()),
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
