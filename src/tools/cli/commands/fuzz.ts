/** `commandry fuzz`: starts a bot, uses all of its commands, and prints the faults. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ApplicationFlag } from '../../../model/application-flags.ts'
import { CommandType } from '../../../model/command-types.ts'
import { isObject } from '../../../core/json.ts'
import { counted, listed, printable } from '../../../core/text.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import {
  fuzzTests,
  fuzzText,
  type FuzzedCommand,
  type FuzzReport,
} from '../../../testing/fuzz/fuzz-report.ts'
import { openProcessClock, type ProcessClock } from '../../../testing/clock/processes.ts'
import type { fuzz } from '../../../testing/fuzz/fuzz.ts'
import type { FuzzProgress } from '../../../testing/fuzz/fuzz-options.ts'
import {
  accessText,
  newAccess,
  type BotAccess,
  type KnownAccess,
} from '../../../testing/testbed/stage/access.ts'
import { openTestbed, type Testbed, type TestbedOptions } from '../../../testing/testbed/testbed.ts'
import { milliseconds } from '../../../testing/samples/test-clock.ts'
import {
  address,
  command,
  count,
  flag,
  id,
  list,
  oneOf,
  option,
  optionWith,
  type Values,
} from '../cli-command.ts'
import { BotProgram, NotStarted, OtherIds } from '../bots/bot-program.ts'
import { day } from '../day.ts'
import { loadSockets } from '../bots/bots.ts'
import { isMissing } from '../stores.ts'
import { CommandError, usageError } from '../errors.ts'
import { print, warn, withProgress, type Io } from '../io.ts'
import { applicationIn, serverVariables } from '../bots/placeholders.ts'
import { programServer } from '../bots/program.ts'
import { format, githubProperty, githubText, isAnnotating } from '../format-findings.ts'
import { readSources } from '../definitions/sources.ts'
import { loadJson } from '../definitions/text-file.ts'

const options = {
  runs: optionWith('NUMBER', 'the uses of each command and subcommand (60)', '60', count),
  seed: option('NUMBER', 'repeats a run (by chance)', count),
  time: option('DURATION', 'ends after that time, such as 60s', duration),
  people: optionWith(
    '1|2',
    'with 2, two people also use each command and button at once (1)',
    '1',
    oneOf('1', '2'),
  ),
  only: list('COMMAND', 'only this command, such as /ban or "/note add"; may be repeated'),
  patience: optionWith('DURATION', 'how long a deferred answer may take (15s)', '15s', duration),
  wait: optionWith('DURATION', 'how long the bot may take to start (30s)', '30s', duration),
  say: list('TEXT', 'what the owner writes once the bot is logged in, such as "!sync"; may be repeated'),
  env: list(
    'NAME=VALUE',
    'a variable for the bot; may be repeated. It has tokens and ids in the usual ones',
    variable,
  ),
  guild: option('ID', 'the server of the bot, for a program that has its id in its code', id),
  'no-redirect': flag('do not redirect Node: the bot reads COMMANDRY_URL itself'),
  'no-clock': flag('do not move the clock of the bot: wait in real time for silences and cooldowns'),
  url: option(
    'URL',
    'the interactions endpoint of a bot over HTTP; without a program, the bot runs already',
    address,
  ),
  discord: option('DAY', 'Discord as of that day, such as 2026-11-15 (today)', day),
  access: flag(
    'also print which permissions, intents and scopes the bot needs, and the smallest install link',
  ),
  against: option(
    'FILE',
    'with --access: fail if the bot needs more than in FILE; writes FILE if there is none',
  ),
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
    'Exit code 0: no failures. 1: failures. 2: wrong usage, or the bot did not start.',
  ],
  options,
  takesProgram: true,
  run: fuzzBot,
})

function variable(text: string): string {
  if (/^\w+=/.test(text)) return text
  throw usageError(`--env "${text}" is not NAME=VALUE`)
}

function duration(text: string, name: string): number {
  try {
    return milliseconds(text)
  } catch {
    throw usageError(`--${name} "${text}" is not a duration such as 500ms, 60s or 5m`)
  }
}

type Settings = Values<typeof options>

async function fuzzBot(
  caller: Io,
  values: Settings,
  files: readonly string[],
  program: readonly string[],
  mayAdopt = true,
): Promise<number> {
  if (program.length === 0 && values.url === undefined)
    throw usageError('a program is required, such as: commandry fuzz -- node bot.js')
  if (values.against !== undefined && !values.access) throw usageError('--against needs --access')
  const io = withServer(caller, values.guild)
  const clock = await openProcessClock()
  const bed = await openBed(io, values, files, clock)
  const followed = values['no-clock'] ? undefined : clock
  const line = shellLine(program)
  const bot = new BotProgram({ io, bed, clock: followed, program: line, mayAdopt, ...values })
  const interruption = new AbortController()
  const interrupted = io.interrupted().then(() => interruption.abort())
  try {
    const run = await loadFuzz()
    // Before the first use there is nothing to report.
    const started = await Promise.race([bot.start().then(() => true), interrupted])
    if (started !== true) throw new CommandError('interrupted')
    const report = await fuzzed(io, values, { run, bed, bot, signal: interruption.signal })
    const access = values.access ? bed.access() : undefined
    await printReport(io, values, report, access)
    const isWithin = access === undefined || (await isWithinReport(io, values.against, access))
    if (interruption.signal.aborted)
      throw new CommandError('interrupted; the report has what was found before')
    return report.ok && isWithin ? 0 : 1
  } catch (error) {
    if (error instanceof OtherIds) {
      await bot.stop()
      return fuzzBot({ ...io, env: { ...io.env, ...error.ids } }, values, files, program, false)
    }
    if (!(error instanceof NotStarted)) throw error
    warn(io, `commandry fuzz: ${error.message}`)
    return 2
  } finally {
    await bot.stop()
    await bed.close()
    clock.close()
  }
}

/** The environment in which a server is that of the program. */
function withServer(io: Io, guild: string | undefined): Io {
  return guild === undefined ? io : { ...io, env: { ...io.env, ...serverVariables(guild) } }
}

