/** `commandry fuzz`: starts a bot, uses all of its commands, and prints the faults. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApplicationFlag } from '../command/application-flags.ts'
import { CommandType } from '../command/types.ts'
import { isObject } from '../core/json.ts'
import { counted, printable, withoutColors } from '../core/text.ts'
import { succeeds } from '../core/thenable.ts'
import { globalScope, guildScope } from '../registry/scope.ts'
import { RegistryError } from '../registry/error.ts'
import { fuzzTests, fuzzText, type FuzzReport } from '../fuzz/report.ts'
import type { FuzzProgress } from '../fuzz/fuzz.ts'
import type { FuzzedBot } from '../fuzz/player.ts'
import { testbed, type Testbed, type TestbedOptions } from '../testbed/testbed.ts'
import { milliseconds } from '../testing/clock.ts'
import { address, command, count, flag, list, option, optionWith, type Values } from './command.ts'
import { loadSockets } from './bots.ts'
import { isMissing } from './stores.ts'
import { CommandError, usageError } from './errors.ts'
import { print, warn, withProgress, type Io } from './io.ts'
import { programApplication, programServer, startProgram, type Program } from './program.ts'
import { format, githubProperty, githubText } from './report.ts'
import { readFiles } from './sources.ts'

const options = {
  runs: optionWith('NUMBER', 'the uses of each command and subcommand (60)', '60', count),
  seed: option('NUMBER', 'repeats a run (by chance)', count),
  time: option('DURATION', 'ends after that time, such as 60s', duration),
  only: list('COMMAND', 'only this command, such as /ban or "/note add"; may be repeated'),
  patience: optionWith('DURATION', 'how long a deferred answer may take (15s)', '15s', duration),
  wait: optionWith('DURATION', 'how long the bot may take to start (30s)', '30s', duration),
  say: list('TEXT', 'what the owner writes once the bot is logged in, such as "!sync"; may be repeated'),
  env: list(
    'NAME=VALUE',
    'a variable for the bot; may be repeated. It has tokens and ids in the usual ones',
    variable,
  ),
  'no-redirect': flag('do not redirect Node: the bot reads COMMANDRY_URL itself'),
  url: option(
    'URL',
    'the interactions endpoint of a bot over HTTP; without a program, the bot runs already',
    address,
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

/** The bot did not start, log in or deploy. */
class NotStarted extends Error {}

/** The bot has ids of its own, such as in a configuration file. */
class OtherIds extends Error {
  /** Variables of the environment with those ids. */
  readonly ids: Readonly<Record<string, string>>

  constructor(ids: Readonly<Record<string, string>>) {
    super('the bot has other ids')
    this.ids = ids
  }
}

async function fuzzBot(
  io: Io,
  values: Settings,
  files: readonly string[],
  program: readonly string[],
  mayAdopt = true,
): Promise<number> {
  if (program.length === 0 && values.url === undefined)
    throw usageError('a program is required, such as: commandry fuzz -- node bot.js')
  const bed = await openBed(io, values, files)
  const bot = new BotProgram({ io, bed, program: shellLine(program), mayAdopt, ...values })
  try {
    const report = await Promise.race([fuzzed(io, values, bed, bot), io.interrupted()])
    if (report === undefined) throw new CommandError('interrupted')
    await printReport(io, values, report)
    return report.ok ? 0 : 1
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
  }
}

/** The application and server that a bot names in its first requests, as variables of the environment. */
function idsOf({ requests }: Testbed): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { path } of requests) {
    const [, application] = /\/applications\/(\d+)\//.exec(path) ?? []
    const [, server] = /\/guilds\/(\d+)(?:[/?]|$)/.exec(path) ?? []
    if (application !== undefined) found.CLIENT_ID ??= application
    if (server !== undefined) found.GUILD_ID ??= server
  }
  return found
}

/** One argument is a line of the shell, as that of `check --run`; several are words. */
function shellLine(program: readonly string[]): string {
  return program.length === 1 ? program[0]! : program.map(shellWord).join(' ')
}

/** An argument of a program as a word of the shell. */
function shellWord(argument: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(argument)) return argument
  if (process.platform === 'win32') return `"${argument.replaceAll('"', '""')}"`
  return `'${argument.replaceAll("'", "'\\''")}'`
}

async function openBed(io: Io, { url }: Settings, files: readonly string[]): Promise<Testbed> {
  const { sources } = files.length === 0 ? { sources: [] } : await readFiles(io, files)
  const commands = sources.flatMap(({ definitions }) => definitions.map(({ body }) => body))
  const isEntryPoint = (body: unknown) => isObject(body) && body.type === CommandType.PRIMARY_ENTRY_POINT
  try {
    return await testbed({
      applicationId: programApplication(io),
      servers: [programServer(io)],
      ...(url === undefined ? { ws: await loadSockets(io) } : { endpoint: url }),
      // Only an app with an Activity has an entry point command.
      ...(commands.some(isEntryPoint) && { flags: ApplicationFlag.EMBEDDED }),
      ...(commands.length > 0 && { commands: commands as NonNullable<TestbedOptions['commands']> }),
    })
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw new CommandError(`${error.message}\nRun "commandry check ${files.join(' ')}" for all problems.`)
  }
}

