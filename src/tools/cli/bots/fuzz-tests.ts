/** The tests that `commandry fuzz` writes. Each is run once on a fresh bot, where it must fail. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { counted } from '../../../core/text.ts'
import { fuzzTests, type FuzzFailure, type FuzzReport } from '../../../testing/fuzz/fuzz-report.ts'
import { warn, withProgress, type Io } from '../base/io.ts'
import { writeWhole } from '../base/whole-file.ts'
import { OWNER, variablesOf } from './bot-program.ts'
import { namesSecret } from './program-secrets.ts'
import { runTests, type TestResult } from './run-tests.ts'
import type { BotSettings, BotSetup } from './started-bot.ts'

const TESTS_FILE = 'fuzz.test.mjs'
const OPTIONS_FILE = 'fuzz.testbed.json'

const PASSES =
  'It passed on a bot that had just been started, so that it cannot show whether the bot is repaired.'
const NOT_RUN = 'It was not run.'

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
  const file = join(testsFolder, TESTS_FILE)
  const write = async (marks: ReadonlyMap<string, string>) => {
    await writeWhole(join(folder, OPTIONS_FILE), `${JSON.stringify(options, null, 2)}\n`)
    await writeWhole(join(folder, TESTS_FILE), fuzzTests(report, setup, marks))
    return marks
  }
  // What was found must not be lost if a bot does not start.
  let marks = await write(new Map(failures.map(({ test }) => [test, NOT_RUN])))
  if (settings.program.length > 0 && !signal.aborted) {
    const own = { ...io, env: { ...io.env, ...variablesOf(env) } }
    const running = findEmptyTests(own, file, failures, signal)
    marks = await write(await withProgress(io, () => 'running the written tests', running))
  }
  warn(io, `Wrote ${file} and ${OPTIONS_FILE}`)
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

/** Runs the file once, whose tests start a bot each. Returns why a test shows nothing, by its code. */
async function findEmptyTests(
  io: Io,
  file: string,
  failures: readonly FuzzFailure[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const results: TestResult[] = []
  const { ended, stop } = runTests(io, [file], (result) => results.push(result), failures.length)
  signal.addEventListener('abort', () => void stop())
  await ended
  const markOf = (result: TestResult | undefined) => {
    if (result === undefined || !result.hasBegun) return [NOT_RUN, result?.failure?.text].join(' ').trim()
    return result.failure === null ? PASSES : undefined
  }
  return new Map(
    failures.flatMap(({ test: code }, index) => {
      const mark = markOf(results[index])
      return mark === undefined ? [] : [[code, mark] as const]
    }),
  )
}
