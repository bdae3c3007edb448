/** Loads modules, and finds the definitions among their exports. */
import { pathToFileURL } from 'node:url'
import { isObject, type JsonObject } from '../core/json.ts'
import type { Path } from '../core/rule.ts'
import { FileError } from './errors.ts'
import type { Io } from './io.ts'

/** A definition and its path in the file. */
export interface Definition {
  readonly body: unknown
  readonly path: Path
}

/** Loads a module. @throws FileError when it fails, never finishes, or ends the process */
export async function loadModule(io: Io, file: string): Promise<JsonObject> {
  const guard = guardProcess(io.limits.load)
  try {
    return (await Promise.race([io.import(pathToFileURL(file).href), guard.stopped])) as JsonObject
  } catch (error) {
    if (error instanceof FileError) throw error
    throw new FileError(`cannot be loaded: ${loadFailure(error, file)}`, { cause: error })
  } finally {
    guard.release()
  }
}

function loadFailure(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const isTypeScript = /\.[cm]?tsx?$/i.test(file)
  if (isTypeScript && (code === 'ERR_UNKNOWN_FILE_EXTENSION' || error instanceof SyntaxError))
    return 'this version of Node does not load TypeScript; run "npm install --save-dev tsx" and set NODE_OPTIONS="--import tsx"'
  return error.message
}

/**
 * Prevents a module that loads from ending the process, by `process.exit` or an uncaught error, and from writing to
 * stdout. The timer also keeps Node alive while a module awaits a promise that never settles.
 */
function guardProcess(milliseconds: number): { readonly stopped: Promise<never>; release(): void } {
  const { exit } = process
  const { log, info, debug } = console
  let timer: NodeJS.Timeout | undefined
  let fail: (error: unknown) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    fail = reject
    timer = setTimeout(
      () => reject(new FileError(`has not finished loading after ${milliseconds / 1_000} s`)),
      milliseconds,
    )
    process.exit = ((code?: number) => {
      const error = new FileError(`calls process.exit(${code ?? ''}) while it loads`)
      reject(error)
      throw error
    }) as typeof process.exit
  })
  stopped.catch(() => {})
  process.on('uncaughtException', fail)
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  return {
    stopped,
    release() {
      clearTimeout(timer)
      process.off('uncaughtException', fail)
      process.exit = exit
      Object.assign(console, { log, info, debug })
    },
  }
}

// --- Exports --------------------------------------------------------------------------------------------------

/**
 * The definitions that a module exports: its default export, otherwise its named exports. An export is a definition, a
 * builder, an object with `data` and `execute`, or a list, map or object of those.
 *
 * @param module the module's namespace object
 */
export function definitionsIn(module: JsonObject): readonly Definition[] {
  const exported = defaultOf(module)
  if (exported === undefined) return collectNamed(module, []) ?? []
  const isMeant = isObject(exported) && !isHandler(exported)
  return isMeant ? collectMeant(exported, []) : (collect(exported, []) ?? [])
}

/** The default export; compilers to CommonJS put it one level deeper. */
function defaultOf(module: JsonObject): unknown {
  const { default: exported } = module
  if (!isObject(exported) || !('__esModule' in exported)) return exported
  const { default: inner, ...named } = exported
  return inner ?? named
}

/** The definitions in a value; `undefined` when it is not a definition and contains none. */
function collect(value: unknown, path: Path): readonly Definition[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return collectList(value, path)
  if (value instanceof Map || value instanceof Set) return collectList([...value.values()], path)
  const object = value as JsonObject
  if (typeof object.toJSON === 'function') return [{ body: object, path }]
  if ('data' in object && Object.values(object).some((each) => typeof each === 'function'))
    return collectMeant(object.data, [...path, 'data'])
  if (isDefinition(object)) return [{ body: withoutFunctions(object), path }]
  return collectNamed(object, path)
}

function collectList(items: readonly unknown[], path: Path): readonly Definition[] {
  return items.flatMap((item, index) => collectMeant(item, [...path, index]))
}

/** The definitions in a value that is meant as one: validation reports what is wrong with it. */
function collectMeant(value: unknown, path: Path): readonly Definition[] {
  return collect(value, path) ?? [{ body: value, path }]
}

function collectNamed(object: JsonObject, path: Path): readonly Definition[] | undefined {
  if ('data' in object && typeof object.execute === 'function')
    return collectMeant(object.data, [...path, 'data'])
  const found = Object.entries(object).flatMap(([name, value]) =>
    isOtherList(value) ? [] : (collect(value, [...path, name]) ?? []),
  )
  return found.length === 0 ? undefined : found
}

/** A list without definitions, such as the ids of owners. */
function isOtherList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => collect(item, []) === undefined)
}

/** Has a name and a field that only commands have; the event handlers of a bot have a name too. */
function isDefinition(object: JsonObject): boolean {
  return (
    'name' in object &&
    ['description', 'type', 'options'].some((field) => field in object) &&
    !isHandler(object)
  )
}

/** An event handler of a bot: a name and a function, without a description. */
function isHandler(object: JsonObject): boolean {
  return !('description' in object) && Object.values(object).some((value) => typeof value === 'function')
}

/** An object without its functions, as JSON leaves them out. */
function withoutFunctions(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => typeof value !== 'function'))
}
