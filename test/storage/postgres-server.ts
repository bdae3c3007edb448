/** A PostgreSQL server of the test, which can be stopped immediately and started again. */
import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newDirectory } from '../support/directory.ts'
import { onFreePort } from '../support/ports.ts'
import { passed } from '../support/waiting.ts'

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

/**
 * A primary and its standby.
 *
 * @param isSynchronous whether a write is acknowledged only when the standby has it
 */
export async function startReplicatedPostgres(isSynchronous: boolean) {
  const primary = await startPostgresServer()
  try {
    const standby = await startPostgresServer(newDirectory(), primary.url)
    if (isSynchronous) await primary.configure("synchronous_standby_names = '*'")
    return {
      url: primary.url,
      /**
       * The primary crashes, and the standby takes over. One that is not synchronous takes over while the primary, which it
       * no longer follows, serves some time. @returns the port of the standby
       */
      async failOver(): Promise<number> {
        if (isSynchronous) await primary.crash()
        await standby.promote()
        if (!isSynchronous) {
          await passed(100)
          await primary.crash()
        }
        return Number(new URL(standby.url).port)
      },
      stop: async () => void (await Promise.all([primary.stop(), standby.stop()])),
    }
  } catch (error) {
    await primary.stop()
    throw error
  }
}

/**
 * A server with its data in a directory, which `stop` removes.
 *
 * @param followed the address of a server whose standby it is. Default: it is a primary
 */
export async function startPostgresServer(directory = newDirectory(), followed?: string) {
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
  if (followed === undefined)
    await as('initdb', ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  else
    await as('pg_basebackup', ['-d', followed, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  const port = await onFreePort(start)
  return {
    url: `postgres://tester@127.0.0.1:${port}/postgres`,
    start: () => start(port),
    /** Stops the server like a crash: without a flush and without notice to clients. */
    crash: () => control('stop', '-m', 'immediate'),
    /** Ends the following of another server. */
    promote: () => control('promote'),
    /** Adds a setting, and reads it. */
    async configure(setting: string): Promise<void> {
      appendFileSync(join(data, 'postgresql.conf'), `${setting}\n`)
      await control('reload')
    },
    stop,
  }
}
