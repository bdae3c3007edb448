import { rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { storeContract } from 'commandry/testing'
import { type SqliteDatabase, sqliteStore } from 'commandry/storage/sqlite'
import type { Store, StoreError } from 'commandry'
import { newDirectory } from '../support/directory.ts'
import { failingMedium } from './outages.ts'
import { tableBackUp } from './backups.ts'
import { expectNothingWritten, expectParsedOnce, expectStoreError, put } from './checks.ts'
import { builtinSqlite, type Connection, type ConnectSqlite } from './place.ts'
import { contractTest, fastContractTest, serversRequired } from './servers.ts'
import { turn } from '../support/waiting.ts'

interface Driver {
  readonly name: string
  readonly connect: ConnectSqlite | undefined
  /** Why the driver cannot be tested here; undefined when it can. */
  readonly missing: string
}

/** A connection whose statements go through a medium. */
function throughMedium(database: Connection, medium: ReturnType<typeof failingMedium>): SqliteDatabase {
  return {
    exec: (sql) => medium.askNow(() => database.exec(sql)),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        all: (...values) => medium.askNow(() => statement.all(...values)),
        run: (...values) => medium.askNow(() => statement.run(...values)),
      } as ReturnType<SqliteDatabase['prepare']>
    },
  }
}

// Its native part is built for one version of Node, and does not load in another.
function betterSqlite(): Driver['connect'] {
  try {
    new BetterSqlite(':memory:').close()
    return (file, readonly = false) => new BetterSqlite(file, { readonly })
  } catch {
    return undefined
  }
}

const drivers: readonly Driver[] = [
  {
    name: 'node:sqlite',
    connect: builtinSqlite(),
    missing: `Node ${process.versions.node} has no node:sqlite`,
  },
  { name: 'better-sqlite3', connect: betterSqlite(), missing: 'it was built for another version of Node' },
]

test('has a driver to test with', () => {
  const loaded = drivers.filter(({ connect }) => connect !== undefined).map(({ name }) => name)
  expect(loaded).not.toEqual([])
  // `npm run test:install` builds better-sqlite3 for this Node, whichever version that is.
  if (serversRequired) expect(loaded).toContain('better-sqlite3')
})

