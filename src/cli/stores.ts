import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { memoryStore } from '../storage/memory.ts'
import { postgresStore } from '../storage/postgres.ts'
import { redisStore } from '../storage/redis.ts'
import { sqliteStore } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'
import { CommandError, UsageError } from './errors.ts'
import { openWith, type DriverModule } from './drivers.ts'
import type { Io } from './io.ts'
import { limited } from './limited.ts'
import { RedisConnection, type DriverClient } from './redis-connection.ts'

/** What a store is opened for. */
export type Purpose = 'use' | 'look'

/** A store, and what has to be done when it is no longer used. */
export interface OpenStore {
  readonly store: Store
  close(): Promise<void>
}

interface StoreKind {
  /** As the usage writes it. */
  readonly form: string
  /** Whether something follows the colon. */
  readonly location: boolean
  /** @param location what follows the first colon */
  open(io: Io, location: string, purpose: Purpose): Promise<OpenStore>
}

const noClose = async (): Promise<void> => {}

/** What `--store` takes, by the word before the first colon. */
const kinds: ReadonlyMap<string, StoreKind> = new Map<string, StoreKind>([
  [
    'memory',
    { form: 'memory', location: false, open: async () => ({ store: memoryStore(), close: noClose }) },
  ],
  ['sqlite', { form: 'sqlite:FILE', location: true, open: openSqlite }],
  [
    'postgres',
    { form: 'postgres://...', location: true, open: (io, rest) => openPostgres(io, `postgres:${rest}`) },
  ],
  ['postgresql', { form: '', location: true, open: (io, rest) => openPostgres(io, `postgresql:${rest}`) }],
  ['redis', { form: 'redis://...', location: true, open: (io, rest) => openRedis(io, `redis:${rest}`) }],
  ['rediss', { form: '', location: true, open: (io, rest) => openRedis(io, `rediss:${rest}`) }],
])

/** The forms of `--store`, for the usage. */
export const storeForms: string = Array.from(kinds.values(), ({ form }) => form)
  .filter((form) => form !== '')
  .join(' | ')

/**
 * Opens what `--store` names.
 *
 * @param purpose whoever only looks makes no file that is not there, and changes none that is
 * @throws UsageError for an unknown kind; CommandError when it cannot be opened
 */
export async function openStore(io: Io, text: string, purpose: Purpose = 'use'): Promise<OpenStore> {
  const [word = ''] = text.split(':', 1)
  const kind = kinds.get(word)
  // A location may hold a password, so it is not told.
  if (kind === undefined || kind.location !== text.startsWith(`${word}:`)) {
    throw new UsageError(`--store is ${storeForms}; other stores are for programs, with their drivers`)
  }
  const { store, close } = await kind.open(io, text.slice(word.length + 1), purpose)
  // Drivers wait for the server when they close, and a silent server would keep the program from ending.
  return { store, close: () => limited(close(), io.limits.connect, 'closing the store').catch(() => {}) }
}

/** Nothing yet under that key, most likely: it tells whether the store answers at all. */
async function answering(opened: OpenStore): Promise<OpenStore> {
  try {
    await opened.store.read(['scope/0/global'])
    return opened
  } catch (error) {
    await opened.close().catch(() => {})
    // The driver's own words are in the cause.
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error
  }
}

async function openSqlite(io: Io, file: string, purpose: Purpose): Promise<OpenStore> {
  // SQLite would take it for a file of its own, to be removed at the end.
  if (file.trim() === '') throw new UsageError('--store sqlite: names no file')
  const looks = purpose === 'look'
  const path = resolve(io.cwd, file)
  if (looks && !existsSync(path)) throw new CommandError('--store sqlite: file not found')
  const use = (database: DriverModule) =>
    answering({
      store: sqliteStore(database, { busyTimeout: io.limits.busy }),
      close: async () => database.close(),
    })
  return openWith(
    io,
    'sqlite',
    [
      {
        name: 'node:sqlite',
        open: async ({ DatabaseSync }) => use(new DatabaseSync(path, { readOnly: looks })),
      },
      {
        name: 'better-sqlite3',
        open: async ({ default: Database }) => use(new Database(path, { readonly: looks })),
      },
    ],
    'npm install better-sqlite3, or run Node 22.13 or later, which has one',
  )
}

function openPostgres(io: Io, url: string): Promise<OpenStore> {
  return openWith(
    io,
    'postgres',
    [
      {
        name: 'pg',
        async open({ default: { Pool } }) {
          const pool = new Pool({
            connectionString: url,
            connectionTimeoutMillis: io.limits.connect,
            query_timeout: io.limits.query,
          })
          // A connection that breaks while nobody uses it; the next call takes another.
          pool.on('error', () => {})
          return answering({ store: postgresStore(pool), close: () => pool.end() })
        },
      },
      {
        name: 'postgres',
        async open({ default: postgres }) {
          const sql = postgres(url, {
            onnotice: () => {},
            connect_timeout: io.limits.connect / 1000,
            connection: { statement_timeout: io.limits.query },
          })
          return answering({ store: postgresStore(sql), close: () => sql.end({ timeout: 5 }) })
        },
      },
    ],
    'npm install pg, or npm install postgres',
  )
}

function openRedis(io: Io, url: string): Promise<OpenStore> {
  const use = (open: () => DriverClient) => {
    const connection = new RedisConnection(open, io.limits)
    return answering({ store: redisStore(connection), close: () => connection.close() })
  }
  return openWith(
    io,
    'redis',
    [
      { name: 'redis', open: async (driver) => use(() => nodeRedis(driver, url)) },
      { name: 'ioredis', open: async (driver) => use(() => ioRedis(driver, url)) },
    ],
    'npm install redis, or npm install ioredis',
  )
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
    // The rejection says only that the connection is closed; the reason comes as an event.
    connect: () => client.connect().catch((error: unknown) => Promise.reject(failure ?? error)),
    send: ([command, ...args]) => client.call(command, args),
    close: () => client.quit(),
    destroy: () => client.disconnect(),
    onLoss: (listener) => client.on('end', listener),
  }
}
