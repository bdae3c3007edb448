/** The worker thread that loads modules: it imports each file, and sends what it exports. */
import fs from 'node:fs'
import Module, { createRequire, syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { JsonObject } from '../../../core/json.ts'
import { printable, withoutColors } from '../../../core/text.ts'
import { registerCompiler } from './compiler.ts'
import { definitionsOfModule, Known, type Exported, type FieldNames } from './module-exports.ts'
import { refuseRemoteConnections } from '../../../testing/redirect/guard.ts'
import { wrap } from '../../../testing/redirect/wrap.ts'
import type { FileFault } from '../../authoring/findings.ts'
import { framesOf, loadFailure } from './load-failure.ts'
import { plainFailure } from './plain-failure.ts'
import { placeholderToken } from '../../../service/http/placeholder-token.ts'
import {
  applicationIn,
  idVariables,
  serverIn,
  tokenVariables,
} from '../../../testing/testbed/programs/placeholders.ts'

export interface LoadRequest {
  /** The real paths of the modules. */
  readonly files: readonly string[]
  /** Those that are given by name, or have a name of commands. */
  readonly commandFiles: readonly string[]
  /** The folder to which messages shorten paths. */
  readonly cwd: string
  readonly fields: FieldNames
}

/** What became of a module; empty until it is loaded. */
export interface LoadedModule {
  readonly exported?: Exported
  readonly failure?: FileFault
  /** The host of another machine to which it connected while it loaded; then it has no failure. */
  readonly host?: string
}

/** What the worker sends: the file that it begins, what it finds out about a file, or that it has loaded them all. */
export type LoadMessage = { readonly file: string; readonly found?: LoadedModule } | 'done'

const { files, commandFiles, cwd, fields } = workerData as LoadRequest
let current = ''
/** Ends the wait for the current file. */
let stop: (failure: FileFault) => void = () => {}
/** Whether `require` loads TypeScript with the compiler of the project. */
let isCompiled = false
/** The last line that a module wrote, which mostly says why it gave up. */
let lastOutput = ''

async function loadAll(): Promise<void> {
  // Keeps the thread alive while a module awaits what never comes; the main thread ends it.
  parentPort!.on('message', () => {})
  // Builders and clients are many calls away from the line that uses them.
  Error.stackTraceLimit = 50
  keepOutput()
  withoutValidators()
  watchProcess()
  refuseRemoteConnections((destination) =>
    send({ file: fileOf(new Error()), found: { host: destination.replace(/:443$/, '') } }),
  )
  completeEnvironment()
  await loadTypeScript()
  polyfillMetadata()
  const known = new Known(fields)
  for (const file of files) {
    current = file
    lastOutput = ''
    send({ file })
    await load(file, known)
    // Rejections that nothing handles arrive a turn later.
    await turn()
  }
  await turn()
  send('done')
}

function send(message: LoadMessage): void {
  parentPort!.postMessage(message)
}

async function load(file: string, known: Known): Promise<void> {
  const stopped = new Promise<LoadedModule>((resolve) => (stop = (failure) => resolve({ failure })))
  const loaded = importFile(file).then(
    (module) => ({ exported: definitionsOfModule(module, known, commandFiles.includes(file)) }),
    (error: unknown) => ({ failure: loadFailure(error, file, cwd) }),
  )
  send({ file, found: await Promise.race([stopped, loaded]) })
}

/** A module as Node imports it. */
async function importFile(file: string): Promise<JsonObject> {
  const { href } = pathToFileURL(file)
  const require = createRequire(file)
  if (isCompiled && TYPESCRIPT.test(file)) return { default: require(file) as unknown }
  try {
    return (await import(href)) as JsonObject
  } catch (error) {
    // Loaders that only know CommonJS, such as ts-node.
    // A module may throw anything, such as null.
    const { code } = (error ?? {}) as NodeJS.ErrnoException
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && '.ts' in require.extensions)
      return { default: require(file) as unknown }
    // An ES module has builders of its own: switch their validators off and try again.
    const own = framesOf(error).find((frame) => BUILDERS.test(frame.file))
    if (own === undefined) throw error
    disableValidators(await import(pathToFileURL(own.file).href))
    return (await import(`${href}?again`)) as JsonObject
  }
}

const TYPESCRIPT = /\.[cm]?tsx?$/i
const BUILDERS = /[\\/]@discordjs[\\/]builders[\\/]/

