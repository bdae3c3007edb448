/** The bot of `commandry fuzz`: starts it, waits until it has deployed, and reports its errors. */
import { setTimeout as delay } from 'node:timers/promises'
import { endOfProcess, printable } from '../../../core/text.ts'
import { isListening } from '../../../testing/testbed/programs/listening.ts'
import type { ProcessClock } from '../../../testing/clock/process-clock.ts'
import type { FuzzedBot } from '../../../testing/fuzz/fuzz-options.ts'
import { globalScope, guildScope } from '../../../commands/registry/scope.ts'
import { partsOf, type Testbed } from '../../../testing/testbed/bed.ts'
import { buildAdvice, deployFirst } from '../definitions/run-advice.ts'
import { ProgramOutput } from '../../../testing/testbed/programs/program-output.ts'
import { hasUnhandledError, lastErrorIn } from './output-errors.ts'
import { warn, type Io } from '../base/io.ts'
import { startBesideService, type RunningProgram } from './program.ts'

const DEPLOYS = /\/commands(?:\?|$)/
const READY_POLL = 50
/** How long a bot that has deployed must be quiet: it may deploy several lists. */
const QUIET = 500
/** The same for one that creates commands one by one, between which it may pause. */
const QUIET_SINGLE = 2_000
/** The same for one that has started again, whose commands are here already. */
const QUIET_AGAIN = 200
/** Until a bot that left an error unhandled has ended, if it does. */
const ENDING = 250

/** The bot did not start, log in or deploy. */
export class NotStarted extends Error {}

/** The bot has ids of its own, such as in a configuration file. */
export class OtherIds extends Error {
  /** Variables of the environment with those ids. */
  readonly ids: Readonly<Record<string, string>>

  constructor(ids: Readonly<Record<string, string>>) {
    super('the bot has other ids')
    this.ids = ids
  }
}

/** The owner of the server, who writes what starts a bot. */
export const OWNER = 'alan'

/** The variables of `--env NAME=VALUE`. */
export function variablesOf(env: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(env.map((entry) => entry.split(/=(.*)/s, 2) as [string, string]))
}

interface BotOptions {
  readonly io: Io
  readonly bed: Testbed
  /** A command of the shell; empty for a bot that runs already, which cannot be observed. */
  readonly program: string
  /** Whether the service takes the ids of the bot when they differ from its own. */
  readonly mayAdopt: boolean
  /** The endpoint of a bot over HTTP. */
  readonly url: string | undefined
  /** Milliseconds until it must have started. */
  readonly wait: number
  readonly say: readonly string[]
  /** The files that were deployed for the bot. */
  readonly files: readonly string[]
  readonly env: readonly string[]
  readonly 'no-redirect': boolean
  /** The clock that the bot follows; undefined for that of the system. */
  readonly clock: ProcessClock | undefined
}

export class BotProgram implements FuzzedBot {
  readonly #options: BotOptions
  readonly restart?: (isFresh: boolean) => Promise<void>
  #program: RunningProgram | undefined
  #hasEnded = false
  readonly #output = new ProgramOutput()
  #isStarting = true
  #report: (error: string) => void = () => {}

