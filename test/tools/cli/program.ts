import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { build } from 'tsup'
import { expect, onTestFinished } from 'vitest'
import type { Io, IoLimits } from '../../../src/tools/cli/base/io.ts'
import { main } from '../../../src/tools/cli/main.ts'
import { pagePlugin } from '../../package/page.mjs'
import { installed } from '../../support/installed.ts'
import { buildProgram as buildFile } from '../../support/programs.ts'
import { buildRedirect } from '../../support/redirect.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const outDir = join(root, `node_modules/.cache/commandry/cli-${process.pid}`)

/** Builds the program as the package does, in a folder of its own, and returns its path. */
export async function buildProgram(): Promise<string> {
  await build({
    entry: { cli: join(root, 'src/cli.ts'), loader: join(root, 'src/tools/cli/definitions/loader.ts') },
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    outDir: join(outDir, 'node'),
    config: false,
    silent: true,
    esbuildPlugins: [pagePlugin],
  })
  buildRedirect(outDir)
  // Programs that it starts load the clock.
  buildSync({
    entryPoints: [join(root, 'src/clock.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: join(outDir, 'cjs/clock.cjs'),
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: `const moduleUrl = require('node:url').pathToFileURL(__filename)` },
  })
  return join(outDir, 'node/cli.js')
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  /** Resolves with stdout once it has a whole line, or the program has exited. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<Ended>
}

/** Starts the program with arguments and additional environment variables. */
export function start(
  program: string,
  args: readonly string[],
  cwd = root,
  more: Readonly<Record<string, string>> = {},
): Running {
  // Node 22 prints a warning about its experimental SQLite to stderr.
  const env = { ...process.env, NODE_NO_WARNINGS: '1', ...more }
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  const ended = new Promise<Ended>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk))
    child.on('close', (code) => resolve({ code, out, err }))
  })
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk
      if (out.includes('\n')) resolve(out)
    })
    void ended.then(() => resolve(out))
  })
  return { child, firstLine, ended }
}