// --- The surroundings of the modules ----------------------------------------------------------------------------

/**
 * Switches off the validators of builders as soon as they are loaded: they throw at the first mistake, without the name
 * of the command.
 */
function withoutValidators(): void {
  wrap(Module, '_load', (load, _module, given) => {
    const exported = load(...given)
    const request = String(given[0])
    if (request === '@discordjs/builders' || BUILDERS.test(request)) disableValidators(exported)
    return exported
  })
}

function disableValidators(exported: unknown): void {
  const { disableValidators: disable } = (exported ?? {}) as { disableValidators?: unknown }
  if (typeof disable === 'function') disable()
}

/**
 * Sets the variables that the entry of a program reads from `.env`, and missing ids. Tokens are placeholders: definitions need
 * none, and what modules throw and write is printed.
 */
function completeEnvironment(): void {
  for (let folder = dirname(files[0]!); ; folder = dirname(folder)) {
    try {
      process.loadEnvFile?.(join(folder, '.env'))
    } catch {
      // It does not exist here.
    }
    if (folder === cwd || folder === dirname(folder)) break
  }
  const application = applicationIn(process.env)
  const ids = idVariables(application, serverIn(process.env), '0'.repeat(64))
  // Copies of an example have the names alone.
  for (const [name, value] of Object.entries(ids)) process.env[name] ||= value
  Object.assign(process.env, tokenVariables(placeholderToken(application)))
  delete process.env.COMMANDRY_TOKEN
}

/** Registers the project's own tsx or compiler, unless a loader of the command line reads TypeScript already. */
async function loadTypeScript(): Promise<void> {
  const file = files.find((each) => TYPESCRIPT.test(each))
  if (
    file === undefined ||
    /\b(?:tsx|ts-node|swc|jiti)\b/.test(`${process.execArgv} ${process.env.NODE_OPTIONS}`)
  )
    return
  let isRegistered = false
  for (const api of ['tsx/cjs/api', 'tsx/esm/api']) {
    try {
      // Of some versions of tsx, the CommonJS build does not find its own files.
      const path = createRequire(file)
        .resolve(api)
        .replace(/\.cjs$/, '.mjs')
      const { register } = (await import(pathToFileURL(path).href)) as { register(): unknown }
      register()
      isRegistered = true
    } catch {
      // Without tsx and a compiler, each file fails with a message that says so.
    }
  }
  if (!isRegistered) isCompiled = registerCompiler(file)
}

/** Loads what decorators need, as the entry of a program does before all else. */
function polyfillMetadata(): void {
  try {
    createRequire(files[0]!)('reflect-metadata')
  } catch {
    // The project has none.
  }
}

/** Keeps what modules write out of the results. */
function keepOutput(): void {
  const keep = (text: unknown) => {
    const line = withoutColors(String(text)).trim().split('\n').at(-1)!
    if (line !== '') lastOutput = printable(line, 200)
  }
  const write = (text: unknown, ...rest: unknown[]) => {
    keep(text)
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
  process.stdout.write = write
  process.stderr.write = write
  // Some loggers write to the file descriptors.
  const isOutput = (fd: unknown) => fd === 1 || fd === 2
  wrap(fs, 'writeSync', (writeSync, _fs, given) => {
    const [fd, text] = given
    if (!isOutput(fd)) return writeSync(...given)
    keep(text)
    return Buffer.byteLength(String(text))
  })
  wrap(fs, 'write', (writeLater, _fs, given) => {
    const [fd, text] = given
    if (!isOutput(fd)) return writeLater(...given)
    keep(text)
    const done = given.at(-1)
    if (typeof done === 'function') process.nextTick(done, null, Buffer.byteLength(String(text)), text)
  })
  syncBuiltinESMExports()
}

/** Reports what happens beside the loading, also after it. */
function watchProcess(): void {
  process.exit = ((code?: number) => {
    const last = lastOutput === '' ? '' : `, after it wrote "${lastOutput}"`
    stop(plainFailure(`calls process.exit(${code ?? ''}) while it loads${last}`))
    throw new Error('process.exit() while a module is loaded')
  }) as typeof process.exit
  const fail = (error: unknown) => {
    const file = fileOf(error)
    const failure = loadFailure(error, file, cwd)
    if (file === current) stop(failure)
    send({ file, found: { failure } })
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}

function fileOf(error: unknown): string {
  return framesOf(error).find(({ file }) => files.includes(file))?.file ?? current
}

await loadAll()
