/** Runs a written test once: a fresh process of Node's own runner, in which the file opens its service and starts its bot. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject, parsedJson } from '../../../core/json.ts'
import { withoutColors } from '../../../core/text.ts'
import { shellLine, startProgram } from '../../../testing/testbed/programs/run-program.ts'
import type { Io } from '../base/io.ts'

/** Milliseconds for one test. A bot that does not log in is reported after 60 seconds. */
const LONGEST = 90_000

/** How a test ended, or the file itself where it could not be loaded. */
export interface TestResult {
  readonly passed: boolean
  /** Whether a hook failed, such as the one that starts the bot. */
  readonly isHook: boolean
  readonly message: string
  /** What an assertion compared; null for other errors. */
  readonly actual: string | null
  readonly expected: string | null
  /** The line of the file at which it failed; 0 where the error has none. */
  readonly line: number
}

export interface TestRun {
  /** In the order of the file. */
  readonly tests: readonly TestResult[]
  /** Why no test has ended; empty when one has. */
  readonly problem: string
  /** What the bots and the tests wrote last to stderr. */
  readonly output: string
  /** Whether it was stopped before its end. */
  readonly isStopped: boolean
}

/** Prints the results of Node's runner, as one line of JSON. */
const REPORTER = `import { inspect } from 'node:util'
const textOf = (value) => typeof value === 'string' ? value : String(value?.code ?? value?.message ?? inspect(value))
export default async function* (source) {
  const tests = []
  let output = ''
  for await (const { type, data } of source) {
    if (type === 'test:stderr') output = (output + data.message).slice(-20_000)
    if (data.nesting !== 0 || (type !== 'test:pass' && type !== 'test:fail')) continue
    const { cause, failureType } = data.details.error ?? {}
    const { message = String(cause), actual, expected, stack = '' } = cause ?? {}
    const isCompared = actual !== undefined && expected !== undefined
    const texts = isCompared ? { actual: textOf(actual), expected: textOf(expected) } : { actual: null, expected: null }
    tests.push({ title: data.name, passed: type === 'test:pass', isHook: failureType === 'hookFailed', message, stack, ...texts })
  }
  yield JSON.stringify({ tests, output })
}`

/** The tests that \`fuzz\` writes are for Vitest, of which they use no more than this. */
const VITEST = `import assert from 'node:assert/strict'
import * as runner from 'node:test'
export const { test } = runner
export const beforeEach = (hook) => runner.beforeEach(hook)
export const afterEach = (hook) => runner.afterEach(hook)
const fields = (object, like) => Object.fromEntries(Object.keys(like).map((key) => [key, object[key]]))
export const expect = (actual) => ({
  toEqual: (expected) => assert.deepEqual(actual, expected),
  toMatchObject: (expected) => assert.deepEqual(fields(actual, expected), expected),
  toContain: (expected) => assert.ok(actual.includes(expected)),
})`

/** The package of this service stands in for one that is not installed beside the file. */
const resolver = (testbed: string, folder: string) => `export async function resolve(name, context, next) {
  if (name === 'vitest') return { url: ${JSON.stringify(moduleOf(VITEST))}, shortCircuit: true }
  try {
    return await next(name, context)
  } catch (error) {
    if (name === 'commandry/testbed') return next(${JSON.stringify(testbed)}, context)
    if (name === 'ws') return next(name, { ...context, parentURL: ${JSON.stringify(folder)} })
    throw error
  }
}`

const moduleOf = (code: string) => `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`

/** @param file relative to the folder of the command, or absolute. @param tests how many the file has at most */
export function runTests(
  io: Io,
  file: string,
  tests = 1,
): { readonly ended: Promise<TestRun>; stop(): Promise<void> } {
  const hooks = resolver(pathToFileURL(io.testbed()).href, pathToFileURL(join(io.cwd, 'test.mjs')).href)
  const register = `import { register } from 'node:module'\nregister(${JSON.stringify(moduleOf(hooks))})`
  const options = [`--import=${moduleOf(register)}`, `--test-reporter=${moduleOf(REPORTER)}`]
  // A pattern of files has no backslash.
  const words = [process.execPath, '--test', ...options, file.replaceAll('\\', '/')]
  // A test that runs "serve" is no reason to leave out the tests that it runs.
  const { NODE_TEST_CONTEXT: _, ...env } = io.env
  let [out, problem, isStopped] = ['', '', false]
  const program = startProgram(shellLine(words), {
    ...{ cwd: io.cwd, env, preloaded: [], limit: io.limits.end },
    onOutput: (text, isError) => void (isError || (out += text)),
  })
  const longest = LONGEST * tests
  const timer = setTimeout(() => {
    problem = `it did not end within ${longest / 1_000} seconds`
    void program.stop()
  }, longest)
  const stop = () => {
    isStopped = true
    return program.stop()
  }
  const ended = program.ended.then(
    () => ({ isStopped, ...readRun(resolve(io.cwd, file), out, problem || program.lines()) }),
    (error: Error) => ({ isStopped, tests: [], output: '', problem: error.message }),
  )
  return {
    ended: ended.finally(() => {
      clearTimeout(timer)
      void program.stop()
    }),
    stop,
  }
}

/** @param problem why there is no report */
function readRun(path: string, report: string, problem: string): Omit<TestRun, 'isStopped'> {
  const value = parsedJson(report)
  if (!isObject(value) || !Array.isArray(value.tests)) return { tests: [], output: '', problem }
  const output = withoutColors(String(value.output)).trimEnd()
  const all: readonly (Omit<TestResult, 'line'> & { readonly title: string; readonly stack: string })[] =
    value.tests
  // Without a test the runner reports the file, by its name.
  const tests = all.filter(({ title }) => resolve(title) !== path)
  const reason = /^\w*Error.*$/m.exec(output)?.[0] ?? 'it has no test'
  return {
    tests: tests.map(({ title: _, stack, ...test }) => ({ ...test, line: lineIn(stack, path) })),
    problem: tests.length === 0 ? reason : '',
    output,
  }
}

/** The first line of a stack that is in a file. */
function lineIn(stack: string, path: string): number {
  const [, place] = stack.split(`${pathToFileURL(path).href}:`, 2)
  return Number.parseInt(place ?? '0', 10)
}
