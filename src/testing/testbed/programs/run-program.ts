/** A program of the user that runs beside a service on this machine. */
import { spawn } from 'node:child_process'
import { realTimers } from '../../../core/timers.ts'
import { placeholderToken } from '../../../service/http/placeholder-token.ts'
import type { ProcessClock } from '../../clock/process-clock.ts'
import { OF_TESTBED } from '../../clock/standing.ts'
import { preloading } from '../../redirect/processes.ts'
import { idVariables, tokenVariables } from './placeholders.ts'
import { lastLines, ProgramOutput } from './program-output.ts'

export interface ServiceOfProgram {
  /** The address, without a path. */
  readonly url: string
  readonly applicationId: string
  readonly serverId: string
  /** Default: a token that an open service reads the application from. */
  readonly token?: string | undefined
  /** The key with which a bot over HTTP verifies requests. Default: zeros, for programs that get none. */
  readonly publicKey?: string | undefined
  /** Further variables of the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The clock that Node follows. Default: that of the system. */
  readonly clock?: Pick<ProcessClock, 'environment'> | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment of a program. Programs that are not redirected must not get a real token, so tokens are replaced;
 * ids are only added.
 *
 * @param preloaded what Node loads before the program
 */
function environmentOf(
  given: Environment,
  service: ServiceOfProgram,
  preloaded: readonly string[],
): Environment {
  const { COMMANDRY_TOKEN, ...env } = given
  const { url, applicationId: id, serverId, publicKey = '0'.repeat(64), clock } = service
  return {
    ...idVariables(id, serverId, publicKey),
    ...env,
    ...tokenVariables(service.token ?? placeholderToken(id)),
    COMMANDRY_URL: url,
    ...preloading(env, preloaded),
    ...clock?.environment(),
    ...service.env,
  }
}

export interface ProgramOptions {
  readonly cwd: string
  readonly env: Environment
  /** Default: none, for a program that opens its own. */
  readonly service?: ServiceOfProgram
  readonly preloaded: readonly string[]
  /** Milliseconds that the program may take to end. */
  readonly limit: number
  /** Receives what the program writes. Default: it writes where this process does. */
  readonly onOutput?: ((text: string, isError: boolean) => void) | undefined
}

export type Program = ReturnType<typeof startProgram>

// Lines of the output that are shown after a failure.
const LAST_LINES = 30
/** Milliseconds in which the output of a program that has ended arrives. */
const LAST_OUTPUT = 1_000
/** How often a group is asked whether it has ended. */
const END_POLL = 20

/** The line of the shell for a program and its arguments. One argument is a line already; several are words. */
export function shellLine(program: readonly string[]): string {
  return program.length === 1 ? program[0]! : program.map(shellWord).join(' ')
}

function shellWord(argument: string): string {
  const isWindows = process.platform === 'win32'
  // Elsewhere a backslash escapes.
  if (/^[\w@%+=:,./\\-]+$/.test(argument) && (isWindows || !argument.includes('\\'))) return argument
  if (isWindows) return `"${argument.replaceAll('"', '""')}"`
  return `'${argument.replaceAll("'", "'\\''")}'`
}

/** Starts a command of the shell. */
export function startProgram(command: string, options: ProgramOptions) {
  const { cwd, env, service, preloaded, limit, onOutput } = options
  const stream = onOutput === undefined ? 'inherit' : 'pipe'
  const isWindows = process.platform === 'win32'
  const child = spawn(command, {
    shell: true,
    cwd,
    env: service === undefined ? env : environmentOf(env, service, preloaded),
    stdio: ['ignore', stream, stream],
    // A group of its own, which can be ended as a whole.
    detached: !isWindows,
  })
  Object.defineProperty(child, OF_TESTBED, { value: true })
  const output = new ProgramOutput()
  for (const source of [child.stdout, child.stderr]) {
    source?.setEncoding('utf8').on('data', (chunk: string) => {
      output.add(chunk)
      onOutput?.(chunk, source === child.stderr)
    })
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
    child.once('exit', (code) => {
      // A program that it leaves behind may keep the output open.
      const late = realTimers.start(() => resolve(code), LAST_OUTPUT)
      child.once('close', () => realTimers.stop(late))
    })
  })
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
  // Such as a second signal, or a terminal that is closed: the group would not hear of it. What opens a service of its
  // own ends its bots on SIGTERM.
  const killNow = () => void kill(service === undefined ? 'SIGTERM' : 'SIGKILL')
  process.on('exit', killNow)
  return {
    /** The exit code, or null after a signal. Rejects when the program cannot be started. */
    ended,
    /** Ends everything at once. */
    killNow,
    /** The last lines that the program wrote, empty if there are none. */
    lines: () => lastLines(output.text, LAST_LINES).replace(/^(?=.)/gm, '  '),
    /** Ends the program and the programs that it started, also those that ignore SIGTERM or have closed their output. */
    async stop(): Promise<void> {
      kill('SIGTERM')
      const end = realTimers.now() + limit
      const late = realTimers.start(() => {
        kill('SIGKILL')
        // A program that left the group may keep them open.
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, limit)
      while (kill(0) && realTimers.now() < end) await realTimers.sleep(END_POLL)
      if (kill(0)) kill('SIGKILL')
      await ended.catch(() => {})
      realTimers.stop(late)
      process.off('exit', killNow)
    },
  }
}
