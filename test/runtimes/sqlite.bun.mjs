/** The contract of a store on `bun:sqlite`, by `bun test`. */
import { Database } from 'bun:sqlite'
import { test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from 'commandry/storage/sqlite'
import { storeContract } from 'commandry/testing'

storeContract({
  test: (title, run) => test(title, run, 60_000),
  durable: true,
  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'commandry-'))
    const databases = []
    const connect = () => {
      const database = new Database(join(directory, 'store.db'), { create: true })
      databases.push(database)
      return sqliteStore(database)
    }
    return {
      store: connect(),
      peers: [connect()],
      reopen: connect,
      close() {
        for (const database of databases) database.close()
        rmSync(directory, { recursive: true, force: true })
      },
    }
  },
})
