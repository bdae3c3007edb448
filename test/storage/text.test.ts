/** The adapters over the engine of text that docs/storage.md shows. */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CommandRegistry } from 'commandry'
import { storeContract } from 'commandry/testing'
import { newDirectory } from '../support/directory.ts'
import { here as scope } from '../support/fixtures.ts'
import { d1Store } from '../../docs/examples/d1-store.ts'
import { mariaDbStore } from '../../docs/examples/mariadb-store.ts'
import { expectParsedOnce, expectStoreError, listed, put } from './checks.ts'
import { openD1 } from './d1.ts'
import { tableBackUp } from './backups.ts'
import { dropDatabase, openDatabase } from './mariadb.ts'
import { connectSqlite } from './place.ts'
import { failingMedium, throughMedium } from './outages.ts'
import { contractTest, fastContractTest, missing, needing, ownName } from './servers.ts'
import { proxyTo } from './proxy.ts'

const url = process.env['MARIADB_URL']
const { title, skip } = needing('the MariaDB adapter of docs/storage.md', missing('MARIADB_URL'))

describe.skipIf(skip)(title, () => {
  async function open() {
    const name = ownName()
    const [pool, another] = [await openDatabase(url!, name), await openDatabase(url!, name)]
    const store = mariaDbStore(pool)
    await store.migrate()
    const close = async () => {
      await Promise.all([pool.end(), another.end()])
      await dropDatabase(url!, name)
    }
    const run = async (statements: readonly string[]) => {
      for (const statement of statements) await another.query(statement)
    }
    const backUp = tableBackUp(run, 'commandry_documents')
    return { store, peers: [mariaDbStore(another)], reopen: () => mariaDbStore(another), backUp, close }
  }

  storeContract({ test: contractTest, durable: true, restorable: true, open })

  describe('whose medium fails', () => {
    storeContract({
      test: fastContractTest,
      failing: true,
      async open() {
        const name = ownName()
        const pool = await openDatabase(url!, name)
        const medium = failingMedium()
        const connect = () => mariaDbStore(throughMedium(pool, medium, 'query', 'execute'))
        const store = connect()
        await store.migrate()
        const close = async () => {
          await pool.end()
          await dropDatabase(url!, name)
        }
        return { store, peers: [connect()], fail: medium.fail, close }
      },
    })
  })

  test('reports that a refused write wrote nothing, and that one without an answer may have', async () => {
    const proxy = await proxyTo(url!)
    const name = ownName()
    const pool = await openDatabase(proxy.url, name)
    onTestFinished(async () => {
      await pool.end()
      await dropDatabase(url!, name)
    })
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
  const newD1 = (file: string) => openD1(connectSqlite(file))

  async function open() {
    const file = join(newDirectory(), 'd1.db')
    const first = newD1(file)
    const second = newD1(file)
    const store = d1Store(first)
    await store.migrate()
    const close = () => {
      first.close()
      second.close()
    }
    const run = (statements: readonly string[]) => connectSqlite(file).exec(statements.join(';'))
    const backUp = tableBackUp(run, 'commandry_documents')
    return { store, peers: [d1Store(second)], reopen: () => d1Store(second), backUp, close, first }
  }

  storeContract({ test: contractTest, durable: true, restorable: true, open })

  describe('whose medium fails', () => {
    storeContract({
      test: fastContractTest,
      failing: true,
      async open() {
        const database = newD1(join(newDirectory(), 'd1.db'))
        const medium = failingMedium()
        const connect = () =>
          d1Store({
            batch: (statements) => medium.ask(() => database.batch(statements)),
            prepare(sql) {
              const statement = database.prepare(sql)
              const { bind } = statement
              statement.bind = (...values) => {
                const bound = bind(...values)
                const { all } = bound
                bound.all = <T>() => medium.ask(() => all<T>())
                return bound
              }
              return statement
            },
          })
        const store = connect()
        await store.migrate()
        return { store, peers: [connect()], fail: medium.fail, close: () => database.close() }
      },
    })
  })

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
