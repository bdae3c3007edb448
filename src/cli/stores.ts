import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { memoryStore } from '../storage/memory.ts'
import { postgresStore } from '../storage/postgres.ts'
import { redisStore } from '../storage/redis.ts'
import { sqliteStore } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'
import { openWith, type DriverModule } from './drivers.ts'
import { CommandError, usageError } from './errors.ts'
import { withTimeout, type Io } from './io.ts'
import { RedisConnection, type DriverClient } from './redis-connection.ts'

/** Whether a store may be changed. */
type Mode = 'write' | 'read'

/** A store, and a function that closes it. */
interface OpenStore {
  readonly store: Store
  close(): Promise<void>
}

interface StoreKind {
  /** The form of `--store`, for the usage. */
  readonly form: string
  /** @param text the whole value of `--store` */
  open(io: Io, text: string, mode: Mode): Promise<OpenStore>
}

const memory: StoreKind = {
  form: 'memory',
  open: async () => ({ store: memoryStore(), close: async () => {} }),
}
const sqlite: StoreKind = { form: 'sqlite:FILE', open: openSqlite }
const postgres: StoreKind = { form: 'postgres://...', open: openPostgres }
const redis: StoreKind = { form: 'redis://...', open: openRedis }

/** The values of `--store`, by the word before the first colon. */
const storeKinds: ReadonlyMap<string, StoreKind> = new Map([
  ['memory', memory],
  ['sqlite', sqlite],
  ['postgres', postgres],
  ['postgresql', postgres],
  ['redis', redis],
  ['rediss', redis],
])

/** The forms of `--store`, for the usage. */
export const storeForms = [memory, sqlite, postgres, redis].map(({ form }) => form).join(' | ')

/**
 * Opens the store of `--store`.
 *
 * @param mode `read` neither creates nor changes a file
 * @throws CommandError
 */
export async function openStore(io: Io, text: string, mode: Mode = 'write'): Promise<OpenStore> {
  const [word = ''] = text.split(':', 1)
  const kind = storeKinds.get(word)
  // A location may contain a password, so the message leaves it out.
  if (kind === undefined || kind.form.includes(':') !== text.includes(':'))
    throw usageError(`--store must be ${storeForms}; other stores can only be used from programs`)
  const { store, close } = await kind.open(io, text, mode)
  // Drivers wait for the server when they close; without a time limit, a silent server would keep the program running.
  return { store, close: () => withTimeout(close(), io.limits.connect, 'closing the store').catch(() => {}) }
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

async function openSqlite(io: Io, text: string, mode: Mode): Promise<OpenStore> {
  const file = text.slice('sqlite:'.length)
  // SQLite would open a temporary database.
  if (file.trim() === '') throw usageError('--store sqlite: a file is required after the colon')
  const isReadOnly = mode === 'read'
  const path = resolve(io.cwd, file)
  if (isReadOnly && !existsSync(path)) throw new CommandError('--store sqlite: file not found')
  const use = (database: DriverModule) =>
    checkConnection({
      store: sqliteStore(database, { busyTimeout: io.limits.busy }),
      close: async () => database.close(),
    })
  return openWith(io, 'sqlite', 'install better-sqlite3, or use Node 22.13 or later, which includes one', {
    'node:sqlite': async ({ DatabaseSync }) => use(new DatabaseSync(path, { readOnly: isReadOnly })),
    'better-sqlite3': async ({ default: Database }) => use(new Database(path, { readonly: isReadOnly })),
  })
}

function openPostgres(io: Io, url: string): Promise<OpenStore> {
  return openWith(io, 'postgres', 'install pg or postgres', {
    async pg({ default: { Pool } }) {
      const pool = new Pool({
        connectionString: url,
        connectionTimeoutMillis: io.limits.connect,
        query_timeout: io.limits.query,
      })
      // An idle connection broke; the next call uses another one.
      pool.on('error', () => {})
      return checkConnection({ store: postgresStore(pool), close: () => pool.end() })
    },
    async postgres({ default: connect }) {
      const sql = connect(url, {
        onnotice: () => {},
        connect_timeout: io.limits.connect / 1000,
        connection: { statement_timeout: io.limits.query },
      })
      return checkConnection({ store: postgresStore(sql), close: () => sql.end({ timeout: 5 }) })
    },
  })
}

function openRedis(io: Io, url: string): Promise<OpenStore> {
  const use = (open: () => DriverClient) => {
    const connection = new RedisConnection(open, io.limits)
    return checkConnection({ store: redisStore(connection), close: () => connection.close() })
  }
  return openWith(io, 'redis', 'install redis or ioredis', {
    redis: async (driver) => use(() => nodeRedis(driver, url)),
    ioredis: async (driver) => use(() => ioRedis(driver, url)),
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
