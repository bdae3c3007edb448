/** The store that the processes of one test share, as plain data for a child process. */
import { createRequire } from 'node:module'
import { d1Store } from '../../docs/examples/d1-store.ts'
import { mariaDbStore } from '../../docs/examples/mariadb-store.ts'
import { natsStore } from '../../docs/examples/nats-store.ts'
import type { Store } from 'commandry'
import { postgresStore } from 'commandry/storage/postgres'
import { redisStore } from 'commandry/storage/redis'
import { type SqliteDatabase, sqliteStore } from 'commandry/storage/sqlite'
import { openD1 } from './d1.ts'
import { openDatabase } from './mariadb.ts'

export type Place =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly table: string; readonly session?: string }
  | { readonly kind: 'redis'; readonly url: string; readonly prefix: string; readonly driver?: 'redis' }
  | { readonly kind: 'nats'; readonly url: string; readonly bucket: string }
  | { readonly kind: 'mariadb'; readonly url: string; readonly name: string }
  | { readonly kind: 'd1'; readonly file: string }

export interface OpenPlace {
  readonly store: Store
  close(): Promise<void>
}

export type Connection = SqliteDatabase & { close(): unknown }

export type ConnectSqlite = (file: string, readOnly?: boolean) => Connection

/** The driver of this version of Node; undefined in older ones, which cannot import it either. */
export function builtinSqlite(): ConnectSqlite | undefined {
  const builtin = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as
    { DatabaseSync: new (file: string, options: { readOnly: boolean }) => Connection } | undefined
  return builtin && ((file, readOnly = false) => new builtin.DatabaseSync(file, { readOnly }))
}

/** Connects with the driver that loads in this version of Node. */
export function connectSqlite(file: string): Connection {
  const builtin = builtinSqlite()
  if (builtin !== undefined) return builtin(file)
  const BetterSqlite = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => Connection
  return new BetterSqlite(file)
}

export async function openPlace(place: Place): Promise<OpenPlace> {
  switch (place.kind) {
    case 'sqlite': {
      const database = connectSqlite(place.file)
      // Long enough for every waiting process on a slow machine.
      const store = sqliteStore(database, { busyTimeout: 120_000 })
      return { store, close: async () => void database.close() }
    }
    case 'postgres': {
      const { Pool } = (await import('pg')).default
      const pool = new Pool({
        connectionString: place.url,
        max: 4,
        ...(place.session && { application_name: place.session }),
      })
      // An idle connection was lost; the next query uses another.
      pool.on('error', () => undefined)
      return { store: postgresStore(pool, { table: place.table }), close: () => pool.end() }
    }
    case 'redis': {
      if (place.driver === 'redis') {
        const { createClient } = await import('redis')
        const client = createClient({ url: place.url })
        client.on('error', () => undefined)
        await client.connect()
        const store = redisStore(client, { prefix: place.prefix })
        return { store, close: async () => client.destroy() }
      }
      const { Redis } = await import('ioredis')
      // As docs/storage.md recommends: a repeated command can create a document again after its removal.
      const client = new Redis(place.url, { commandTimeout: 5_000, autoResendUnfulfilledCommands: false })
      client.on('error', () => undefined)
      return { store: redisStore(client, { prefix: place.prefix }), close: async () => client.disconnect() }
    }
    case 'nats': {
      const { connect } = await import('@nats-io/transport-node')
      const { Kvm } = await import('@nats-io/kv')
      const connection = await connect({ servers: place.url })
      const kv = await new Kvm(connection).create(place.bucket, { history: 1, allow_direct: false })
      return { store: natsStore(kv), close: () => connection.close() }
    }
    case 'mariadb': {
      const pool = await openDatabase(place.url, place.name)
      const store = mariaDbStore(pool)
      await store.migrate()
      return { store, close: () => pool.end() }
    }
    case 'd1': {
      const database = openD1(connectSqlite(place.file))
      const store = d1Store(database)
      await store.migrate()
      return { store, close: async () => database.close() }
    }
  }
}
