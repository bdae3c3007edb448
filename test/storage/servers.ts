/** The servers that tests may use: their addresses, and whether a test without its server is skipped or fails. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newDirectory } from '../support/directory.ts'
import type { Place } from './place.ts'
import { storePromises, type StoreContractOptions } from '../../src/testing/store-contract/store-contract.ts'

export const serversRequired = process.env['REQUIRE_SERVERS'] !== undefined

/** A kind of store that several processes can share. */
export interface Ground {
  readonly name: string
  /** Why the server is missing; undefined when it is there. */
  readonly missing: string | undefined
  /** Creates a place that no other test uses, for as long as the test runs. */
  place(): Place
}

/**
 * A unique name, in this run or another, on this machine or elsewhere: letters, digits and `_`, short
 * enough for a table.
 */
export const ownName = () => `commandry_test_${randomUUID().replaceAll('-', '')}`

/** Declares a test of the contract with a time limit for a busy machine. */
export const contractTest: StoreContractOptions['test'] = (title, body) => test(title, body, 300_000)

/** The promises that take nine tenths of the time of a contract. Each driver runs them once. */
const slowPromises: readonly string[] = [
  'reads a document whole, with its own revision, while it is being replaced',
  'keeps a document of several megabytes',
]
for (const title of slowPromises)
  if (!storePromises().includes(title)) throw new Error(`there is no promise "${title}"`)

/** Declares a test of the contract unless it is slow: for further configurations of a driver. */
export const fastContractTest: StoreContractOptions['test'] = (title, body) =>
  slowPromises.includes(title) ? undefined : contractTest(title, body)

const [databaseUrl, redisUrl] = [process.env['DATABASE_URL'], process.env['REDIS_URL']]

export const grounds: readonly Ground[] = [
  {
    name: 'SQLite',
    missing: undefined,
    place() {
      const directory = newDirectory()
      onTestFinished(() => rmSync(directory, { recursive: true }))
      return { kind: 'sqlite', file: join(directory, 'documents.db') }
    },
  },
  {
    name: 'PostgreSQL',
    missing: missing('DATABASE_URL'),
    place() {
      const place = { kind: 'postgres', url: databaseUrl!, table: ownName() } as const
      onTestFinished(async () => {
        const client = new pg.Client(place.url)
        await client.connect()
        await client.query(`DROP TABLE IF EXISTS ${place.table}`)
        await client.end()
      })
      return place
    },
  },
  {
    name: 'Redis',
    missing: missing('REDIS_URL'),
    place() {
      const place = { kind: 'redis', url: redisUrl!, prefix: `${ownName()}:` } as const
      onTestFinished(async () => {
        const client = new Redis(place.url)
        const keys = await client.keys(`${place.prefix}*`)
        if (keys.length > 0) await client.del(keys)
        client.disconnect()
      })
      return place
    },
  },
]

/** Why the server of an environment variable is missing; undefined when it has an address. */
export function missing(variable: string): string | undefined {
  return process.env[variable] === undefined ? `no ${variable}` : undefined
}

/** The title of a group of tests with a requirement, and whether it is skipped. */
export function needing(name: string, missing: string | undefined): { title: string; skip: boolean } {
  if (missing === undefined || serversRequired) return { title: name, skip: false }
  return { title: `${name} (skipped: ${missing})`, skip: true }
}

/** Declares a test with a requirement: without it, the test is skipped, or fails where servers are required. */
export function testWith(
  missing: string | undefined,
  name: string,
  body: () => Promise<void>,
  timeout?: number,
): void {
  const { title, skip } = needing(name, missing)
  test.skipIf(skip)(title, () => (missing === undefined ? body() : expect.fail(missing)), timeout)
}
