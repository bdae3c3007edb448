import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sqliteStore, type SqliteDatabase } from '../../src/storage/sqlite.ts'
import { StoreError } from '../../src/storage/store-error.ts'
import { storeContract } from '../../src/testing/store-contract.ts'

type Connection = SqliteDatabase & { close(): unknown }

interface Driver {
  readonly name: string
  readonly connect: ((file: string) => Connection) | undefined
  /** Why it cannot be tested here, when it cannot. */
  readonly missing: string
}

// `node:sqlite` is asked for by name, as older versions of Node do not have it; `bun:sqlite` likewise.
function nodeSqlite(): Driver['connect'] {
  const loaded = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as
    { DatabaseSync: new (file: string) => Connection } | undefined
  return loaded && ((file) => new loaded.DatabaseSync(file))
}

// Its native part is built for one version of Node, and does not load in another.
function betterSqlite(): Driver['connect'] {
  try {
    new BetterSqlite(':memory:').close()
    return (file) => new BetterSqlite(file)
  } catch {
    return undefined
  }
}

const drivers: readonly Driver[] = [
  { name: 'node:sqlite', connect: nodeSqlite(), missing: 'this Node has no node:sqlite' },
  { name: 'better-sqlite3', connect: betterSqlite(), missing: 'it was built for another version of Node' },
]

test('there is a driver to test with', () => {
  expect(drivers.some(({ connect }) => connect !== undefined)).toBe(true)
})

for (const { name, connect, missing } of drivers) {
  describe.skipIf(connect === undefined)(
    connect === undefined ? `${name} (skipped: ${missing})` : name,
    () => {
      const open = connect as (file: string) => Connection

      /** A new file with any number of connections to it. */
      function directory() {
        const path = mkdtempSync(join(tmpdir(), 'commandry-'))
        const connections: Connection[] = []
        return {
          connect() {
            const connection = open(join(path, 'documents.db'))
            connections.push(connection)
            return connection
          },
          disconnect: () => connections.splice(0).forEach((connection) => connection.close()),
          close() {
            this.disconnect()
            rmSync(path, { recursive: true })
          },
        }
      }

      describe('one file, two connections', () => {
        storeContract({
          test,
          durable: true,
          open() {
            const file = directory()
            return {
              store: sqliteStore(file.connect()),
              peers: [sqliteStore(file.connect())],
              reopen() {
                file.disconnect()
                return sqliteStore(file.connect())
              },
              close: () => file.close(),
            }
          },
        })
      })

      describe('in memory, with a table of its own', () => {
        storeContract({
          test,
          open() {
            const database = open(':memory:')
            return { store: sqliteStore(database, { table: 'x' }), close: () => database.close() }
          },
        })
      })

      test('every write is flushed, unless asked otherwise', async () => {
        const file = directory()
        try {
          const strict = file.connect()
          const lax = file.connect()
          await sqliteStore(strict).read(['key'])
          await sqliteStore(lax, { synchronous: 'normal', busyTimeout: 12 }).read(['key'])
          const pragma = (database: Connection, pragmaName: string) =>
            Object.values(database.prepare(`PRAGMA ${pragmaName}`).all()[0] as object)[0] as unknown
          expect([strict, lax].map((each) => pragma(each, 'journal_mode'))).toEqual(['wal', 'wal'])
          expect([strict, lax].map((each) => pragma(each, 'synchronous'))).toEqual([2, 1])
          expect([strict, lax].map((each) => pragma(each, 'fullfsync'))).toEqual([1, 0])
          expect([strict, lax].map((each) => pragma(each, 'busy_timeout'))).toEqual([5000, 12])
        } finally {
          file.close()
        }
      })

      test('stores with different tables share a file and see nothing of each other', async () => {
        const file = directory()
        try {
          const one = sqliteStore(file.connect(), { table: 'one' })
          const other = sqliteStore(file.connect(), { table: 'other' })
          await one.write('key', null, 1)
          expect(await other.read(['key'])).toEqual([undefined])
          expect((await other.write('key', null, 2)).ok).toBe(true)
        } finally {
          file.close()
        }
      })

      test('a write that has to wait too long fails, and says that nothing was written', async () => {
        const file = directory()
        try {
          const store = sqliteStore(file.connect(), { busyTimeout: 1 })
          await store.write('key', null, 1)
          const rival = file.connect()
          rival.exec('BEGIN IMMEDIATE')
          const failure = await store.write('other', null, 2).catch((error: unknown) => error)
          expect(failure).toBeInstanceOf(StoreError)
          expect(failure).toMatchObject({
            mayHaveHappened: false,
            message: /^writing other failed: .*locked/,
          })
          expect((failure as StoreError).cause).toBeInstanceOf(Error)
          expect((await store.read(['key']))[0]?.value).toBe(1)
          rival.exec('ROLLBACK')
          expect((await store.write('other', null, 2)).ok).toBe(true)
        } finally {
          file.close()
        }
      })

      test('a full disk fails the write, and leaves what was there', async () => {
        const file = directory()
        try {
          const database = file.connect()
          const store = sqliteStore(database)
          const first = await store.write('key', null, 'first')
          database.exec('PRAGMA max_page_count = 1')
          const large = 'x'.repeat(1_000_000)
          await expect(store.write('key', first.ok ? first.revision : '', large)).rejects.toMatchObject({
            name: 'StoreError',
            mayHaveHappened: false,
          })
          expect((await store.read(['key']))[0]).toEqual({
            value: 'first',
            revision: first.ok && first.revision,
          })
        } finally {
          file.close()
        }
      })

      test('a closed database fails everything, and nothing was written', async () => {
        const database = open(':memory:')
        const store = sqliteStore(database)
        await store.write('key', null, 1)
        database.close()
        const lost = { name: 'StoreError', mayHaveHappened: false }
        await expect(store.read(['key'])).rejects.toMatchObject(lost)
        await expect(store.write('other', null, 1)).rejects.toMatchObject(lost)
        await expect(store.keys('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(lost)
      })
    },
  )
}

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
])('a write that fails with %j may have happened: %s', async (properties, mayHaveHappened) => {
  const cause = Object.assign(new Error('failed'), properties)
  const statement = {
    run() {
      throw cause
    },
    all: () => [],
  }
  const store = sqliteStore({ exec: () => undefined, prepare: () => statement })
  await expect(store.write('key', null, 1)).rejects.toMatchObject({ mayHaveHappened, cause })
})

