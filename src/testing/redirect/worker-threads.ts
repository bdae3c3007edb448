/** Loads a file in the threads that a program starts, before their own program. */
import Module from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import workerThreads from 'node:worker_threads'
import { wrap } from './wrap.ts'

/** The options of a thread that this module reads or changes. `preload` is an option of Bun. */
interface ThreadOptions {
  readonly env?: unknown
  readonly execArgv?: unknown
  readonly eval?: unknown
  readonly preload?: string | readonly string[]
}

type ThreadClass = new (...given: unknown[]) => object
/** Starts a thread with a program and options. */
type Start = (program: unknown, options: ThreadOptions) => object

/**
 * Replaces the classes of threads.
 *
 * @param file a CommonJS file
 * @param complete adds variables to an environment of its own in the options
 */
export function preloadInThreads(file: string, complete: (options: ThreadOptions) => ThreadOptions): void {
  const { versions } = process
  const startWith = 'bun' in versions ? startInBun : 'deno' in versions ? startInDeno : startInNode
  const replaced = (original: ThreadClass): ThreadClass => {
    const permit = refuseOtherStarts(original)
    return new Proxy(original, {
      construct(target, [program, options], newTarget) {
        const start: Start = (...given) => permit(() => Reflect.construct(target, given, newTarget) as object)
        return startWith(start, program, complete((options ?? {}) as ThreadOptions), file)
      },
    })
  }
  const owners = [workerThreads, globalThis] as unknown as { Worker?: ThreadClass }[]
  for (const owner of owners) if (owner.Worker !== undefined) owner.Worker = replaced(owner.Worker)
  // Node runs all module hooks in one thread, which starts without `--require` and with an environment of its own.
  let hasHooks = false
  wrap(Module, 'register', (register, _module, given) => {
    const { env } = complete({ env: {} })
    const text = `Object.assign(process.env, ${JSON.stringify(env)}); await import(${urlText(file)})`
    if (!hasHooks) register(moduleOf(text).href)
    hasHooks = true
    return register(...given)
  })
}

/** The class of the threads in which Node itself runs module hooks. */
const OWN_THREAD = 'InternalWorker'

/**
 * Makes a class of threads refuse to start any, as a program may have it from before it was replaced.
 *
 * @returns permits one start
 */
function refuseOtherStarts(original: ThreadClass): (start: () => object) => object {
  let isPermitted = false
  const parent = Object.getPrototypeOf(original) as ThreadClass
  // A class calls the constructor of its parent first, which can be replaced. Native classes have none.
  if (typeof parent.prototype === 'object')
    Object.setPrototypeOf(
      original,
      new Proxy(parent, {
        construct(target, given, newTarget) {
          if (isPermitted || newTarget.name === OWN_THREAD) return Reflect.construct(target, given, newTarget)
          throw new Error(
            'commandry refuses a thread whose class "Worker" the program had before commandry/redirect; load that before the program: node --require commandry/redirect, or bun --preload commandry/redirect',
          )
        },
      }),
    )
  return (start) => {
    isPermitted = true
    try {
      return start()
    } finally {
      isPermitted = false
    }
  }
}

/**
 * A thread of Node without options of its own inherits those of its process as they were at its start, and ignores
 * `NODE_OPTIONS`. So it gets the same options again, with the file.
 */
function startInNode(start: Start, program: unknown, options: ThreadOptions, file: string): object {
  const { env, execArgv } = options
  const hasOwnEnvironment = typeof env === 'object' && env !== null && env !== process.env
  // Node reads `NODE_OPTIONS` in an environment of its own, and refuses a wrong list.
  if (execArgv === undefined ? hasOwnEnvironment : !Array.isArray(execArgv)) return start(program, options)
  for (let inherited = (execArgv ?? process.execArgv) as readonly string[]; ;) {
    const added = inherited.includes(file) ? [] : ['--require', file]
    try {
      return start(program, { ...options, execArgv: [...inherited, ...added] })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (execArgv !== undefined || inherited.length === 0 || code !== 'ERR_WORKER_INVALID_EXEC_ARGV')
        throw error
      inherited = withoutRefused(inherited, message)
    }
  }
}

/** The options without those that a thread cannot have, which the message of Node lists; none when it lists no known one. */
function withoutRefused(options: readonly string[], message: string): readonly string[] {
  const [, list = ''] = message.split(/: (.*)/s)
  const refused = list.split(', ')
  const rest = options.filter((each) => !refused.some((one) => one === each || one.startsWith(`${each} `)))
  return rest.length < options.length ? rest : []
}

function startInBun(start: Start, program: unknown, options: ThreadOptions, file: string): object {
  return start(program, { ...options, preload: [file, ...[options.preload ?? []].flat()] })
}

/** Deno has no such option: the thread runs a module that imports the file, and then the program. */
function startInDeno(start: Start, program: unknown, options: ThreadOptions, file: string): object {
  if (options.eval === true) return start(`require(${JSON.stringify(file)});${String(program)}`, options)
  const name = String(program)
  const url = URL.canParse(name) ? JSON.stringify(name) : urlText(resolve(name))
  return start(moduleOf(`import ${urlText(file)}; await import(${url})`), options)
}

/** The URL of a module with this text. */
function moduleOf(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

/** The URL of a file as a literal. */
function urlText(file: string): string {
  return JSON.stringify(pathToFileURL(file).href)
}
