/**
 * The program of `commandry serve`. A bot outlives its own end: it starts again by a button of the page or at a save. The
 * program of `--run` ends the service, unless someone looks at the page.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Emitter } from '../../../core/emitter.ts'
import { placeholderToken } from '../../../service/http/placeholder-token.ts'
import type { BotsOfPage, ProgramOfPage, ProgramState, WaitingUse } from '../../page/questions/query.ts'
import type { Io } from '../base/io.ts'
import { lastLines } from '../../../testing/testbed/programs/program-output.ts'
import { startBesideService, type RunningProgram, type LocalService } from './program.ts'
import { masking } from './program-secrets.ts'
import { isRecordedTest } from './recorded-tests.ts'
import { WaitingUses } from './waiting-uses.ts'
import { watchSources } from './watch-sources.ts'

const MAX_LINES = 10
/** Milliseconds until the last words of a program about a failure have arrived. */
const LAST_WORDS = 150
/** Milliseconds in which the page of a browser that the program has started is closed after its end. */
const OWN_PAGE = 1_000

interface KeepOptions {
  readonly io: Io
  /** The line of the shell. */
  readonly command: string
  /** Whether it is a bot, whose end is an event. The end of a test is the end of the service. */
  readonly isBot: boolean
  /** Whether a save of its sources starts it again. */
  readonly isWatching: boolean
  /** The bots that log in; absent for a service without a gateway. */
  readonly bots: Pick<BotsOfPage, 'online' | 'subscribe'> | undefined
  /** The pages that are open and visible. */
  readonly pages: () => number
}

/** How the process is: the phases of the page without those that the gateway adds. */
interface Run {
  readonly phase: 'starting' | 'running' | 'ended'
  readonly code: number | null
  readonly starts: number
  readonly why: string
}

export class KeptProgram implements ProgramOfPage {
  readonly #options: KeepOptions
  readonly #changes = new Emitter<void>((error) => console.error(error))
  readonly #output = new WaitingUses()
  /** Its stderr alone. */
  readonly #errors = new WaitingUses()
  readonly #end = deferred<number>()
  readonly #forget: (() => void) | undefined
  #mask = (text: string): string => text
  #service: LocalService | undefined
  #program: RunningProgram | undefined
  #run: Run = { phase: 'starting', code: null, starts: 0, why: '' }
  /** Whether a bot has logged in since the last start. */
  #wasOnline = false
  #stopped = deferred<null>()
  #unwatch = () => {}

