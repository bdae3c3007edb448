/** The driver of the MariaDB adapter of docs/storage.md, and databases of their own for tests. */
import { createRequire } from 'node:module'
import type { MariaDbPool } from '../../docs/examples/mariadb-store.ts'

type Pool = MariaDbPool & { end(): Promise<void> }

/** The driver, which `npm run test:install` installs. */
const { createPool } = createRequire(import.meta.url)('mysql2/promise') as {
  createPool(options: { uri: string; connectionLimit?: number }): Pool
}

/** Connects to a database of this name on the server at `url`, which may be a new one. */
export async function openDatabase(url: string, name: string): Promise<Pool> {
  await ofServer(url, `CREATE DATABASE IF NOT EXISTS ${name}`)
  return createPool({ uri: new URL(name, url).href, connectionLimit: 4 })
}

export const dropDatabase = (url: string, name: string) => ofServer(url, `DROP DATABASE IF EXISTS ${name}`)

async function ofServer(url: string, sql: string): Promise<void> {
  const server = createPool({ uri: url })
  await server.query(sql)
  await server.end()
}
