import { existsSync } from 'node:fs'
import { memoryStore } from '../storage/memory.ts'
import { postgresStore } from '../storage/postgres.ts'
import { redisStore } from '../storage/redis.ts'
import { sqliteStore } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'
import { UsageError } from './arguments.ts'
import { openWith, type DriverModule } from './drivers.ts'

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
  open(location: string, purpose: Purpose): Promise<OpenStore>
}

const noClose = async (): Promise<void> => {}

/** What `--store` takes, by the word before the first colon. */
const kinds: ReadonlyMap<string, StoreKind> = new Map<string, StoreKind>([
  [
    'memory',
    { form: 'memory', location: false, open: async () => ({ store: memoryStore(), close: noClose }) },
  ],
  ['sqlite', { form: 'sqlite:FILE', location: true, open: openSqlite }],
  ['postgres', { form: 'postgres://...', location: true, open: (rest) => openPostgres(`postgres:${rest}`) }],
  ['postgresql', { form: '', location: true, open: (rest) => openPostgres(`postgresql:${rest}`) }],
  ['redis', { form: 'redis://...', location: true, open: (rest) => openRedis(`redis:${rest}`) }],
  ['rediss', { form: '', location: true, open: (rest) => openRedis(`rediss:${rest}`) }],
])

/** The forms of `--store`, for the usage. */
export const storeForms: string = Array.from(kinds.values(), ({ form }) => form)
  .filter((form) => form !== '')
  .join(' | ')

/**
 * Opens what `--store` names.
 *
 * @param purpose whoever only looks makes no file that is not there, and changes none that is
 * @throws UsageError for a kind there is none of, and when it cannot be opened
 */
export async function openStore(text: string, purpose: Purpose = 'use'): Promise<OpenStore> {
  const [word = ''] = text.split(':', 1)
  const kind = kinds.get(word)
  // A location may hold a password, so it is not told.
  if (kind === undefined || kind.location !== text.startsWith(`${word}:`)) {
    throw new UsageError(`--store is ${storeForms}; other stores are for programs, with their drivers`)
  }
  return kind.open(text.slice(word.length + 1), purpose)
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

async function openSqlite(file: string, purpose: Purpose): Promise<OpenStore> {
  // SQLite would take it for a file of its own, to be removed at the end.
  if (file.trim() === '') throw new UsageError('--store sqlite: names no file')
  const looks = purpose === 'look'
  if (looks && !existsSync(file)) throw new UsageError('--store sqlite: there is no such file')
  const use = (database: DriverModule) =>
    answering({ store: sqliteStore(database), close: async () => database.close() })
  return openWith(
    'sqlite',
    [
      {
        name: 'node:sqlite',
        open: async ({ DatabaseSync }) => use(new DatabaseSync(file, { readOnly: looks })),
      },
      {
        name: 'better-sqlite3',
        open: async ({ default: Database }) => use(new Database(file, { readonly: looks })),
      },
    ],
    'npm install better-sqlite3, or run Node 22.13 or later, which has one',
  )
}

// In milliseconds. A server that is gone without a word would be waited for until the system gives up, for minutes.
const CONNECT_TIMEOUT = 5000
const QUERY_TIMEOUT = 15_000

function openPostgres(url: string): Promise<OpenStore> {
  return openWith(
    'postgres',
    [
      {
        name: 'pg',
        async open({ default: { Pool } }) {
          const pool = new Pool({
            connectionString: url,
            connectionTimeoutMillis: CONNECT_TIMEOUT,
            query_timeout: QUERY_TIMEOUT,
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
            connect_timeout: CONNECT_TIMEOUT / 1000,
            connection: { statement_timeout: QUERY_TIMEOUT },
          })
          return answering({ store: postgresStore(sql), close: () => sql.end({ timeout: 5 }) })
        },
      },
    ],
    'npm install pg, or npm install postgres',
  )
}

function openRedis(url: string): Promise<OpenStore> {
  // A server that is not there at the start is an error at once; one that goes later is waited for.
  let opened = false
  const wait = (attempt: number): number => Math.min(attempt * 50, 2000)
  return openWith(
    'redis',
    [
      {
        name: 'redis',
        async open({ createClient }) {
          const reconnectStrategy = (attempt: number) => opened && wait(attempt)
          const client = createClient({ url, socket: { reconnectStrategy } })
          client.on('error', () => {})
          await client.connect()
          opened = true
          return answering({ store: redisStore(client), close: async () => client.close() })
        },
      },
      {
        name: 'ioredis',
        async open({ Redis }) {
          const retryStrategy = (attempt: number) => (opened ? wait(attempt) : null)
          const client = new Redis(url, { lazyConnect: true, retryStrategy })
          let failure: unknown
          client.on('error', (error: unknown) => (failure = error))
          await client.connect().catch((error: unknown) => Promise.reject(failure ?? error))
          opened = true
          return answering({ store: redisStore(client), close: async () => void (await client.quit()) })
        },
      },
    ],
    'npm install redis, or npm install ioredis',
  )
}
