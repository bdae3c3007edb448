/** A program of the user that runs beside a service on this machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { preloading } from '../../../testing/redirect/processes.ts'
import type { ProcessClock } from '../../../testing/clock/processes.ts'
import { usageError } from '../errors.ts'
import type { Io } from '../io.ts'
import { placeholderToken } from '../../../service/http/placeholder-token.ts'
import { idsOf, LONG_ID, serverIn, tokensOf } from './placeholders.ts'
import { printable, withoutColors } from '../../../core/text.ts'
import { demoServer } from '../../../model/demo-server.ts'
import type { ServerSettings } from '../../../model/server.ts'

/**
 * The demo server, under the id in the environment of a program, with what most servers have: an owner, Alan, and people
 * with an avatar, all but Grace.
 */
export function programServer(io: Io): ServerSettings {
  const server = demoServer(serverIn(io.env), LONG_ID)
  const members = server.members.map(({ user, ...member }) => {
    const avatar = user.username === 'grace' ? null : user.id.padStart(32, '0')
    return { ...member, user: { ...user, avatar } }
  })
  return { ...server, members, owner_id: `${LONG_ID}3003` }
}

export interface ServiceOfProgram {
  /** The address, without a path. */
  readonly url: string
  readonly applicationId: string
  /** Default: that of `programServer`. */
  readonly serverId?: string | undefined
  /** Default: a token that an open service reads the application from. */
  readonly token?: string | undefined
  /** The key with which a bot over HTTP verifies requests. Default: zeros, for programs that get none. */
  readonly publicKey?: string
  /** Further variables of the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether Node connects to the service in place of Discord. Default true. */
  readonly isRedirected?: boolean
  /** The clock that Node follows. Default: that of the system. */
  readonly clock?: Pick<ProcessClock, 'environment'> | undefined
}

/**
 * The environment of a program. Programs that are not redirected must not get a real token, so tokens are replaced;
 * ids are only added.
 */
function environmentOf(io: Io, service: ServiceOfProgram): Record<string, string | undefined> {
  const { COMMANDRY_TOKEN, ...env } = io.env
  const { url, applicationId: id, publicKey = '0'.repeat(64), isRedirected = true, clock } = service
  const { serverId = serverIn(io.env) } = service
  return {
    ...idsOf(id, serverId, publicKey),
    ...env,
    ...tokensOf(service.token ?? placeholderToken(id)),
    COMMANDRY_URL: url,
    ...preloading(env, [...(isRedirected ? [io.redirect()] : []), ...(clock ? [io.clock()] : [])]),
    ...clock?.environment(),
    ...service.env,
  }
}

export type Program = ReturnType<typeof startProgram>

// Lines and characters of the output that are shown after a failure.
const LAST_LINES = 30
const LAST_CHARACTERS = 10_000
/** How often a group is asked whether it has ended. */
const END_POLL = 20

/**
 * Starts a command of the shell.
 *
 * @param output where its output goes; `keep` for `lines` only
 * @param onOutput receives what it writes, unless that is inherited
 */
export function startProgram(
  io: Io,
  command: string,
  service: ServiceOfProgram,
  output: 'inherit' | 'stderr' | 'keep',
  onOutput: (text: string) => void = () => {},
) {
  if (command.trim() === '') throw usageError('the program is empty; write one, such as "node bot.js"')
  const stream = output === 'inherit' ? 'inherit' : 'pipe'
  const isWindows = process.platform === 'win32'
  const child = spawn(command, {
    shell: true,
    cwd: io.cwd,
    env: environmentOf(io, service),
    stdio: ['ignore', stream, stream],
    // A group of its own, which can be ended as a whole.
    detached: !isWindows,
  })
  let text = ''
  for (const source of [child.stdout, child.stderr]) {
    source?.setEncoding('utf8').on('data', (chunk: string) => {
      if (output === 'stderr') io.stderr.write(chunk)
      text = (text + chunk).slice(-LAST_CHARACTERS)
      onOutput(chunk)
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  // Signal 0 asks whether the group has a program.
  const kill = (signal: NodeJS.Signals | 0): boolean => {
    try {
      if (!isWindows) return process.kill(-child.pid!, signal)
      if (signal !== 0) spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'])
      return child.exitCode === null
    } catch {
      return false
    }
  }
  // Such as a second signal, or a terminal that is closed: the group would not hear of it.
  const killNow = () => void kill('SIGKILL')
  process.on('exit', killNow)
  return {
    /** The exit code, or null after a signal. Rejects when the program cannot be started. */
    ended,
    /** The last lines that the program wrote, empty if there are none. */
    lines: () =>
      text
        .trimEnd()
        .split('\n')
        // The calls inside Node would push out the message of the error.
        .filter((line) => !/^ +at .*\bnode:internal/.test(line))
        .slice(-LAST_LINES)
        .map((line) => `  ${printable(withoutColors(line))}`)
        .join('\n')
        .trimEnd(),
    /** Ends the program and the programs that it started, also those that ignore SIGTERM or have closed their output. */
    async stop(): Promise<void> {
      kill('SIGTERM')
      const end = performance.now() + io.limits.end
      const late = setTimeout(() => {
        kill('SIGKILL')
        // A program that left the group may keep them open.
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, io.limits.end)
      while (kill(0) && performance.now() < end) await delay(END_POLL)
      if (kill(0)) kill('SIGKILL')
      await ended.catch(() => {})
      clearTimeout(late)
      process.off('exit', killNow)
    },
  }
}
