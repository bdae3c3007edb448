/** A PostgreSQL server of the test's own, that may be stopped at once and started again. */
import { execFile, execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PostgresServer {
  readonly url: string
  /** Ends it as a crash would: nothing is flushed, nobody is told. */
  crash(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** Where the server's programs are; `undefined` where there are none. */
export function postgresPrograms(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const installed = existsSync(versions)
    ? readdirSync(versions).map((version) => join(versions, version, 'bin'))
    : []
  return [...installed.sort().reverse(), ...(process.env['PATH'] ?? '').split(':')].find((directory) =>
    ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(directory, name))),
  )
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = postgresPrograms()!
  const directory = mkdtempSync(join(tmpdir(), 'commandry-'))
  const data = join(directory, 'data')
  // The server refuses to run as root.
  const isRoot = userInfo().uid === 0
  if (isRoot) chownSync(directory, Number(execFileSync('id', ['-u', 'postgres'])), -1)
  const as = (name: string, args: readonly string[]) =>
    isRoot
      ? run('runuser', ['-u', 'postgres', '--', join(programs, name), ...args])
      : run(join(programs, name), args)
  const port = await freePort()
  const control = (...args: string[]) => as('pg_ctl', ['-D', data, '-w', ...args])
  const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  // Its output must not go where somebody waits for an end.
  const start = () => control('start', '-l', join(directory, 'log'), '-o', settings).then(() => undefined)
  await as('initdb', ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  await start()
  return {
    url: `postgres://tester@127.0.0.1:${port}/postgres`,
    start,
    crash: () => control('stop', '-m', 'immediate').then(() => undefined),
    async remove() {
      await control('stop', '-m', 'immediate').catch(() => undefined)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
