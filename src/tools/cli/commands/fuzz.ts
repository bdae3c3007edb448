/** `commandry fuzz`: starts a bot, uses all of its commands, and prints the faults. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject } from '../../../core/json.ts'
import { chanceBelow } from '../../../core/random.ts'
import { listed } from '../../../core/text.ts'
import { coverageText, type BotCoverage } from '../../../testing/coverage/coverage.ts'
import type { FuzzedStep } from '../../../testing/fuzz/fuzz-options.ts'
import { notSeenLines } from '../../../model/not-seen.ts'
import { fuzzText, type FuzzReport } from '../../../testing/fuzz/fuzz-report.ts'
import {
  accessBeyond,
  accessText,
  neededIn,
  type BotAccess,
  type KnownAccess,
} from '../../../testing/testbed/stage/bot-access.ts'
import { command, count, flag, list, wordOf, option, optionWith, type Values } from '../base/cli-command.ts'
import { NotStarted } from '../bots/bot-program.ts'
import { compareDays, daysText } from '../bots/compare-days.ts'
import {
  ALL_BUT_ADMINISTRATOR,
  botOptions,
  duration,
  fuzzed,
  withBot,
  type StartedBot,
} from '../bots/started-bot.ts'
import { writeTests } from '../bots/fuzz-tests.ts'
import { dayOrTwo } from '../base/day.ts'
import { CommandError, usageError } from '../base/errors.ts'
import { print, terminalOf, warn, type Io } from '../base/io.ts'
import { format, githubProperty, githubText, isAnnotating } from '../base/format-findings.ts'
import { loadJson } from '../base/text-file.ts'
import { writeNew } from '../base/whole-file.ts'

const options = {
  runs: optionWith('NUMBER', 'the uses of each command and subcommand (60)', '60', count),
  seed: option('NUMBER', 'repeats a run (by chance)', count),
  time: option('DURATION', 'ends after that time, such as 60s', duration),
  people: optionWith(
    '1|2',
    'with 2, two people also use each command and button at once (1)',
    '1',
    (text, name) => (wordOf('1', '2')(text, name) === '2' ? 2 : 1),
  ),
  installed: option(
    'server|user',
    'the app only in the server, or only of the user (both)',
    wordOf('server', 'user'),
  ),
  only: list('COMMAND', 'only this command, such as /ban or "/note add"; may be repeated'),
  patience: optionWith('DURATION', 'how long a deferred answer may take (15s)', '15s', duration),
  ...botOptions,
  discord: option(
    'DAY',
    'Discord as of that day, such as 2026-11-15 (today); with 2026-11-15..2026-11-16, what differs between them',
    dayOrTwo,
  ),
  access: flag(
    'also print which permissions, intents and scopes the bot needs, and the smallest install link',
  ),
  'access-file': option(
    'FILE',
    'also fail if the bot needs more than in FILE; writes FILE if it does not exist',
  ),
  coverage: flag('also print what was used of each command, by whom and where'),
  format,
  'write-tests': option('DIR', 'write a test for each failure into DIR/fuzz.test.mjs, for vitest'),
}

export default command({
  help: [
    `Examples
  commandry fuzz -- node bot.js
  commandry fuzz --only /ban --seed 7 -- npm start
  commandry fuzz commands/ --url http://127.0.0.1:3000/interactions -- node server.js

commandry fuzz [FILE|FOLDER ...] [-- PROGRAM [ARGUMENT ...]]

Starts a bot beside a service on this machine, uses each of its commands as people do, follows buttons, menus and
modals, and shortens each use that the bot does not answer well. Bots that log in need the package ws; the generators
need fast-check. Files are read as "commandry check" reads them, and deployed first, for bots that do not deploy.`,
    'Exit code 0: no failures. 1: failures, a command that was not used, a file that was not loaded, or an address that\nDiscord will not take. 2: wrong usage, or the bot did not start.',
  ],
  options,
  formerly: { against: 'access-file' },
  takesProgram: true,
  run: fuzzBot,
})

type Settings = Values<typeof options>

async function fuzzBot(
  io: Io,
  values: Settings,
  files: readonly string[],
  program: readonly string[],
): Promise<number> {
  if (program.length === 0 && values.url === undefined)
    throw usageError('a program is required, such as: commandry fuzz -- node bot.js')
  const { discord = [], seed = chanceBelow(10_000) } = values
  const fuzzing = { ...values, seed }
  if (discord.length === 2) return fuzzOnDays(io, fuzzing, files, program, discord)
  const settings = { ...values, discord: discord[0], files, program }
  const reported = async (started: StartedBot) => {
    const report = await fuzzed(io, fuzzing, started)
    const access = values.access || values['access-file'] !== undefined ? started.bed.access() : undefined
    const coverage = values.coverage ? await started.bed.coverage() : undefined
    await printReport(io, values, report, { access, coverage })
    const isWithin = access === undefined || (await isWithinReport(io, values['access-file'], access))
    return { report, isOk: report.ok && isWithin, ...started }
  }
  return orNotStarted(io, async () => {
    // The tests start bots of their own.
    const { report, isOk, setup, signal } = await withBot(io, settings, reported)
    const folder = values['write-tests']
    if (folder !== undefined) await writeTests(io, folder, report, setup, settings, signal)
    if (signal.aborted) throw new CommandError('interrupted; the report has what was found before')
    return isOk ? 0 : 1
  })
}

/** Uses a bot on two days of Discord, and prints the answers that differ. */
async function fuzzOnDays(
  io: Io,
  values: Settings & { readonly seed: number },
  files: readonly string[],
  program: readonly string[],
  [before, after]: readonly string[],
): Promise<number> {
  const unfit = (['access', 'access-file', 'coverage', 'write-tests', 'people'] as const).find(
    (name) => values[name] !== options[name].read([], name),
  )
  if (unfit !== undefined) throw usageError(`--${unfit} needs one day; ${before}..${after} are two`)
  const usedOn = (discord: string): Promise<readonly FuzzedStep[]> => {
    warn(io, `Discord as of ${discord}`)
    // An administrator views every channel, so that days of hidden channels would be alike.
    const permissions = values.permissions ?? ALL_BUT_ADMINISTRATOR
    return withBot(io, { ...values, permissions, discord, files, program }, async (started) => {
      const steps: FuzzedStep[] = []
      await fuzzed(io, { ...values, onStep: (step) => steps.push(step) }, started)
      if (started.signal.aborted) throw new CommandError('interrupted')
      return steps
    })
  }
  return orNotStarted(io, async () => {
    const days = await compareDays(usedOn, before!, after!)
    print(io, values.format === 'json' ? JSON.stringify(days, null, 2) : daysText(days, values.seed))
    return days.differences.length === 0 ? 0 : 1
  })
}

