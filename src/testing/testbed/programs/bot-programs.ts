/** The bots that a test starts as programs, and the clock that they follow. */
import { systemClock } from '../../../core/clock.ts'
import { endOfProcess, printable } from '../../../core/text.ts'
import { loadedClock, realTimers, type MovingClock } from '../../../core/timers.ts'
import { openProcessClock, type OwnClock, type ProcessClock } from '../../clock/process-clock.ts'
import { warnOfProgram } from '../../clock/standing.ts'
import { preloadedFiles } from '../../redirect/processes.ts'
import { TestbedError } from '../answers/bot-watch.ts'
import { startProgram, type Program, type ServiceOfProgram } from './run-program.ts'

/** Milliseconds that a program may take to log in, and to end. */
const START_LIMIT = 60_000
const END_LIMIT = 2_000
const READY_POLL = 20

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A clock that programs follow once one has been started. */
export class ClockOfBots implements MovingClock {
  #clock: MovingClock
  #processes: ProcessClock | undefined
  /** The programs that do not follow it, such as those in Python. */
  readonly standing = new Set<string>()

  constructor(clock: MovingClock) {
    this.#clock = clock
  }

  get movesBots(): boolean {
    return this.#clock.movesBots
  }

  now = (): number => this.#clock.now()

  async rest(milliseconds: number): Promise<readonly string[]> {
    return (await this.#clock.rest?.(milliseconds)) ?? []
  }

  advance(milliseconds: number, onStep?: () => void): Promise<void> {
    for (const program of this.standing) warnOfProgram(`the program "${program}"`)
    return this.#clock.advance(milliseconds, onStep)
  }

  /** The clock that programs follow from now on. */
  async ofPrograms(): Promise<ProcessClock> {
    const ahead = this.#clock.now() - systemClock.now()
    this.#processes ??= await openProcessClock({ ahead, own: loadedClock() as OwnClock | undefined })
    this.#clock = this.#processes
    return this.#processes
  }

  close(): void {
    this.#processes?.close()
  }
}

export class BotPrograms {
  readonly #clock: ClockOfBots
  readonly #programs = new Set<Program>()

  constructor(clock: ClockOfBots) {
    this.#clock = clock
  }

  /**
   * Starts a program and waits until it can be used.
   *
   * @param isReady whether its bot is logged in; undefined for a bot over HTTP
   * @throws TestbedError `not_connected` when it ends or takes too long
   */
  async start(command: string, service: ServiceOfProgram, isReady: () => Promise<boolean>): Promise<void> {
    const clock = await this.#clock.ofPrograms()
    const before = clock.size
    const program = startProgram(command, {
      ...{ cwd: process.cwd(), env: process.env, service: { ...service, clock } },
      ...{ preloaded: preloadedFiles(), limit: END_LIMIT },
      // What it prints would mix with the report of the tests.
      onOutput: (text, isError) => void (isError && process.stderr.write(text)),
    })
    this.#programs.add(program)
    for (const signal of SIGNALS) process.on(signal, this.#onSignal)
    let ending: string | undefined
    program.ended.then(
      (code) => (ending = endOfProcess(code)),
      (error: Error) => (ending = error.message),
    )
    const end = realTimers.now() + START_LIMIT
    while (ending === undefined && realTimers.now() < end) {
      if (await isReady()) {
        if (clock.size === before) this.#clock.standing.add(printable(command))
        return
      }
      await realTimers.sleep(READY_POLL)
    }
    const how = ending ?? `has not logged in within ${START_LIMIT / 1_000} s`
    const lines = program.lines()
    await this.stop()
    throw new TestbedError('not_connected', `${printable(command)} ${how}${lines && `\n${lines}`}`)
  }

  /** Ends all programs. */
  async stop(): Promise<void> {
    const programs = [...this.#programs]
    this.#programs.clear()
    for (const signal of SIGNALS) process.off(signal, this.#onSignal)
    await Promise.all(programs.map((one) => one.stop()))
  }

  /** A signal does not reach the groups of the programs, which would log in again for ever. */
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    for (const program of this.#programs) program.killNow()
    process.off(signal, this.#onSignal)
    process.kill(process.pid, signal)
  }
}
