/** Plays one scene: its file runs as the test that it is, in a process with a service and a bot of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { isObject, parsedJson } from '../../../core/json.ts'
import { withoutColors } from '../../../core/text.ts'
import type { Io } from '../base/io.ts'

/** Milliseconds that a scene may play. */
export const LONGEST = 60_000
/** Characters of the output that are kept. */
const KEPT = 20_000
/** The beginning of a line of the reporter, which the test does not print itself. */
const MARK = '@commandry-scene '

/** How a test ended. */
export interface PlayedTest {
  /** Whether a hook failed, such as the one that starts the bot. */
  readonly isHook: boolean
  readonly message: string
  readonly code: string
  /** What an assertion got and expected; undefined for other errors. */
  readonly actual: unknown
  readonly expected: unknown
  readonly stack: string
}

export interface Played {
  /** The first test that failed; undefined when none did. */
  readonly failure: PlayedTest | undefined
  /** The tests that ended. */
  readonly tests: number
  readonly isLate: boolean
  /** Whether it was stopped before its end. */
  readonly isStopped: boolean
  /** What the bot and the test wrote last to stderr. */
  readonly output: string
}

const REPORTER = `export default async function* (source) {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { cause, failureType } = data.details.error ?? {}
    const { message = String(cause), code, actual, expected, stack } = cause ?? {}
    yield '\\n${MARK}' + JSON.stringify({ type, failureType, message, code, actual, expected, stack }) + '\\n'
  }
}`

/** The package of this service stands in for one that is not installed beside the scene. */
const resolver = (testbed: string, folder: string) => `export async function resolve(name, context, next) {
  try {
    return await next(name, context)
  } catch (error) {
    if (name === 'commandry/testbed') return next(${JSON.stringify(testbed)}, context)
    if (name === 'ws') return next(name, { ...context, parentURL: ${JSON.stringify(folder)} })
    throw error
  }
}`

const moduleOf = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`

/** @param file relative to the folder of the service */
export function playScene(io: Io, file: string): { readonly played: Promise<Played>; stop(): Promise<void> } {
  const hooks = resolver(pathToFileURL(io.testbed()).href, pathToFileURL(join(io.cwd, 'scene.mjs')).href)
  const register = `import { register } from 'node:module'\nregister(${JSON.stringify(moduleOf(hooks))})`
  const args = ['--import', moduleOf(register), '--test-reporter', moduleOf(REPORTER), file]
  const { NODE_TEST_CONTEXT: _, ...env } = io.env
  const child = spawn(process.execPath, args, { cwd: io.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, output, isLate, isStopped] = ['', '', false, false]
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out = (out + text).slice(-10 * KEPT)))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-KEPT)))
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', () => resolve(''))
  })
  // On SIGTERM the testbed ends the bot, whose group no other signal would reach.
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), io.limits.end)
    // A program that left the group may keep the output open.
    await Promise.race([ended, delay(2 * io.limits.end)])
    clearTimeout(late)
  }
  const onExit = () => child.kill('SIGTERM')
  process.once('exit', onExit)
  const timer = setTimeout(() => {
    isLate = true
    void stop()
  }, LONGEST)
  const played = ended.then((problem): Played => {
    clearTimeout(timer)
    process.off('exit', onExit)
    const tests = out.split('\n').flatMap((line) => reportIn(line))
    const failure = tests.find(({ isFailed }) => isFailed)?.test
    return { failure, tests: tests.length, isLate, isStopped, output: withoutColors(output + problem) }
  })
  return {
    played,
    stop() {
      isStopped = true
      return stop()
    },
  }
}

function reportIn(line: string): readonly { readonly isFailed: boolean; readonly test: PlayedTest }[] {
  const value = line.startsWith(MARK) ? parsedJson(line.slice(MARK.length)) : undefined
  if (!isObject(value)) return []
  const { type, failureType, message, code, stack, actual, expected } = value
  const isHook = failureType === 'hookFailed'
  const texts = { message: String(message), code: String(code ?? ''), stack: String(stack ?? '') }
  return [{ isFailed: type === 'test:fail', test: { isHook, ...texts, actual, expected } }]
}