for (const { name, connect, missing } of drivers)
  describe.skipIf(connect === undefined)(
    connect === undefined ? `${name} (skipped: ${missing})` : name,
    () => {
      const open = connect as ConnectSqlite

      /** A database in memory for the time of a test. */
      function inMemory() {
        const database = open(':memory:')
        onTestFinished(() => void database.close())
        return database
      }

      /** A new file for the time of a test, with any number of connections to it. */
      function directory() {
        const path = newDirectory()
        const connections: Connection[] = []
        const disconnect = () => connections.splice(0).forEach((connection) => connection.close())
        onTestFinished(() => {
          disconnect()
          rmSync(path, { recursive: true })
        })
        return {
          connect(readOnly = false) {
            const connection = open(join(path, 'documents.db'), readOnly)
            connections.push(connection)
            return connection
          },
          drop(connection: Connection) {
            connections.splice(connections.indexOf(connection), 1)
            connection.close()
          },
          disconnect,
        }
      }

      describe('one file, two connections', () => {
        storeContract({
          test: contractTest,
          durable: true,
          restorable: true,
          open() {
            const file = directory()
            const run = (statements: readonly string[]) =>
              file.connect().exec(['BEGIN IMMEDIATE', ...statements, 'COMMIT'].join(';'))
            return {
              backUp: tableBackUp(run, 'commandry_documents'),
              store: sqliteStore(file.connect()),
              peers: [sqliteStore(file.connect())],
              reopen() {
                file.disconnect()
                return sqliteStore(file.connect())
              },
            }
          },
        })
      })

      describe('one file whose medium fails', () => {
        storeContract({
          test: fastContractTest,
          failing: true,
          open() {
            const file = directory()
            const medium = failingMedium()
            const connect = () => sqliteStore(throughMedium(file.connect(), medium))
            // No answer of a statement that was made is lost on the way, and none hangs: it fails as a whole.
            return { store: connect(), peers: [connect()], fail: () => medium.fail('refuse') }
          },
        })
      })

      describe('in memory, with its own table', () => {
        storeContract({
          test: fastContractTest,
          open: () => sqliteStore(inMemory(), { table: 'x' }),
        })
      })

      test('does not parse a document again while its revision is current', async () => {
        await expectParsedOnce(sqliteStore(inMemory()))
      })

      test('flushes every write unless configured otherwise', async () => {
        const file = directory()
        const strict = file.connect()
        const lax = file.connect()
        await sqliteStore(strict).read(['key'])
        await sqliteStore(lax, { synchronous: 'normal', busyTimeout: 12 }).read(['key'])
        const pragma = (database: Connection, pragmaName: string) =>
          Object.values(database.prepare(`PRAGMA ${pragmaName}`).all()[0] as object)[0] as unknown
        expect([strict, lax].map((each) => pragma(each, 'journal_mode'))).toEqual(['wal', 'wal'])
        expect([strict, lax].map((each) => pragma(each, 'synchronous'))).toEqual([2, 1])
        expect([strict, lax].map((each) => pragma(each, 'fullfsync'))).toEqual([1, 0])
        expect([strict, lax].map((each) => pragma(each, 'busy_timeout'))).toEqual([25, 12])
      })

      test('writes the value as it was at the call, even if the write waits', async () => {
        const store = sqliteStore(inMemory())
        const value = { text: 'before' }
        const writes = [store.write('a', null, 1), store.write('b', null, value)]
        value.text = 'after'
        await Promise.all(writes)
        expect((await store.read(['b']))[0]?.value).toEqual({ text: 'before' })
      })

      test('separates stores with different tables in one file', async () => {
        const file = directory()
        const one = sqliteStore(file.connect(), { table: 'one' })
        const other = sqliteStore(file.connect(), { table: 'other' })
        await one.write('key', null, 1)
        expect(await other.read(['key'])).toEqual([undefined])
        expect((await other.write('key', null, 2)).ok).toBe(true)
      })

      test('reports that nothing was written when a write waits too long', async () => {
        const file = directory()
        const store = sqliteStore(file.connect(), { busyTimeout: 1 })
        await store.write('key', null, 1)
        const rival = file.connect()
        rival.exec('BEGIN IMMEDIATE')
        await expectStoreError(store.write('other', null, 2), {
          mayHaveHappened: false,
          message: /^writing other failed: .*locked/,
          cause: expect.any(Error),
        })
        expect((await store.read(['key']))[0]?.value).toBe(1)
        rival.exec('ROLLBACK')
        expect((await store.write('other', null, 2)).ok).toBe(true)
      })

      test('does not block the process while a write waits', async () => {
        const file = directory()
        const store = sqliteStore(file.connect(), { busyTimeout: 120_000 })
        await store.write('key', null, 1)
        const rival = file.connect()
        rival.exec('BEGIN IMMEDIATE')
        const ended: string[] = []
        const written = ['first', 'second', 'third'].map(async (key) => {
          expect((await store.write(key, null, 2)).ok).toBe(true)
          ended.push(key)
        })
        // Turns of the event loop while the write waits.
        for (let turns = 0; turns < 3; turns++) {
          await turn()
          expect((await store.read(['key', 'first'])).map((entry) => entry?.value)).toEqual([1, undefined])
        }
        expect(ended).toEqual([])
        rival.exec('ROLLBACK')
        await Promise.all(written)
        expect(ended).toEqual(['first', 'second', 'third'])
      })

      test('does not wait for an earlier transaction of the host', async () => {
        const file = directory()
        const other = sqliteStore(file.connect())
        const database = file.connect()
        const store = sqliteStore(database, { busyTimeout: 2 ** 31 - 1 })
        const first = await put(other, 'key', null, 1)
        await store.read(['key'])
        database.exec('BEGIN')
        await store.read(['key'])
        await put(other, 'key', first, 2)
        await expectStoreError(store.write('key', first, 3), { mayHaveHappened: false, message: /locked/ })
        database.exec('ROLLBACK')
        expect((await store.read(['key']))[0]?.value).toBe(2)
      })

      test('reads a read-only file and does not change it', async () => {
        const file = directory()
        const writer = file.connect()
        const first = await put(sqliteStore(writer), 'key', null, 1)
        const looking = file.connect(true)
        const store = sqliteStore(looking)
        expect(await store.read(['key', 'none'])).toEqual([{ value: 1, revision: first }, undefined])
        await expectStoreError(store.write('other', null, 1), { mayHaveHappened: false })
        file.drop(looking)
        writer.exec('PRAGMA journal_mode = DELETE')
        expect((await sqliteStore(file.connect(true)).read(['key']))[0]?.value).toBe(1)
        const without = sqliteStore(file.connect(true), { table: 'none' })
        await expectStoreError(without.read(['key']), { message: /no such table/ })
      })

      test('rejects a write on a full disk and keeps the old documents', async () => {
        const file = directory()
        const database = file.connect()
        const store = sqliteStore(database)
        const first = await put(store, 'key', null, 'first')
        database.exec('PRAGMA max_page_count = 1')
        await expectStoreError(store.write('key', first, 'x'.repeat(1_000_000)), { mayHaveHappened: false })
        expect((await store.read(['key']))[0]).toEqual({ value: 'first', revision: first })
      })

      test('rejects every call on a closed database and reports that nothing was written', async () => {
        const database = open(':memory:')
        const store = sqliteStore(database)
        await store.write('key', null, 1)
        database.close()
        await expectNothingWritten(store)
      })
    },
  )