  constructor(options: BotOptions) {
    this.#options = options
    const { url, program, bed } = options
    if (program === '') return
    this.restart = async (isFresh) => {
      if (isFresh || this.#hasEnded) {
        // Programs that a bot started may run on.
        await this.stop()
        await this.start(true)
      } else if (url === undefined) await bed.online()
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
    const { bed, program, wait } = this.#options
    const end = performance.now() + wait
    // The connection of a bot that has ended may be open a little longer.
    while (isAgain && performance.now() <= end && hasConnected(bed)) await delay(READY_POLL)
    this.#isStarting = true
    if (program !== '') this.#run(program)
    await this.#untilReady(isAgain)
    this.#isStarting = false
    // No use is to blame for what went wrong before.
    const isNew = hasUnhandledError(this.#output.text) && !isAgain
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
    const { io, env, bed, clock, 'no-redirect': isDirect } = this.#options
    const { rest, applicationId, token, publicKey } = bed
    const service = { url: new URL(rest).origin, applicationId, token, publicKey, env: variablesOf(env) }
    const started = { ...service, isRedirected: !isDirect, clock }
    const program = startBesideService(io, command, started, 'keep', (text) => this.#onOutput(text))
    this.#program = program
    this.#hasEnded = false
    const end = (how: string) => {
      if (this.#program !== program) return
      this.#hasEnded = true
      this.#report(`the bot ${how}\n${this.takeError() ?? program.lines()}`)
    }
    program.ended.then(
      (code) => end(endOfProcess(code)),
      (error: Error) => end(`ended before it ran: ${error.message}`),
    )
  }

  #onOutput(text: string): void {
    this.#output.add(text)
    // What it writes while it starts is looked at in the end, and must not take the error of a use with it.
    if (this.#isStarting || !hasUnhandledError(this.#output.text)) return
    // Node ends after most of these errors, which is reported by itself.
    const program = this.#program
    setTimeout(() => {
      const isRunning = this.#program === program && !this.#hasEnded
      const error = isRunning && this.takeError()
      if (error) this.#report(`the bot left an error unhandled\n${error}`)
    }, ENDING)
  }

  /** Resolves when the bot can be reached, or has ended. */
  async reached(): Promise<void> {
    const { bed, url } = this.#options
    const isThere = async () => (url === undefined ? hasConnected(bed) : isListening(url))
    while (this.#program !== undefined && !this.#hasEnded && !(await isThere())) await delay(READY_POLL)
  }

  forgetErrors(): void {
    // An unhandled one is reported in a moment.
    if (!hasUnhandledError(this.#output.text)) this.#output.clear()
  }

  takeError(): string | undefined {
    const error = lastErrorIn(this.#output.text)
    this.#output.clear()
    return error
  }

  /** Waits until the bot is logged in, or its endpoint can be reached, and has commands. @throws NotStarted */
  async #untilReady(isAgain: boolean): Promise<void> {
    const { io, bed, url, wait, program, say, mayAdopt, files } = this.#options
    const end = performance.now() + wait
    const until = async (what: string, check: () => Promise<boolean>, advice = () => '') => {
      while (!(await check())) {
        const ids = requestedIds(bed)
        const isOther = ids.CLIENT_ID !== bed.applicationId || ids.GUILD_ID !== bed.server.id
        if (isOther && mayAdopt && !isAgain) throw new OtherIds(ids)
        if (!this.#hasEnded && performance.now() <= end) {
          await delay(READY_POLL)
          continue
        }
        const how = this.#hasEnded ? `ended before it ${what}` : `has not ${what} within ${wait / 1_000} s`
        const refused = bed.requests.filter(({ status }) => status >= 400).at(-1)
        const hint =
          refused === undefined ? advice() : `; ${refused.method} ${refused.path}: ${refused.error}`
        const lines = this.#program?.lines() ?? ''
        const build = buildAdvice(io.cwd, lines)
        throw new NotStarted(`${printable(program || url!)} ${how}${build || hint}${lines && `\n${lines}`}`)
      }
    }
    const deployer = () =>
      this.takeError() === undefined && bed.requests.some(({ path }) => DEPLOYS.test(path))
        ? `; it deploys commands, so start the bot after it: ${deployFirst(io.cwd, '')}`
        : ''
    if (url !== undefined) await until('opened its endpoint', () => isListening(url))
    else await until('logged in', async () => hasConnected(bed), deployer)
    if (!isAgain && url === undefined) for (const text of say) await bed.as(OWNER).say(text)
    let requests = -1
    let quietSince = 0
    const isDeployed = async () => {
      if (!(await hasCommands(bed))) return false
      const count = bed.requests.length
      if (count !== requests) [requests, quietSince] = [count, performance.now()]
      const { method } = bed.requests.findLast(({ path }) => DEPLOYS.test(path)) ?? {}
      const quiet = method === 'POST' ? QUIET_SINGLE : QUIET
      return performance.now() - quietSince >= (isAgain ? QUIET_AGAIN : quiet)
    }
    const advice = () =>
      `; ${files.length === 0 ? 'name its definitions, commandry fuzz commands/ -- node bot.js, or' : `${files.join(' ')} had none:`} run its deploy script first, ${deployFirst(io.cwd, program)}; --say "!sync" is for bots that deploy by a message. The bot is in the server ${bed.server.id} only: if it has another id in its code, add --guild ID`
    await until('deployed a command', isDeployed, advice)
  }
}

/** The application and server of the first requests that name one, else of the testbed, as environment variables. */
function requestedIds({ requests, applicationId, server }: Testbed) {
  const first = (form: RegExp) => requests.flatMap(({ path }) => form.exec(path)?.[1] ?? [])[0]
  return {
    CLIENT_ID: first(/\/applications\/(\d+)\//) ?? applicationId,
    GUILD_ID: first(/\/guilds\/(\d+)(?:[/?]|$)/) ?? server.id,
  }
}

function hasConnected(bed: Testbed): boolean {
  return partsOf.get(bed)?.isOnline() ?? false
}

async function hasCommands({ registry, applicationId, server }: Testbed): Promise<boolean> {
  const scopes = [globalScope(applicationId), guildScope(applicationId, server.id)]
  const lists = await Promise.all(scopes.map((scope) => registry.list(scope)))
  return lists.some(({ length }) => length > 0)
}
