/** The streams, folder, environment, signals and time limits that commands use, and the terminal. */
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Time limits in milliseconds, and the limit of a response in bytes. */
export const defaultLimits = {
  /** Until a database server accepts a connection. */
  connect: 5_000,
  /** Until a database server responds to a query. */
  query: 10_000,
  /** How long SQLite waits for another process to finish writing. */
  busy: 5_000,
  /** Until a module has loaded. */
  load: 30_000,
  /** Between two checks of watched files. */
  poll: 300,
  /** Bytes of one HTTP response. */
  response: 128 * 1024 * 1024,
  /** Until a program of `--run` that has deployed and sends no more requests is stopped. */
  quiet: 2_000,
  /** Until a program of `--run` is stopped in any case. */
  run: 120_000,
  /** The first wait after a failure at Discord; each later one is four times as long. */
  retry: 1_000,
  /** How long a program of `--run` may take to end. */
  end: 2_000,
}

export type IoLimits = Readonly<typeof defaultLimits>

export interface Io {
  /** The folder of relative file names. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly limits: IoLimits
  /** Imports a module by its URL, or a package by its name. */
  import(specifier: string): Promise<object>
  /** Asks the user a question; null where there is no terminal. */
  ask(question: string): Promise<string | null>
  /** The worker thread that loads modules, built from `loader.ts`. */
  readonly loader: URL
  /** The file of `commandry/redirect`, for other programs. */
  redirect(): string
  /** The file of `commandry/clock`, for other programs. */
  clock(): string
  /** The file of `commandry/testbed`, for the tests that it runs. */
  testbed(): string
  /** The folder of the pages of the package. */
  docs(): string
  /** Resolves on SIGINT, SIGTERM, SIGHUP and SIGQUIT. */
  interrupted(): Promise<void>
}

/** The terminals that show a line of progress, which the next line erases. */
const progressing = new WeakSet<Output>()

function eraseProgress(stderr: Output): void {
  if (progressing.delete(stderr)) stderr.write('\r\u001b[K')
}

/** From now on output that cannot be written is lost, such as the log of a service on a full disk, and ends nothing. */
export function outliveOutput({ stdout, stderr }: Io): void {
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
}

export function print(io: Io, text: string): void {
  eraseProgress(io.stderr)
  io.stdout.write(`${text}\n`)
}

export function warn(io: Io, text: string): void {
  eraseProgress(io.stderr)
  io.stderr.write(`${text}\n`)
}

/** A promise during which a terminal shows a line with the seconds, from the first second on. */
export async function withProgress<T>({ stderr }: Io, line: () => string, promise: Promise<T>): Promise<T> {
  if (stderr.isTTY !== true) return promise
  const started = performance.now()
  const timer = setInterval(() => {
    progressing.add(stderr)
    stderr.write(`\r\u001b[K${line()}, ${Math.round((performance.now() - started) / 1_000)} s`)
  }, 1_000)
  try {
    return await promise
  } finally {
    clearInterval(timer)
    eraseProgress(stderr)
  }
}

export async function withTimeout<T>(
  promise: PromiseLike<T>,
  milliseconds: number,
  action: string,
  onTimeout = () => {},
): Promise<T> {
  const end = new AbortController()
  const late = delay(milliseconds, undefined, { signal: end.signal }).then((): never => {
    onTimeout()
    throw new Error(`${action} timed out after ${milliseconds / 1_000} s`)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    end.abort()
  }
}

// --- The terminal ---------------------------------------------------------------------------------------------

const codes = { bold: 1, dim: 2, underline: 4, red: 31, green: 32, yellow: 33, cyan: 36 } as const

/** Functions that colour a text; without colours they return it unchanged. */
export type Style = { readonly [Color in keyof typeof codes]: (text: string) => string }

export type Terminal = ReturnType<typeof terminalOf>

/** The terminal of stdout, with at least 60 columns; a stdout that is not a terminal has 100. */
export function terminalOf({ stdout, env }: Io, mode: 'auto' | 'always' | 'never') {
  /** False for a file, a pipe or a log, whose lines programs search. */
  const isTerminal = stdout.isTTY === true
  const columns = Math.max(60, (isTerminal ? stdout.columns : undefined) ?? 100)
  const { NO_COLOR, FORCE_COLOR = '', CLICOLOR_FORCE = '', TERM } = env
  const isForced = [FORCE_COLOR, CLICOLOR_FORCE].some((value) => value !== '0' && value !== '')
  const isAuto = isForced || (isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb')
  const isColored = mode === 'always' || (mode === 'auto' && isAuto)
  const paint = (code: number) => (text: string) => (isColored ? `\u001b[${code}m${text}\u001b[0m` : text)
  const painters = Object.entries(codes).map(([name, code]) => [name, paint(code)])
  return { style: Object.fromEntries(painters) as Style, isTerminal, columns }
}