/** One argument is a line of the shell, as that of `check --run`; several are words. */
function shellLine(program: readonly string[]): string {
  return program.length === 1 ? program[0]! : program.map(shellWord).join(' ')
}

function shellWord(argument: string): string {
  const isWindows = process.platform === 'win32'
  // Elsewhere a backslash escapes.
  if (/^[\w@%+=:,./\\-]+$/.test(argument) && (isWindows || !argument.includes('\\'))) return argument
  if (isWindows) return `"${argument.replaceAll('"', '""')}"`
  return `'${argument.replaceAll("'", "'\\''")}'`
}

async function openBed(
  io: Io,
  { url, discord }: Settings,
  files: readonly string[],
  clock: ProcessClock,
): Promise<Testbed> {
  const { sources } = files.length === 0 ? { sources: [] } : await readSources(io, files)
  const commands = sources.flatMap(({ definitions }) => definitions.map(({ body }) => body))
  const isEntryPoint = (body: unknown) => isObject(body) && body.type === CommandType.PRIMARY_ENTRY_POINT
  try {
    const options: TestbedOptions = {
      applicationId: applicationIn(io.env),
      servers: [programServer(io)],
      ...(discord !== undefined && { discord }),
      ...(url === undefined ? { ws: await loadSockets(io) } : { endpoint: url }),
      // Only an app with an Activity has an entry point command.
      ...(commands.some(isEntryPoint) && { flags: ApplicationFlag.EMBEDDED }),
      ...(commands.length > 0 && { commands: commands as NonNullable<TestbedOptions['commands']> }),
    }
    return await openTestbed(options, clock)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw new CommandError(`${error.message}\nRun "commandry check ${files.join(' ')}" for all problems.`)
  }
}

// --- The run and its report -----------------------------------------------------------------------------------