/** Writes files into a new directory, which is removed after the test. Returns its path. */
export async function directoryOf(contents: Readonly<Record<string, unknown>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'commandry-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(contents)) {
    const file = join(directory, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return directory
}

const [major = 0] = process.versions.node.split('.').map(Number)

/** The drivers of SQLite that this version of Node needs. */
export const sqliteDrivers: readonly string[] = major >= 22 ? [] : ['better-sqlite3']

/** Writes files into a new directory with some drivers installed. */
export async function withDrivers(
  contents: Readonly<Record<string, unknown>>,
  ...drivers: readonly string[]
): Promise<string> {
  const directory = await directoryOf(contents)
  await mkdir(join(directory, 'node_modules'))
  for (const driver of drivers) await symlink(installed(driver), join(directory, 'node_modules', driver))
  return directory
}

// A plain module, because the test runner transforms the imports of a test.
const nativeImport = createRequire(import.meta.url)('./definitions/native-import.cjs') as (
  url: string,
) => Promise<object>

/** Imports modules by their URL. No package is installed beside the program. */
async function importUrl(specifier: string): Promise<object> {
  if (/^(?:file|node):/.test(specifier)) return nativeImport(specifier)
  throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' })
}

let loader: URL | undefined

/** The worker thread that loads modules: Node cannot run it from its source. Built once. */
function builtLoader(): URL {
  if (loader !== undefined) return loader
  const outfile = join(outDir, 'node/loader.mjs')
  buildSync({
    entryPoints: [join(root, 'src/tools/cli/definitions/loader.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  })
  buildRedirect(outDir)
  return (loader = pathToFileURL(outfile))
}

/** The files of the package that other programs load, for those that start some. Built once. */
export async function builtPackage(): Promise<Pick<Io, 'redirect' | 'clock' | 'testbed'>> {
  const builtFile = (name: string) => buildFile(join(root, `src/${name}.ts`), join(outDir, `cjs/${name}.cjs`))
  const [clock, testbed] = await Promise.all(['clock', 'testbed'].map(builtFile))
  const { required } = buildRedirect(outDir)
  return { redirect: () => required, clock: () => clock!, testbed: () => testbed! }
}

/** Short time limits, for tests that wait for one. */
const limits: IoLimits = {
  connect: 300,
  query: 300,
  busy: 100,
  load: 20_000,
  poll: 20,
  response: 4 * 1024 * 1024,
  quiet: 5_000,
  run: 20_000,
  retry: 1,
  end: 300,
}

/** A stream that keeps what is written to it. */
class Captured extends Writable {
  text = ''
  readonly watchers = new Set<() => void>()

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString()
    for (const watcher of this.watchers) watcher()
    done()
  }
}

/** A command that runs in this process. */
export interface Called extends Promise<Ended> {
  /** Resolves with the first whole line on stdout, or with all of it once the command has ended. */
  readonly firstLine: Promise<string>
  /** Resolves with the output once it contains a text. */
  lineWith(text: string): Promise<string>
  /** Ends the command as a signal does. */
  interrupt(): void
}

export interface CallOptions extends Partial<Omit<Io, 'limits' | 'stdin'>> {
  readonly limits?: Partial<IoLimits>
  /** The content of stdin. */
  readonly stdin?: string
}

/** Runs the program in this process. Its streams are captured, so nothing is printed. */
export function call(args: readonly string[], options: CallOptions = {}): Called {
  const [stdout, stderr] = [new Captured(), new Captured()]
  let interrupt = () => {}
  const interruption = new Promise<void>((resolve) => (interrupt = resolve))
  const io: Io = {
    cwd: root,
    env: {},
    stdout,
    stderr,
    import: importUrl,
    interrupted: () => interruption,
    ask: async () => null,
    loader: builtLoader(),
    // A module without an effect: `redirect` has tests of its own.
    redirect: () => join(root, 'test/tools/cli/definitions/native-import.cjs'),
    clock: () => join(root, 'test/tools/cli/definitions/native-import.cjs'),
    testbed: () => join(root, 'test/tools/cli/definitions/native-import.cjs'),
    docs: () => join(root, 'docs'),
    ...options,
    stdin: Readable.from([options.stdin ?? '']),
    limits: { ...limits, ...options.limits },
  }
  const ended = main(args, io).then((code) => ({ code, out: stdout.text, err: stderr.text }))
  const lineWith = (text: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (stdout.text.includes(text)) resolve(stdout.text)
      }
      stdout.watchers.add(look)
      look()
      void ended.then(({ out }) => resolve(out))
    })
  return Object.assign(ended, { firstLine: lineWith('\n'), lineWith, interrupt })
}

/** Runs `commandry check` in a folder. */
export const check = (cwd: string, args: readonly string[], options: CallOptions = {}) =>
  call(['check', ...args], { cwd, ...options })

/** Runs `commandry serve` on a free port, until the test ends; `url` is the address of the API. */
export async function serveOnFreePort(
  args: readonly string[],
  cwd?: string,
  options: CallOptions = {},
): Promise<{ readonly called: Called; readonly url: string; readonly origin: string }> {
  const called = call(['serve', '--port', '0', ...args], { ...options, ...(cwd !== undefined && { cwd }) })
  onTestFinished(async () => {
    called.interrupt()
    await called
  })
  const url = /^API {8}(http:\/\/127\.0\.0\.1:\d+\/api\/v10)$/m.exec(await called.lineWith('/api/v10\n'))?.[1]
  if (url === undefined) expect.fail(`no URL in ${JSON.stringify(await called)}`)
  return { called, url, origin: new URL(url).origin }
}

/** An end with a code, whose output contains a text or matches an expression. */
export function ending(code: number, out: string | RegExp): Partial<Ended> {
  return { code, out: typeof out === 'string' ? expect.stringContaining(out) : expect.stringMatching(out) }
}

/** The same about stderr. */
export function failing(code: number, err: string | RegExp): Partial<Ended> {
  return { code, err: ending(code, err).out! }
}

/** The end of a command that only prints why it failed. */
export function failed(err: string): Ended {
  return { code: 1, out: '', err: `${err}\n` }
}
