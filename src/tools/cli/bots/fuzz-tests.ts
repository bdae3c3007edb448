/** The tests that `commandry fuzz` writes. Each is run once on a fresh bot, where it must fail. */
import { deepStrictEqual } from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { counted } from '../../../core/text.ts'
import { fuzzTests, type FuzzFailure, type FuzzReport } from '../../../testing/fuzz/fuzz-report.ts'
import type { Testbed } from '../../../testing/testbed/bed.ts'
import { warn, withProgress, type Io } from '../base/io.ts'
import { writeWhole } from '../base/whole-file.ts'
import { NotStarted, OWNER, variablesOf } from './bot-program.ts'
import { namesSecret } from './program-secrets.ts'
import { withBot, type BotSettings, type BotSetup } from './started-bot.ts'

const TESTS_FILE = 'fuzz.test.mjs'
const OPTIONS_FILE = 'fuzz.testbed.json'

const PASSES =
  'It passed on a bot that had just been started, so that it cannot show whether the bot is repaired.'

/**
 * Writes a test for each failure, which opens the same testbed and starts the same bot. A test that does not fail is
 * marked.
 *
 * @param signal when it is aborted, the tests are not run
 */
export async function writeTests(
  io: Io,
  testsFolder: string,
  report: FuzzReport,
  { options, program, hasCommands }: BotSetup,
  settings: BotSettings,
  signal: AbortSignal,
): Promise<void> {
  const { failures } = report
  const { env, say } = settings
  if (failures.length === 0) return
  const folder = resolve(io.cwd, testsFolder)
  const variables = Object.entries(variablesOf(env))
  const secrets = variables.flatMap(([name]) => (namesSecret(name) ? [name] : []))
  const setup = {
    ...{ optionsFile: OPTIONS_FILE, isFresh: true },
    ...(options.endpoint !== undefined && { endpoint: String(options.endpoint) }),
    ...(program !== '' && { program }),
    // A file of tests is committed.
    environment: Object.fromEntries(variables.filter(([name]) => !secrets.includes(name))),
    ...(secrets.length > 0 && { secrets }),
    started: say.map((text) => `await bed.as('${OWNER}').say(${JSON.stringify(text)})`),
    ...(!hasCommands && { deployed: rootOf(failures[0]!) }),
  }
  await mkdir(folder, { recursive: true })
  const marks = new Map(failures.map(({ test }) => [test, 'It was not run.']))
  const write = async () => {
    await writeWhole(join(folder, OPTIONS_FILE), `${JSON.stringify(options, null, 2)}\n`)
    await writeWhole(join(folder, TESTS_FILE), fuzzTests(report, setup, marks))
  }
  // What was found must not be lost if a bot does not start.
  await write()
  const canRun = settings.program.length > 0 && !signal.aborted
  if (canRun) await withProgress(io, () => 'running the written tests', runTests(io, settings, marks))
  await write()
  warn(io, `Wrote ${join(testsFolder, TESTS_FILE)} and ${OPTIONS_FILE}`)
  const passing = [...marks.values()].filter((mark) => mark === PASSES).length
  if (passing > 0)
    warn(
      io,
      `${passing} of ${counted(failures.length, 'test')} did not fail on a fresh bot; a comment says so`,
    )
}

/** The default name of the command of a failure. */
function rootOf({ command }: FuzzFailure): string {
  return command.startsWith('/') ? command.slice(1).split(' ', 1)[0]! : command
}

/** Runs each test with a bot of its own. @param marks why a test did not fail, by its code */
async function runTests(io: Io, settings: BotSettings, marks: Map<string, string>): Promise<void> {
  // The run has shown all warnings.
  const silent = { ...io, stderr: new Writable({ write: (_, __, done) => done() }) }
  for (const test of marks.keys())
    try {
      if (await withBot(silent, settings, ({ bed }) => passes(bed, test))) marks.set(test, PASSES)
      else marks.delete(test)
    } catch (error) {
      if (!(error instanceof NotStarted)) throw error
      marks.set(test, 'It was not run: the bot did not start again.')
    }
}

/** Whether a test passes with a bot. @param code calls `test`, and uses `bed` and `expect` */
async function passes(bed: Testbed, code: string): Promise<boolean> {
  const bodies: (() => Promise<void>)[] = []
  const test = (_title: string, body: () => Promise<void>) => bodies.push(body)
  new Function('bed', 'expect', 'test', code)(bed, expectation, test)
  try {
    for (const body of bodies) await body()
    return true
  } catch {
    return false
  }
}

/** What the written tests use of `expect`. */
function expectation(actual: unknown) {
  return {
    toEqual: (expected: unknown) => deepStrictEqual(actual, expected),
    toMatchObject(expected: object) {
      const some = Object.keys(expected).map((key) => [
        key,
        (actual as Readonly<Record<string, unknown>>)[key],
      ])
      deepStrictEqual(Object.fromEntries(some), expected)
    },
  }
}