test('a file that others are opening at the same moment is waited for', async () => {
  const done: string[] = []
  const unset = { run: () => ({ changes: 1 }), all: () => [] }
  const database: SqliteDatabase = {
    prepare: () => unset,
    exec(sql) {
      done.push(sql)
      // As SQLite does, whatever the timeout.
      const switches = done.filter((each) => each.includes('WAL')).length
      if (sql.includes('WAL') && switches < 3) throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' })
    },
  }
  expect((await sqliteStore(database).write('key', null, 1)).ok).toBe(true)
  const turn = 'BEGIN IMMEDIATE; ROLLBACK'
  const wal = 'PRAGMA journal_mode = WAL'
  expect(done.slice(1, 6)).toEqual([wal, turn, wal, turn, wal])
})

test('options that make no sense are refused at once', () => {
  const database: SqliteDatabase = {
    exec: () => undefined,
    prepare: () => ({ run: () => ({ changes: 0 }), all: () => [] }),
  }
  expect(() => sqliteStore(database, { table: 'a"; DROP TABLE b; --' })).toThrow(TypeError)
  expect(() => sqliteStore(database, { table: '' })).toThrow(TypeError)
  expect(() => sqliteStore(database, { synchronous: 'off' as 'full' })).toThrow(TypeError)
  expect(() => sqliteStore(database, { busyTimeout: -1 })).toThrow(TypeError)
  expect(() => sqliteStore(database, { busyTimeout: Number.NaN })).toThrow(TypeError)
})