async function loadFuzz(): Promise<typeof fuzz> {
  // Loaded here: fast-check is not installed for other commands.
  const module = await import('../../../testing/fuzz/fuzz.ts').catch((error: unknown): never => {
    if (!isMissing(error)) throw error
    throw new CommandError('needs the package "fast-check"; install it with "npm install fast-check"')
  })
  return module.fuzz
}

interface Fuzzing {
  readonly run: typeof fuzz
  readonly bed: Testbed
  readonly bot: BotProgram
  readonly signal: AbortSignal
}

async function fuzzed(io: Io, values: Settings, { run, bed, bot, signal }: Fuzzing): Promise<FuzzReport> {
  const { runs, seed = Math.floor(Math.random() * 10_000), patience, only, time } = values
  let { uses, failures, commandsLeft }: FuzzProgress = { uses: 0, failures: 0, commandsLeft: 0 }
  const line = () =>
    `${counted(uses, 'use')}, ${counted(failures, 'failure')}, ${counted(commandsLeft, 'command')} left`
  const running = run(bed, {
    ...{ runs, seed, patience, bot, signal, people: values.people === '2' ? 2 : 1 },
    ...(only.length > 0 && { only }),
    ...(time !== undefined && { time }),
    onProgress: (progress) => ({ uses, failures, commandsLeft } = progress),
    onCommand: (ended) => warn(io, commandLine(ended)),
  })
  try {
    return await withProgress(io, line, running)
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('only: '))
      throw usageError(`--${error.message}`)
    throw error
  }
}

/** A line for a command that has ended. */
function commandLine({ command, uses, failures }: FuzzedCommand): string {
  const mark = failures === 0 ? '✓' : '✗'
  return `${mark} ${printable(command)}: ${counted(uses, 'use')}, ${counted(failures, 'failure')}`
}

async function printReport(
  io: Io,
  values: Settings,
  report: FuzzReport,
  access: BotAccess | undefined,
): Promise<void> {
  const { format = 'pretty', 'write-tests': testsFolder } = values
  if (format === 'json') print(io, JSON.stringify({ ...report, access }, null, 2))
  if (format === 'pretty') {
    print(io, fuzzText(report))
    if (access !== undefined) print(io, `\n${accessText(access)}`)
  }
  if (isAnnotating(io, values.format))
    for (const { code, line, step, message } of report.failures) {
      const text = githubText(`${line}, ${step}: ${message}`)
      print(io, `::error title=${githubProperty(`commandry fuzz: ${code}`)}::${text}`)
    }
  if (testsFolder === undefined || report.ok) return
  const folder = resolve(io.cwd, testsFolder)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'fuzz.test.mjs'), fuzzTests(report))
  warn(io, `Wrote ${join(testsFolder, 'fuzz.test.mjs')}`)
}

/** Whether the bot needs no more than in the file of an earlier report, which is written if there is none. */
async function isWithinReport(io: Io, against: string | undefined, access: BotAccess): Promise<boolean> {
  if (against === undefined) return true
  const path = resolve(io.cwd, against)
  if (!existsSync(path)) {
    await writeFile(path, `${JSON.stringify(access, null, 2)}\n`, { flag: 'wx' })
    warn(io, `Wrote ${against}; commit it, and later runs fail when the bot needs more`)
    return true
  }
  const more = newAccess(access, readAccess(await loadJson(io, against), against))
  if (more.length > 0) warn(io, `commandry fuzz: the bot needs more than in ${against}: ${listed(more)}`)
  return more.length === 0
}

/** @throws CommandError for a file of another kind */
function readAccess(body: unknown, file: string): KnownAccess {
  const namesIn = (value: unknown) =>
    isObject(value) && Array.isArray(value.needed) ? value.needed.map(String) : undefined
  const { permissions, intents, scopes } = isObject(body) ? body : {}
  const known = { permissions: namesIn(permissions), intents: namesIn(intents) }
  if (known.permissions === undefined || known.intents === undefined || !Array.isArray(scopes))
    throw new CommandError(`${file}: is not a report that --access --against has written`)
  return { permissions: known.permissions, intents: known.intents, scopes: scopes.map(String) }
}