  constructor(options: KeepOptions) {
    const { bots } = options
    this.#options = options
    this.#forget = bots?.subscribe(() => {
      this.#wasOnline ||= bots.online.length > 0
      this.#changes.publish([undefined])
    })
  }

  // --- Of the command line ------------------------------------------------------------------------------------

  /** The exit code of a test that has ended. Never resolves for a bot. */
  get ended(): Promise<number> {
    return this.#end.promise
  }

  /** The exit code of a service that is interrupted. */
  get codeNow(): number {
    const { phase, code } = this.#run
    if (this.#options.isBot) return 0
    return phase === 'ended' ? (code ?? 1) : 1
  }

  /** Starts it for the first time. */
  start(service: LocalService): void {
    const { io, command, isWatching } = this.#options
    this.#service = service
    this.#mask = masking(io.env, [service.token ?? placeholderToken(service.applicationId)])
    this.#start(service, '')
    if (isWatching)
      this.#unwatch = watchSources(
        io.cwd,
        command,
        (file) => void this.#restart(`${file} was saved`),
        isRecordedTest,
      )
  }

  async stop(): Promise<void> {
    this.#unwatch()
    this.#forget?.()
    const last = this.#program
    this.#program = undefined
    this.#service = undefined
    await last?.stop()
  }

  // --- Of the page --------------------------------------------------------------------------------------------

  get state(): ProgramState {
    const { isBot, isWatching } = this.#options
    const { code, starts, why } = this.#run
    const lines = this.#shown(this.#output.text.trimEnd())
    return { phase: this.#phase(), code, starts, why, isBot, isWatching, lines }
  }

  begin(): WaitingUse {
    const [use, errors] = [this.#output.begin(), this.#errors.begin()]
    const hasEnded = () => this.#run.phase === 'ended'
    return {
      ended: hasEnded() ? Promise.resolve(null) : this.#stopped.promise,
      error: async () => {
        await delay(LAST_WORDS)
        // What looks like no error is the reason all the same: the last words of a program that has ended, and its stderr.
        return this.#shown(use.error() || (hasEnded() ? use : errors).written().trim())
      },
      end: () => [use, errors].forEach(({ end }) => end()),
    }
  }

  restart(): Promise<void> {
    return this.#restart('by hand')
  }

  subscribe(listener: () => void): () => void {
    return this.#changes.add(listener)
  }

  // --- The process --------------------------------------------------------------------------------------------

  #start(service: LocalService, why: string): void {
    const { io, command, isBot } = this.#options
    this.#output.clear()
    this.#errors.clear()
    this.#wasOnline = false
    this.#stopped = deferred()
    // A test in a terminal keeps it; everything else is read on its way.
    const output = !isBot && io.stdout.isTTY === true ? 'inherit' : 'through'
    const from = isBot ? { ...io, env: { ...behindPipe(io), ...io.env } } : io
    const program = startBesideService(from, command, service, output, (text, isError) => {
      this.#output.add(text)
      if (isError) this.#errors.add(text)
    })
    this.#program = program
    this.#change({ phase: 'running', code: null, starts: this.#run.starts + 1, why })
    program.ended.then(
      (code) => this.#onEnd(program, code),
      (error: Error) => {
        if (!isBot) return this.#end.reject(error)
        this.#output.add(error.message)
        return this.#onEnd(program, null)
      },
    )
  }

  async #onEnd(program: RunningProgram, code: number | null): Promise<void> {
    if (this.#program !== program) return
    const { isBot, pages } = this.#options
    this.#stopped.resolve(null)
    this.#change({ phase: 'ended', code })
    if (isBot) return
    if (pages() > 0) await delay(OWN_PAGE)
    if (pages() === 0 && this.#program === program) this.#end.resolve(code ?? 1)
  }

  async #restart(why: string): Promise<void> {
    const before = this.#program
    if (this.#service === undefined || this.#run.phase === 'starting') return
    this.#program = undefined
    this.#stopped.resolve(null)
    this.#change({ phase: 'starting', why })
    await before?.stop()
    // The service may have ended meanwhile.
    if (this.#service !== undefined) this.#start(this.#service, why)
  }

  #change(changed: Partial<Run>): void {
    this.#run = { ...this.#run, ...changed }
    this.#changes.publish([undefined])
  }

  #phase(): ProgramState['phase'] {
    const { bots, isBot } = this.#options
    const { phase } = this.#run
    if (phase !== 'running' || bots === undefined) return phase
    if (bots.online.length > 0) return 'online'
    if (!isBot) return phase
    return this.#wasOnline ? 'offline' : 'starting'
  }

  /** The last lines without secrets and the calls inside libraries, with files as their author names them. */
  #shown(text: string): string {
    const { cwd } = this.#options.io
    const own = this.#mask(text).replaceAll(`file://${cwd}/`, '').replaceAll(`${cwd}/`, '')
    return lastLines(own, MAX_LINES)
  }
}

/** A promise that is settled from outside. */
function deferred<T>() {
  let resolve = (_: T) => {}
  let reject = (_: Error) => {}
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle))
  // Without one who waits there is nothing to report.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

/** Behind a pipe programs would keep lines back and drop their colours. */
function behindPipe({ stdout, env }: Io): Readonly<Record<string, string>> {
  const isColored = stdout.isTTY === true && env['NO_COLOR'] === undefined
  return { PYTHONUNBUFFERED: '1', ...(isColored && { FORCE_COLOR: '1' }) }
}