async function orNotStarted(io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error
    warn(io, `commandry fuzz: ${error.message}`)
    return 2
  }
}

// --- The report -----------------------------------------------------------------------------------------------

async function printReport(
  io: Io,
  values: Settings,
  report: FuzzReport,
  {
    access,
    coverage,
  }: { readonly access: BotAccess | undefined; readonly coverage: BotCoverage | undefined },
): Promise<void> {
  const { format = 'pretty' } = values
  if (format === 'json') print(io, JSON.stringify({ ...report, access, coverage }, null, 2))
  if (format === 'pretty') {
    const { columns, isTerminal } = terminalOf(io, 'never')
    const width = isTerminal ? columns : Infinity
    print(io, fuzzText(report, width))
    if (coverage !== undefined) print(io, `\n${coverageText(coverage, width)}`)
    if (access !== undefined) print(io, `\n${accessText(access)}`)
  }
  if (isAnnotating(io, values.format))
    for (const { code, line, step, message } of report.failures) {
      const text = githubText(`${line}, ${step}: ${message}`)
      print(io, `::error title=${githubProperty(`commandry fuzz: ${code}`)}::${text}`)
    }
  if (format === 'github') for (const line of notSeenLines(report.not_seen)) warn(io, line)
}

/** Whether the bot needs no more than in the file of an earlier report, which is written if it does not exist. */
async function isWithinReport(io: Io, file: string | undefined, access: BotAccess): Promise<boolean> {
  if (file === undefined) return true
  const path = resolve(io.cwd, file)
  if (!existsSync(path)) {
    await writeNew(path, `${JSON.stringify(access, null, 2)}\n`)
    warn(io, `Wrote ${file}; commit it, and later runs fail when the bot needs more`)
    return true
  }
  const [now, known] = [neededIn(access), readAccess(await loadJson(io, file), file)]
  const more = accessBeyond(now, known)
  const less = accessBeyond(known, now)
  if (less.length > 0)
    warn(
      io,
      `the bot needs less than in ${file}: ${listed(less)}; if no use was missed, take it out of the file`,
    )
  if (more.length > 0) warn(io, `commandry fuzz: the bot needs more than in ${file}: ${listed(more)}`)
  return more.length === 0
}

/** @throws CommandError for a file of another kind */
function readAccess(body: unknown, file: string): KnownAccess {
  const namesIn = (value: unknown) =>
    isObject(value) && Array.isArray(value.needed) ? value.needed.map(String) : undefined
  const { permissions, intents, scopes } = isObject(body) ? body : {}
  const known = { permissions: namesIn(permissions), intents: namesIn(intents) }
  if (known.permissions === undefined || known.intents === undefined || !Array.isArray(scopes))
    throw new CommandError(`${file}: is not a report that --access-file has written`)
  return { permissions: known.permissions, intents: known.intents, scopes: scopes.map(String) }
}
