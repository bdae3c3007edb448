/** The stores of `--store`, and the drivers of databases, which the user installs. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { memoryStore } from '../../../storage/memory.ts'
import { postgresStore } from '../../../storage/postgres.ts'
import { redisStore, type NodeRedisClient } from '../../../storage/redis.ts'
import { sqliteStore } from '../../../storage/sqlite.ts'
import type { Store } from '../../../storage/store.ts'
import { reasonOf } from '../../../storage/store-error.ts'
import { CommandError, usageError } from './errors.ts'
import { withTimeout, type Io, type IoLimits } from './io.ts'

type Mode = 'write' | 'read'

interface OpenStore {
  readonly store: Store
  close(): Promise<void>
}

/** How the values of `--store` are opened, by their start. */
const openers = new Map<string, (io: Io, text: string, mode: Mode) => Promise<OpenStore>>([
  ['memory', async () => ({ store: memoryStore(), close: async () => {} })],
  ['sqlite:', openSqlite],
  ['postgres:', openPostgres],
  ['postgresql:', openPostgres],
  ['redis:', openRedis],
  ['rediss:', openRedis],
])

export const storeForms = 'memory | sqlite:FILE | postgres://... | redis://...'

/** Opens the store of `--store`; the mode `read` neither creates nor changes a file. @throws CommandError */
export async function openStore(io: Io, text: string, mode: Mode = 'write'): Promise<OpenStore> {
  const open = openers.get(text.replace(/:.*/s, ':'))
  // A location may contain a password, so the message leaves it out.
  if (open === undefined)
    throw usageError(`--store must be ${storeForms}; other stores can only be used from programs`)
  const { store, close } = await open(io, text, mode)
  // Drivers wait for the server when they close; without a time limit, a silent server would keep the program running.
  return { store, close: () => withTimeout(close(), io.limits.connect, 'closing the store').catch(() => {}) }
}

async function openSqlite(io: Io, text: string, mode: Mode): Promise<OpenStore> {
  const file = text.slice('sqlite:'.length)
  // SQLite would open a temporary database.
  if (file.trim() === '') throw usageError('--store sqlite: a file is required after the colon')
  const isReadOnly = mode === 'read'
  const path = resolve(io.cwd, file)
  if (isReadOnly && !existsSync(path)) throw new CommandError(`--store sqlite:${file}: file not found`)
  const use = (database: DriverModule) => ({
    store: sqliteStore(database, { busyTimeout: io.limits.busy }),
    close: async () => database.close(),
  })
  return openWith(io, 'sqlite', 'install better-sqlite3, or use Node 22.13 or later, which includes one', {
    'node:sqlite': ({ DatabaseSync }) => use(new DatabaseSync(path, { readOnly: isReadOnly })),
    'better-sqlite3': ({ default: Database }) => use(new Database(path, { readonly: isReadOnly })),
  })
}

function openPostgres(io: Io, url: string): Promise<OpenStore> {
  return openWith(io, 'postgres', 'install pg or postgres', {
    pg({ default: { Pool } }) {
      const pool = new Pool({
        connectionString: url,
        connectionTimeoutMillis: io.limits.connect,
        query_timeout: io.limits.query,
      })
      // An idle connection broke; the next call uses another one.
      pool.on('error', () => {})
      return { store: postgresStore(pool), close: () => pool.end() }
    },
    postgres({ default: connect }) {
      const sql = connect(url, {
        onnotice: () => {},
        connect_timeout: io.limits.connect / 1000,
        connection: { statement_timeout: io.limits.query },
      })
      return { store: postgresStore(sql), close: () => sql.end({ timeout: 5 }) }
    },
  })
}

function openRedis(io: Io, url: string): Promise<OpenStore> {
  const use = (open: () => DriverClient) => {
    const connection = redisConnection(open, io.limits)
    return { store: redisStore(connection), close: connection.close }
  }
  return openWith(io, 'redis', 'install redis or ioredis', {
    redis: (driver) => use(() => nodeRedis(driver, url)),
    ioredis: (driver) => use(() => ioRedis(driver, url)),
  })
}

function nodeRedis({ createClient }: DriverModule, url: string): DriverClient {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  return {
    connect: () => client.connect(),
    send: (args) => client.sendCommand(args),
    close: () => client.close(),
    destroy: () => client.destroy(),
    onLoss: (listener) => client.on('error', listener).on('end', listener),
  }
}