// --- The bot --------------------------------------------------------------------------------------------------

const DEPLOY_FIRST = 'commandry fuzz -- "node deploy.js && node bot.js"'
const READY_POLL = 50
/** How long a bot that has deployed must be quiet: it may deploy several lists. */
const QUIET = 500
/** The same for one that has started again, whose commands are here already. */
const QUIET_AGAIN = 200
/** Until a bot that left an error unhandled has ended, if it does. */
const ENDING = 250
const MAX_OUTPUT_LENGTH = 10_000
/** A line that begins with the name of an error, also behind the words of a logger. */
const ERROR =
  /^(?:[\w.]+ )?[\w.]*(?:Error|Exception)\b|\b[A-Z]\w*(?:Error|Exception)(?: ?\[\w+\])?: |^Traceback /
const UNHANDLED = /\b(?:unhandled|uncaught)|^Traceback \(most recent call last\)/im

/** Whether a line of a Python traceback names a file that is not of a library. */
function isOwnFrame(line: string): boolean {
  return /^ +File "(?!<|.*(?:-packages|lib.python))/.test(line)
}

interface BotOptions extends Settings {
  readonly io: Io
  readonly bed: Testbed
  /** A command of the shell; empty for a bot that runs already, which cannot be observed. */
  readonly program: string
  /** Whether the service takes the ids of the bot when they differ from its own. */
  readonly mayAdopt: boolean
}

class BotProgram implements FuzzedBot {
  readonly #options: BotOptions
  readonly restart?: (isFresh: boolean) => Promise<void>
  #program: Program | undefined
  #hasEnded = false
  #output = ''
  #isStarting = true
  #report: (error: string) => void = () => {}

