/** The streams, folder, environment, signals and time limits that commands use. */
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** Time limits in milliseconds, and the limit of a response in bytes. */
export interface IoLimits {
  /** Until a database server accepts a connection. */
  readonly connect: number
  /** Until a database server responds to a query. */
  readonly query: number
  /** How long SQLite waits for another process to finish writing. */
  readonly busy: number
  /** Until a module has loaded. */
  readonly load: number
  /** Between two checks of watched files. */
  readonly poll: number
  /** Bytes of one HTTP response. */
  readonly response: number
  /** Until a program of `--run` that has deployed and sends no more requests is stopped. */
  readonly quiet: number
  /** Until a program of `--run` is stopped in any case. */
  readonly run: number
  /** How long a program of `--run` may take to end. */
  readonly end: number
}

const defaultLimits: IoLimits = {
  connect: 5_000,
  query: 10_000,
  busy: 5_000,
  load: 10_000,
  poll: 300,
  response: 128 * 1024 * 1024,
  quiet: 2_000,
  run: 120_000,
  end: 2_000,
}

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
  /** Resolves on SIGINT and SIGTERM. */
  interrupted(): Promise<void>
}

/** Writes a result. */
export function print(io: Io, text: string): void {
  io.stdout.write(`${text}\n`)
}

/** Writes a message for the user. */
export function warn(io: Io, text: string): void {
  io.stderr.write(`${text}\n`)
}

/** A promise during which a terminal shows a line with the seconds, from the first second on. */
export async function withProgress<T>({ stderr }: Io, line: () => string, promise: Promise<T>): Promise<T> {
  if (stderr.isTTY !== true) return promise
  const started = performance.now()
  const timer = setInterval(() => {
    stderr.write(`\r\u001b[K${line()}, ${Math.round((performance.now() - started) / 1_000)} s`)
  }, 1_000)
  try {
    return await promise
  } finally {
    clearInterval(timer)
    if (performance.now() - started > 1_000) stderr.write('\r\u001b[K')
  }
}

/** The result of a promise, or an error after some milliseconds. */
export async function withTimeout<T>(
  promise: PromiseLike<T>,
  milliseconds: number,
  action: string,
  onTimeout = () => {},
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onTimeout()
      reject(new Error(`${action} timed out after ${milliseconds / 1_000} s`))
    }, milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The streams, environment and signals of this process. */
export function processIo(): Io {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    limits: defaultLimits,
    import: (specifier) => import(specifier),
    ask,
    loader: new URL('./loader.js', import.meta.url),
    redirect: () => createRequire(import.meta.url).resolve('commandry/redirect'),
    interrupted,
  }
}

async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

/** The first signal ends the program cleanly. A second one ends it at once: Node's default is restored. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      process.off('SIGINT', end).off('SIGTERM', end)
      resolve()
    }
    process.on('SIGINT', end).on('SIGTERM', end)
  })
}
