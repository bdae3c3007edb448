/** The stores that several processes can share, by the servers of the environment. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { newDirectory } from '../support/directory.ts'
import { dropDatabase } from './mariadb.ts'
import type { Place } from './place.ts'

/** A kind of store that several processes can share. */
export interface Ground {
  readonly name: string
  /** Why the server is missing; undefined when it is there. */
  readonly missing: string | undefined
  /** Whether its store is a worked example of docs/storage.md. */
  readonly isExample?: boolean
  /** Creates a place that nothing else uses, and the function that removes it. */
  place(): { readonly place: Place; remove(): Promise<void> }
}

/**
 * A unique name, in this run or another, on this machine or elsewhere: letters, digits and `_`, short
 * enough for a table.
 */
export const ownName = () => `commandry_test_${randomUUID().replaceAll('-', '')}`

const address = (variable: string) => process.env[variable]!

/** Why the server of an environment variable is missing; undefined when it has an address. */
export function missing(variable: string): string | undefined {
  return process.env[variable] === undefined ? `no ${variable}` : undefined
}

export const grounds: readonly Ground[] = [
  {
    name: 'SQLite',
    missing: undefined,
    place() {
      const directory = newDirectory()
      const place = { kind: 'sqlite', file: join(directory, 'documents.db') } as const
      return { place, remove: async () => rmSync(directory, { recursive: true }) }
    },
  },
  {
    name: 'PostgreSQL',
    missing: missing('DATABASE_URL'),
    place() {
      const place = { kind: 'postgres', url: address('DATABASE_URL'), table: ownName() } as const
      const remove = async () => {
        const client = new pg.Client(place.url)
        await client.connect()
        await client.query(`DROP TABLE IF EXISTS ${place.table}`)
        await client.end()
      }
      return { place, remove }
    },
  },
  {
    name: 'Redis',
    missing: missing('REDIS_URL'),
    place() {
      const place = { kind: 'redis', url: address('REDIS_URL'), prefix: `${ownName()}:` } as const
      const remove = async () => {
        const client = new Redis(place.url)
        const keys = await client.keys(`${place.prefix}*`)
        if (keys.length > 0) await client.del(keys)
        client.disconnect()
      }
      return { place, remove }
    },
  },
  {
    name: 'NATS',
    isExample: true,
    missing: missing('NATS_URL'),
    place() {
      const place = { kind: 'nats', url: address('NATS_URL'), bucket: ownName() } as const
      const remove = async () => {
        const { connect } = await import('@nats-io/transport-node')
        const { Kvm } = await import('@nats-io/kv')
        const connection = await connect({ servers: place.url })
        await (await new Kvm(connection).open(place.bucket)).destroy()
        await connection.close()
      }
      return { place, remove }
    },
  },
  {
    name: 'MariaDB',
    isExample: true,
    missing: missing('MARIADB_URL'),
    place() {
      const name = ownName()
      const url = address('MARIADB_URL')
      return { place: { kind: 'mariadb', url, name } as const, remove: () => dropDatabase(url, name) }
    },
  },
  {
    name: 'D1',
    isExample: true,
    missing: undefined,
    place() {
      const directory = newDirectory()
      const place = { kind: 'd1', file: join(directory, 'd1.db') } as const
      return { place, remove: async () => rmSync(directory, { recursive: true }) }
    },
  },
]
