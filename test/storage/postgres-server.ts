/** A PostgreSQL server of the test, which can be stopped immediately and started again. */
import { execFile, execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newDirectory } from '../support/directory.ts'
import { onFreePort } from '../support/ports.ts'

const run = promisify(execFile)

/** The directory of the server's programs; `undefined` when they are not installed. */
export function postgresPrograms(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const installed = existsSync(versions)
    ? readdirSync(versions).map((version) => join(versions, version, 'bin'))
    : []
  return [...installed.sort().reverse(), ...(process.env['PATH'] ?? '').split(':')].find((directory) =>
    ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(directory, name))),
  )
}

/** A server with its data in a directory, which `stop` removes. */
export async function startPostgresServer(directory = newDirectory()) {
  const programs = postgresPrograms()!
  const data = join(directory, 'data')
  // The server refuses to run as root.
  const isRoot = userInfo().uid === 0
  if (isRoot) chownSync(directory, Number(execFileSync('id', ['-u', 'postgres'])), -1)
  const as = (name: string, args: readonly string[]) =>
    isRoot
      ? run('runuser', ['-u', 'postgres', '--', join(programs, name), ...args])
      : run(join(programs, name), args)
  // The machine may be busy.
  const control = (...args: string[]) => as('pg_ctl', ['-D', data, '-w', '-t', '180', ...args])
  async function start(port: number): Promise<number> {
    const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
    // An inherited output stream would keep its reader waiting for an end.
    await control('start', '-l', join(directory, 'log'), '-o', settings)
    return port
  }
  async function stop(): Promise<void> {
    await control('stop', '-m', 'immediate').catch(() => undefined)
    rmSync(directory, { recursive: true, force: true })
  }
  await as('initdb', ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const port = await onFreePort(start)
  return {
    url: `postgres://tester@127.0.0.1:${port}/postgres`,
    start: () => start(port),
    /** Stops the server like a crash: without a flush and without notice to clients. */
    crash: () => control('stop', '-m', 'immediate'),
    stop,
  }
}