  constructor(options: BotOptions) {
    this.#options = options
    const { url, program, bed } = options
    if (program === '') return
    this.restart = async (isFresh) => {
      if (isFresh) await this.stop()
      if (isFresh || this.#hasEnded) await this.start(true)
      else if (url === undefined) await bed.online()
    }
  }

  watch(report: (error: string) => void): () => void {
    this.#report = report
    return () => {
      this.#report = () => {}
    }
  }

  /** @throws NotStarted */
  async start(isAgain = false): Promise<void> {
    const { bed, program } = this.#options
    // The connection of a bot that has ended may be open a little longer.
    while (isAgain && (await isOnline(bed))) await delay(READY_POLL)
    this.#isStarting = true
    if (program !== '') this.#run(program)
    await this.#untilReady(isAgain)
    this.#isStarting = false
    // No use is to blame for what went wrong before.
    const isNew = UNHANDLED.test(this.#output) && !isAgain
    const error = this.takeError()
    if (!isNew || error === undefined) return
    const lines = error.split('\n').map((line) => printable(line))
    warn(this.#options.io, ['the bot left an error unhandled while it started', ...lines].join('\n'))
  }

  async stop(): Promise<void> {
    const program = this.#program
    this.#program = undefined
    await program?.stop()
  }

  #run(command: string): void {
    const { io, env, bed, 'no-redirect': isDirect } = this.#options
    const { rest, applicationId, token, publicKey } = bed
    const variables = Object.fromEntries(env.map((entry) => entry.split(/=(.*)/s, 2) as [string, string]))
    const service = { url: new URL(rest).origin, applicationId, token, publicKey, env: variables }
    const started = { ...service, isRedirected: !isDirect }
    const program = startProgram(io, command, started, 'keep', (text) => this.#onOutput(text))
    this.#program = program
    this.#hasEnded = false
    const end = (how: string) => {
      if (this.#program !== program) return
      this.#hasEnded = true
      this.#report(`the bot ended ${how}\n${this.takeError() ?? program.lines()}`)
    }
    program.ended.then(
      (code) => end(code === null ? 'by a signal' : `with code ${code}`),
      (error: Error) => end(`: ${error.message}`),
    )
  }

  #onOutput(text: string): void {
    this.#output = (this.#output + withoutColors(text)).slice(-MAX_OUTPUT_LENGTH)
    if (!UNHANDLED.test(text)) return
    // Node ends after most of these errors, which is reported by itself.
    const program = this.#program
    setTimeout(() => {
      const isRunning = this.#program === program && !this.#hasEnded
      const error = isRunning && !this.#isStarting && this.takeError()
      if (error) this.#report(`the bot left an error unhandled\n${error}`)
    }, ENDING)
  }

  forgetErrors(): void {
    // An unhandled one is reported in a moment.
    if (!UNHANDLED.test(this.#output)) this.#output = ''
  }

  takeError(): string | undefined {
    // Python prints the cause first, and then the errors of the library that called it.
    const [cause] = this.#output.split(/\n*The above exception was the direct cause/, 1)
    const lines = cause!.trimEnd().split('\n')
    this.#output = ''
    const at = lines.findLastIndex((line) => ERROR.test(line))
    if (at < 0) return undefined
    const from = Math.max(0, at - 4)
    const own = lines.findLastIndex((line, index) => index < at && isOwnFrame(line))
    const frame = own < 0 || own >= from ? [] : lines.slice(own, Math.min(own + 2, from))
    return [...frame, ...lines.slice(from, at + 6)].join('\n')
  }

  /** Waits until the bot is logged in, or its endpoint can be reached, and has commands. @throws NotStarted */
  async #untilReady(isAgain: boolean): Promise<void> {
    const { bed, url, wait, program, say, mayAdopt } = this.#options
    const own: Record<string, string> = { CLIENT_ID: bed.applicationId, GUILD_ID: bed.server.id }
    const end = performance.now() + wait
    const until = async (what: string, check: () => Promise<boolean>, advice = () => '') => {
      while (!(await check())) {
        const ids = idsOf(bed)
        const isOther = Object.entries(ids).some(([name, id]) => id !== own[name])
        if (isOther && mayAdopt && !isAgain) throw new OtherIds(ids)
        if (!this.#hasEnded && performance.now() <= end) {
          await delay(READY_POLL)
          continue
        }
        const how = this.#hasEnded ? `ended before it ${what}` : `has not ${what} within ${wait / 1_000} s`
        const refused = bed.requests.filter(({ status }) => status >= 400).at(-1)
        const hint =
          refused === undefined ? advice() : `; ${refused.method} ${refused.path}: ${refused.error}`
        const lines = this.#program?.lines().trimEnd() ?? ''
        throw new NotStarted(`${printable(program || url!)} ${how}${hint}${lines && `\n${lines}`}`)
      }
    }
    const deployer = () =>
      this.takeError() === undefined && bed.requests.some(({ path }) => /\/commands(?:\?|$)/.test(path))
        ? `; it deploys commands, so start the bot after it: ${DEPLOY_FIRST}`
        : ''
    // A request that was sent says that a program listens, whatever the response.
    if (url !== undefined) await until('opened its endpoint', () => succeeds(fetch(url)))
    else await until('logged in', () => isOnline(bed), deployer)
    if (!isAgain && url === undefined) for (const text of say) await bed.as('alan').say(text)
    let requests = -1
    let quietSince = 0
    const isDeployed = async () => {
      if (!(await hasCommands(bed))) return false
      const count = bed.requests.length
      if (count !== requests) [requests, quietSince] = [count, performance.now()]
      return performance.now() - quietSince >= (isAgain ? QUIET_AGAIN : QUIET)
    }
    const advice = () =>
      `; name its definitions, commandry fuzz commands/ -- node bot.js, or run its deploy script first, ${DEPLOY_FIRST}; --say "!sync" is for bots that deploy by a message`
    await until('deployed a command', isDeployed, advice)
  }
}

function isOnline(bed: Testbed): Promise<boolean> {
  return Promise.race([succeeds(bed.online()), delay(READY_POLL, false)])
}

async function hasCommands({ registry, applicationId, server }: Testbed): Promise<boolean> {
  const scopes = [globalScope(applicationId), guildScope(applicationId, server.id)]
  const lists = await Promise.all(scopes.map((scope) => registry.list(scope)))
  return lists.some(({ length }) => length > 0)
}

// --- The run and its report -----------------------------------------------------------------------------------

async function fuzzed(io: Io, values: Settings, bed: Testbed, bot: BotProgram): Promise<FuzzReport> {
  const { runs, seed = Math.floor(Math.random() * 10_000), patience, only, time } = values
  // Loaded here: fast-check is not installed for other commands.
  const { fuzz } = await import('../fuzz/fuzz.ts').catch((error: unknown): never => {
    if (!isMissing(error)) throw error
    throw new CommandError('needs the package "fast-check"; install it with "npm install fast-check"')
  })
  await bot.start()
  let { uses, failures, commandsLeft }: FuzzProgress = { uses: 0, failures: 0, commandsLeft: 0 }
  const line = () =>
    `${counted(uses, 'use')}, ${counted(failures, 'failure')}, ${counted(commandsLeft, 'command')} left`
  const running = fuzz(bed, {
    ...{ runs, seed, patience, bot },
    ...(only.length > 0 && { only }),
    ...(time !== undefined && { time }),
    onProgress: (progress) => ({ uses, failures, commandsLeft } = progress),
  })
  try {
    return await withProgress(io, line, running)
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('only: '))
      throw usageError(`--${error.message}`)
    throw error
  }
}

async function printReport(io: Io, values: Settings, report: FuzzReport): Promise<void> {
  const { format = 'pretty', 'write-tests': testsFolder } = values
  if (format === 'json') print(io, JSON.stringify(report, null, 2))
  if (format === 'pretty') print(io, fuzzText(report))
  if (format === 'github' || (values.format === undefined && io.env.GITHUB_ACTIONS === 'true'))
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