function ioRedis({ Redis }: DriverModule, url: string): DriverClient {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 })
  let failure: unknown
  client.on('error', (error: unknown) => (failure = error))
  return {
    // The rejection only reports a closed connection; the event has the reason.
    connect: () => client.connect().catch((error: unknown) => Promise.reject(failure ?? error)),
    send: ([command, ...args]) => client.call(command, args),
    close: () => client.quit(),
    destroy: () => client.disconnect(),
    onLoss: (listener) => client.on('end', listener),
  }
}

// --- Connections to Redis -------------------------------------------------------------------------------------

interface DriverClient {
  connect(): PromiseLike<unknown>
  send(args: string[]): PromiseLike<unknown>
  /** Closes cleanly; may wait for the server. */
  close(): PromiseLike<unknown>
  /** Drops the connection at once. */
  destroy(): void
  /** Calls back when the connection is lost. */
  onLoss(listener: () => void): void
}

/**
 * A connection to Redis that closes when the server does not respond, and reconnects on the next use. The clients do not
 * reconnect by themselves: drivers differ in how they do, and some stop for good after a timeout.
 */
function redisConnection(open: () => DriverClient, limits: IoLimits) {
  let current: Promise<DriverClient> | undefined
  const forget = (opening: Promise<DriverClient>) => {
    if (current === opening) current = undefined
  }
  const drop = (client: DriverClient, opening: Promise<DriverClient>) => {
    forget(opening)
    try {
      client.destroy()
    } catch {
      // A client that never connected has nothing to drop.
    }
  }
  const connect = () => {
    const client = open()
    const connected = withTimeout(client.connect(), limits.connect, 'connecting to Redis').then(() => client)
    client.onLoss(() => forget(connected))
    connected.catch(() => drop(client, connected))
    return connected
  }
  return {
    async sendCommand(args) {
      const opening = (current ??= connect())
      const client = await opening
      const onTimeout = () => drop(client, opening)
      return withTimeout(client.send(args), limits.query, `${args[0]} of Redis`, onTimeout)
    },
    async close() {
      const client = await current?.catch(() => undefined)
      if (client === undefined) return
      const closing = withTimeout(client.close(), limits.connect, 'closing the connection to Redis')
      await closing.catch(() => client.destroy())
    },
  } satisfies NodeRedisClient & Pick<OpenStore, 'close'>
}

// --- Drivers --------------------------------------------------------------------------------------------------

/** The exports of a driver. Untyped: the driver may have any version, and its types may not be installed. */
type DriverModule = any

/**
 * Opens a store with the first installed driver, searched from the current folder and then from the program.
 *
 * @throws CommandError when none is found or opening fails; the message never contains the location
 */
async function openWith(
  io: Io,
  kind: string,
  remedy: string,
  drivers: { readonly [name: string]: (module: DriverModule) => OpenStore },
): Promise<OpenStore> {
  for (const [name, open] of Object.entries(drivers)) {
    const fail = (problem: string) => (error: unknown) => {
      throw new CommandError(`--store ${kind}: ${name} ${problem}: ${reasonOf(error)}`)
    }
    const module = await loadInstalled(io, name).catch(fail('is installed but cannot be loaded'))
    if (module !== undefined)
      return Promise.resolve(module).then(open).then(checkConnection).catch(fail('cannot open it'))
  }
  throw new CommandError(`--store ${kind} needs a driver; ${remedy}`)
}

/** Reads a key to check that the store responds. */
async function checkConnection(opened: OpenStore): Promise<OpenStore> {
  try {
    await opened.store.read(['scope/0/global'])
    return opened
  } catch (error) {
    await opened.close().catch(() => {})
    // The cause has the driver's own message.
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error
  }
}

/** A module by its name, or `undefined` when it is not installed. */
export async function loadInstalled(io: Io, name: string): Promise<DriverModule | undefined> {
  const ignoreMissing = (error: unknown) => {
    if (!isMissing(error)) throw error
  }
  const here = createRequire(join(io.cwd, 'commandry.js'))
  const fromHere = async () => io.import(pathToFileURL(here.resolve(name)).href)
  const found = name.startsWith('node:') ? undefined : await fromHere().catch(ignoreMissing)
  return found ?? io.import(name).catch(ignoreMissing)
}

const MISSING: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_UNKNOWN_BUILTIN_MODULE']

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISSING.includes(error.code)
}