test.each([
  // As better-sqlite3, node:sqlite and bun:sqlite report them.
  [{ code: 'SQLITE_IOERR_FSYNC' }, true],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 1034 }, true],
  [{ code: 'SQLITE_IOERR_WRITE', errno: 778 }, true],
  [{ code: 'SQLITE_CORRUPT' }, true],
  [{ code: 'SQLITE_BUSY_SNAPSHOT' }, false],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, false],
  [{ code: 'SQLITE_FULL', errno: 13 }, false],
  [{ code: 'ERR_INVALID_STATE' }, false],
])('reports, for %j, mayHaveHappened %s', async (properties, mayHaveHappened) => {
  const cause = Object.assign(new Error('failed'), properties)
  await expectStoreError(failing(cause).write('key', null, 1), { mayHaveHappened, cause })
})

test.each([['out of order'], [null]])(
  'keeps what a driver throws that is not an Error: %s',
  async (cause) => {
    await expectStoreError(failing(cause).write('key', null, 1), { mayHaveHappened: false, cause })
  },
)

/** A database without documents, whose statements and writes may do something else. */
const fake = ({
  exec = (_: string): unknown => undefined,
  run = () => ({ changes: 1 }),
} = {}): SqliteDatabase => ({
  exec,
  prepare: () => ({ run, all: () => [] }),
})

/** A store whose writes fail. */
function failing(cause: unknown): Store {
  const run = () => {
    throw cause
  }
  return sqliteStore(fake({ run }), { busyTimeout: 0 })
}

// Listed again on purpose, so that a changed number fails the test.
const certainCodes: Readonly<Record<string, number>> = {
  SQLITE_ERROR: 1,
  SQLITE_PERM: 3,
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: 8,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_SCHEMA: 17,
  SQLITE_TOOBIG: 18,
  SQLITE_CONSTRAINT: 19,
  SQLITE_AUTH: 23,
  SQLITE_NOTADB: 26,
}

test('recognizes every result code that means nothing was written, by errcode, errno and name', async () => {
  const mayHaveHappened = async (properties: object): Promise<unknown> => {
    const store = failing(Object.assign(new Error('failed'), properties))
    return store.write('key', null, 1).catch((error: StoreError) => error.mayHaveHappened)
  }
  const certain: number[] = []
  // Primary codes have eight bits; extended ones have more above them.
  for (let code = 1; code < 256; code++) {
    const results = [{ errcode: code }, { errno: code }, { errcode: code | 0x700 }].map(mayHaveHappened)
    const [byErrcode, byErrno, byExtended] = await Promise.all(results)
    expect([byErrno, byExtended]).toEqual([byErrcode, byErrcode])
    if (byErrcode === false) certain.push(code)
  }
  expect(certain).toEqual(Object.values(certainCodes))
  for (const name of Object.keys(certainCodes)) {
    expect(await mayHaveHappened({ code: name })).toBe(false)
    expect(await mayHaveHappened({ code: `${name}_EXTENDED` })).toBe(false)
  }
  for (const name of ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_INTERNAL', 'SQLITE_NOMEM'])
    expect(await mayHaveHappened({ code: name })).toBe(true)
})

test('waits for a file that another process is opening', async () => {
  const moves: ((store: Store) => Promise<unknown>)[] = [
    (store) => store.read(['key']),
    (store) => store.write('key', null, 1),
    (store) => store.keys('')[Symbol.asyncIterator]().next(),
  ]
  for (const move of moves) {
    let switches = 0
    const exec = (sql: string) => {
      // SQLite fails this way whatever the timeout.
      if (sql.includes('WAL') && ++switches < 3)
        throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' })
    }
    await move(sqliteStore(fake({ exec })))
    expect(switches).toBe(3)
  }
})

test('rejects invalid options immediately', () => {
  const attacks = ['a"; DROP TABLE b; --', 'a"; DROP TABLE b; SELECT "c']
  for (const table of [...attacks, '', '1a', '"a', ' a', 'a ', 'a\nb'])
    expect(() => sqliteStore(fake(), { table })).toThrow(TypeError)
  expect(() => sqliteStore(fake(), { synchronous: 'off' as 'full' })).toThrow(TypeError)
  // The last exceeds SQLite's integer.
  for (const busyTimeout of [-1, Number.NaN, 2 ** 31])
    expect(() => sqliteStore(fake(), { busyTimeout })).toThrow(TypeError)
})
