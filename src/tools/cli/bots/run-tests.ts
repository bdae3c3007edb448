/** Runs written tests once: by Node's own runner, in fresh processes, where each file opens its service and starts its bot. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withoutColors } from '../../../core/text.ts'
import { shellLine, startProgram } from '../../../testing/testbed/programs/run-program.ts'
import type { TestFailure } from '../../page/questions/query.ts'
import type { Io } from '../base/io.ts'

/** Milliseconds for one test. A bot that does not log in is reported after 60 seconds. */
const LONGEST = 90_000

/** How a test ended, or its file where that has no test. */
export interface TestResult {
  /** The file as it was given. */
  readonly file: string
  readonly title: string
  /** Null when it passes. */
  readonly failure: TestFailure | null
  /** Whether it has begun: the file was loaded, and the bot has started. */
  readonly hasBegun: boolean
}

/** Prints each result as a line of JSON, with the path of the file. */
const REPORTER = `import { inspect } from 'node:util'
import { pathToFileURL } from 'node:url'
const textOf = (value) => typeof value === 'string' ? value : String(value?.code ?? value?.message ?? inspect(value))
export default async function* (source) {
  let output = ''
  for await (const { type, data } of source) {
    if (type === 'test:stderr') output = (output + data.message).slice(-20_000)
    if (data.nesting !== 0 || (type !== 'test:pass' && type !== 'test:fail')) continue
    const { name: title, file, details } = data
    const { cause, failureType } = details.error ?? {}
    const { message: text = String(cause), actual, expected, stack = '' } = cause ?? {}
    const isCompared = actual !== undefined && expected !== undefined
    const texts = isCompared ? { actual: textOf(actual), expected: textOf(expected) } : { actual: null, expected: null }
    const line = parseInt(stack.split(pathToFileURL(file).href + ':')[1] ?? '0')
    const failure = type === 'test:pass' ? null : { line, text, ...texts, output }
    yield JSON.stringify({ file, title, failure, hasBegun: failureType !== 'hookFailed' }) + '\\n'
    output = ''
  }
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

/**
 * Runs files one after the other.
 *
 * @param files relative to the folder of the command, or absolute
 * @param onResult receives each result as it comes, and a failure of a file that has none; none once it is stopped
 */
export function runTests(io: Io, files: readonly string[], onResult: (result: TestResult) => void, most = 1) {
  const hooks = resolver(pathToFileURL(io.testbed()).href, pathToFileURL(join(io.cwd, 'test.mjs')).href)
  const register = `import { register } from 'node:module'\nregister(${JSON.stringify(moduleOf(hooks))})`
  const options = [`--import=${moduleOf(register)}`, `--test-reporter=${moduleOf(REPORTER)}`]
  // A pattern of files has no backslash.
  const names = files.map((file) => file.replaceAll('\\', '/'))
  const { NODE_TEST_CONTEXT: _, ...env } = io.env
  const open = new Set(files)
  let [line, problem, isStopped] = ['', '', false]
  const report = (result: TestResult) => {
    open.delete(result.file)
    if (!isStopped) onResult(result)
  }
  const program = startProgram(
    shellLine([process.execPath, '--test', '--test-concurrency=1', ...options, ...names]),
    {
      ...{ cwd: io.cwd, env, preloaded: [], limit: io.limits.end },
      onOutput(text, isError) {
        if (isError) return void (problem += text)
        const lines = (line + text).split('\n')
        line = lines.pop()!
        for (const one of lines) report(resultOf(io, files, one))
      },
    },
  )
  const longest = LONGEST * most * files.length
  const timer = setTimeout(() => {
    problem = `it did not end within ${longest / 1_000} seconds`
    void program.stop()
  }, longest)
  const ended = program.ended
    .catch(({ message }: Error) => void (problem = message))
    .then(() => {
      clearTimeout(timer)
      const failure = { ...noFailure, text: problem.trim() }
      for (const file of open) report({ file, title: '', failure, hasBegun: false })
      return program.stop()
    })
  return {
    ended,
    stop() {
      isStopped = true
      return program.stop()
    },
  }
}

export const noFailure: TestFailure = {
  line: 0,
  step: '',
  text: '',
  actual: null,
  expected: null,
  output: '',
}

/** @param line what the reporter prints */
function resultOf({ cwd }: Io, files: readonly string[], line: string): TestResult {
  const { file: path, title, failure, hasBegun } = JSON.parse(line) as TestResult
  const file = files.find((one) => resolve(cwd, one) === path) ?? files[0]!
  const output = withoutColors(failure?.output ?? '').trim()
  // Without a test the runner reports the file, by its name.
  if (resolve(cwd, title) === path) {
    const text = /^\w*Error.*$/m.exec(output)?.[0] ?? 'it has no test'
    return { file, title: '', failure: { ...noFailure, text, output }, hasBegun: false }
  }
  if (failure === null) return { file, title, failure, hasBegun }
  const [head = '', ...rest] = failure.text.split('\n')
  // A list follows.
  const first = head.replace(/(?:; it sent)?:$/, '')
  const compared = differenceIn(failure)
  const text = hasBegun ? (compared ?? first) : `the bot is not ready: ${first}`
  const more = compared === undefined ? [...rest, output].join('\n').trim() : output
  return {
    file,
    title,
    failure: { ...failure, step: stepAt(path, failure.line), text, output: more },
    hasBegun,
  }
}

/** The step that failed: the statements since the last empty line. */
function stepAt(path: string, line: number): string {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, line)
  const step = lines.slice(lines.lastIndexOf('') + 1).filter((one) => one.startsWith('  '))
  return step.map((one) => one.slice(2)).join('\n')
}

/** The first lines that differ; undefined where no texts were compared. */
function differenceIn({ actual, expected }: TestFailure): string | undefined {
  if (actual === null || expected === null) return undefined
  const [got, wanted] = [actual.split('\n'), expected.split('\n')]
  const quoted = (lines: readonly string[], others: readonly string[]) =>
    `“${(lines.find((line, index) => line !== others[index]) ?? '').slice(0, 80)}”`
  return `got ${quoted(got, wanted)}, expected ${quoted(wanted, got)}`
}
