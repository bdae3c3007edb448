/** The adapters over the engine of text that docs/storage.md shows. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CommandRegistry } from 'commandry'
import { storeContract } from 'commandry/testing'
import { newDirectory } from '../support/directory.ts'
import { here as scope } from '../support/fixtures.ts'
import { d1Store, type D1Database, type D1Statement } from '../../docs/examples/d1-store.ts'
import { mariaDbStore, type MariaDbPool } from '../../docs/examples/mariadb-store.ts'
import { expectParsedOnce, expectStoreError, listed, put } from './checks.ts'
import { connectSqlite } from './place.ts'
import { contractTest, missing, needing, ownName } from './servers.ts'
import { proxyTo } from './proxy.ts'

type Pool = MariaDbPool & { end(): Promise<void> }

/** The driver, which `npm run test:install` installs. */
const { createPool } = createRequire(import.meta.url)('mysql2/promise') as {
  createPool(options: { uri: string; connectionLimit?: number }): Pool
}

const url = process.env['MARIADB_URL']
const { title, skip } = needing('the MariaDB adapter of docs/storage.md', missing('MARIADB_URL'))

/** A database of its own, for the time of a test. */
async function newDatabase(address = url): Promise<{ uri: string; pool: Pool; close(): Promise<void> }> {
  if (url === undefined || address === undefined) expect.fail('no MARIADB_URL')
  const name = ownName()
  const server = createPool({ uri: url })
  await server.query(`CREATE DATABASE ${name}`)
  const uri = new URL(name, address).href
  const pool = createPool({ uri })
  return {
    uri,
    pool,
    async close() {
      await pool.end()
      await server.query(`DROP DATABASE ${name}`)
      await server.end()
    },
  }
}

describe.skipIf(skip)(title, () => {
  async function open() {
    const { uri, pool, close } = await newDatabase()
    const another = createPool({ uri })
    const store = mariaDbStore(pool)
    await store.migrate()
    const end = async () => {
      await another.end()
      await close()
    }
    return { store, peers: [mariaDbStore(another)], reopen: () => mariaDbStore(another), close: end }
  }

  storeContract({ test: contractTest, durable: true, open })

  test('reports that a refused write wrote nothing, and that one without an answer may have', async () => {
    const proxy = await proxyTo(url!)
    const { pool, close } = await newDatabase(proxy.url)
    onTestFinished(close)
    const store = mariaDbStore(pool)
    await expectStoreError(store.write('key', null, 1), { mayHaveHappened: false, message: /exist/ })
    await store.migrate()
    const first = await put(store, 'key', null, 1)
    // Prepares the statement, so that the cut response is that of the write.
    expect(await store.write('key', crypto.randomUUID(), 0)).toEqual({ ok: false })
    proxy.cutNextReply()
    await expectStoreError(store.write('key', first, 2), { mayHaveHappened: true })
    expect((await store.read(['key']))[0]!.value).toBe(2)
  })

  test('supports several registries', async () => {
    const { store, peers, close } = await open()
    onTestFinished(close)
    const registries = [store, ...peers].map((each) => new CommandRegistry({ store: each }))
    const names = Array.from({ length: 20 }, (_, i) => `c${i}`)
    await Promise.all(names.map((name, i) => registries[i % 2]!.upsert(scope, { name, description: 'b' })))
    const lists = await Promise.all(registries.map((registry) => registry.list(scope)))
    expect(lists[0]!.map(({ name }) => name).sort()).toEqual(names.sort())
    expect(lists[1]).toEqual(lists[0])
  })
})

describe('the D1 adapter of docs/storage.md', () => {
  /** A database with the interface and the limits of D1. */
  function newD1(file = join(newDirectory(), 'd1.db')): D1Database & { close(): void; file: string } {
    const sqlite = connectSqlite(file)
    sqlite.exec('PRAGMA busy_timeout = 60000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const runs = new WeakMap<D1Statement, () => { readonly meta: { readonly changes: number } }>()
    const statement = (sql: string, values: readonly unknown[]): D1Statement => {
      const parameters = values.map((value) => {
        if (Buffer.byteLength(String(value)) > 2_000_000) throw new Error('D1_ERROR: string or blob too big')
        return value as string
      })
      if (parameters.length > 100) throw new Error('D1_ERROR: too many SQL variables')
      const self: D1Statement = {
        bind: (...bound) => statement(sql, bound),
        all: async <T>() => ({ results: sqlite.prepare(sql).all(...parameters) as T[] }),
      }
      const run = () => ({ meta: { changes: Number(sqlite.prepare(sql).run(...parameters).changes) } })
      runs.set(self, run)
      return self
    }
    return {
      file,
      prepare: (sql) => statement(sql, []),
      async batch(statements) {
        sqlite.exec('BEGIN IMMEDIATE')
        try {
          const results = statements.map((each) => runs.get(each)!())
          sqlite.exec('COMMIT')
          return results
        } catch (error) {
          sqlite.exec('ROLLBACK')
          throw error
        }
      },
      close: () => void sqlite.close(),
    }
  }

  async function open() {
    const first = newD1()
    const second = newD1(first.file)
    const store = d1Store(first)
    await store.migrate()
    const close = () => {
      first.close()
      second.close()
    }
    return { store, peers: [d1Store(second)], reopen: () => d1Store(second), close, first }
  }

  storeContract({ test: contractTest, durable: true, open })

  test('keeps no part of a document that was replaced or removed', async () => {
    const { store, close, first } = await open()
    onTestFinished(close)
    const large = 'é😀'.repeat(1_500_000)
    const before = await put(store, 'key', null, large)
    const after = await put(store, 'key', before, `${large}!`)
    expect((await d1Store(first).read(['key']))[0]!.value).toBe(`${large}!`)
    expect(await store.write('key', before, 'stale')).toEqual({ ok: false })
    expect(await store.write('key', null, large)).toEqual({ ok: false })
    await put(store, 'key', await put(store, 'key', after, 1), undefined)
    const { results } = await first.prepare('SELECT key FROM commandry_documents').all()
    expect([results, await listed(store)]).toEqual([[], []])
  })

  test('parses a document once', async () => {
    const { store, close } = await open()
    onTestFinished(close)
    await expectParsedOnce(store)
  })
})
