/** Does steps with a bot, one after another, and observes faults. */
import { ANSWER_WITHIN } from '../answer/answer-types.ts'
import type { ServerSettings } from '../world/server.ts'
import type { Traffic } from '../bot/traffic.ts'
import type { Shown } from '../testbed/shown.ts'
import { requestsAfter, unknownRoutesAfter } from '../testbed/transcript.ts'
import type { Testbed } from '../testbed/testbed.ts'
import {
  fault,
  faultOfError,
  faultOfMessage,
  faultOfRequests,
  faultOfSuggestions,
  type Fault,
} from './judge.ts'
import { act, entered, type Reply, type Step } from './steps.ts'

/** A bot in another process. */
export interface FuzzedBot {
  /**
   * Reports each error that the bot leaves unhandled, and its end.
   *
   * @returns a function that ends this
   */
  watch(report: (error: string) => void): () => void
  /**
   * Starts the bot again if it has ended, and waits until it is logged in. Absent: it cannot be started again.
   *
   * @throws Error when it does not start
   */
  readonly restart?: () => Promise<void>
}

/** Milliseconds of real time to wait. */
export interface Waits {
  /** For an answer. */
  readonly answer: number
  /** For the edit of a deferred answer. */
  readonly edit: number
  /** After an answer, for errors of the bot. */
  readonly settle: number
}

/** How a step went. Neither a reply nor a fault: a person cannot do the step. */
export interface Outcome {
  readonly reply?: Reply
  readonly fault?: Fault
  readonly milliseconds: number
}

/** What a player needs. */
export interface PlayerOptions {
  readonly bed: Testbed
  readonly server: ServerSettings
  readonly traffic: Traffic
  readonly bot: FuzzedBot
  /** Milliseconds to wait for the edit of a deferred answer. */
  readonly patience: number
}

const POLL = 5
/** Until the error of a bot arrives, once it is expected. */
export const SETTLE = 300
const LEAST_WAIT = 200

export class Player {
  /** The routes that the service does not have, with the number of steps that requested each. */
  readonly missingRoutes = new Map<string, number>()
  readonly #options: PlayerOptions
  readonly #stop: () => void
  readonly #waiting = new Set<() => void>()
  #error: string | undefined
  #slowest = 0
  #isLost = false

  constructor(options: PlayerOptions) {
    this.#options = options
    this.#stop = options.bot.watch((error) => {
      this.#error ??= error
      for (const wake of [...this.#waiting]) wake()
    })
  }

  close(): void {
    this.#stop()
  }

  /** The longest time a person waits. */
  get patient(): Waits {
    return { answer: ANSWER_WITHIN, edit: this.#options.patience, settle: 0 }
  }

  /** A shorter time, in which this bot would have answered by far. */
  get brief(): Waits {
    const wait = Math.max(LEAST_WAIT, 10 * this.#slowest)
    return { answer: Math.min(ANSWER_WITHIN, wait), edit: Math.min(this.#options.patience, wait), settle: 0 }
  }

  /** The fault of the first step that has one, and its number. Starts a bot that has ended again first. */
  async playAll(steps: readonly Step[], waits: Waits): Promise<{ fault: Fault; at: number } | undefined> {
    await this.recover()
    const replies: Reply[] = []
    for (const [at, step] of steps.entries()) {
      const { reply, fault } = await this.play(step, replies, waits)
      if (fault !== undefined) return { fault, at }
      if (reply === undefined) return undefined
      replies.push(reply)
    }
    return undefined
  }

  /** @param replies those of the earlier steps */
  async play(step: Step, replies: readonly Reply[], waits: Waits): Promise<Outcome> {
    const { traffic, bed } = this.#options
    const began = traffic.lastId
    let outcome = await this.#try(step, replies, waits)
    if (outcome.fault?.code === 'lost_connection' && this.#error === undefined) {
      // A bot may resume; then the step can be done after all.
      const isBack = await bed.online().then(
        () => true,
        () => false,
      )
      if (isBack) outcome = await this.#try(step, replies, waits)
    }
    const { reply } = outcome
    if (reply !== undefined && outcome.fault === undefined) {
      const found = await this.#observe(step, reply, waits, began)
      if (found !== undefined) outcome = { ...outcome, fault: found }
      else this.#slowest = Math.max(this.#slowest, outcome.milliseconds)
    }
    const { bot } = this.#options
    // Its error arrives after the answer that caused it, and must not count for the next step.
    if (outcome.fault !== undefined && bot !== thisProcess && this.#error === undefined)
      await this.#errorWithin(SETTLE).promise
    const isAnswered = ['refused_answer', 'bad_suggestion'].includes(outcome.fault?.code ?? '')
    if (this.#error !== undefined && !isAnswered)
      outcome = { ...outcome, fault: fault('crashed', this.#error) }
    this.#isLost = outcome.fault?.code === 'lost_connection'
    return this.#withoutMissing(outcome, began)
  }

  /** Starts a bot that has ended again, and forgets its error. @returns false for a bot that stays away */
  async recover(): Promise<boolean> {
    const { restart } = this.#options.bot
    if (this.#isLost && restart === undefined) return false
    const isStarted = this.#error === undefined && !this.#isLost
    if (
      !isStarted &&
      (await restart?.().then(
        () => false,
        () => true,
      )) === true
    )
      return false
    this.#error = undefined
    this.#isLost = false
    return true
  }

  async #try(step: Step, replies: readonly Reply[], { answer }: Waits): Promise<Outcome> {
    const { bed, server } = this.#options
    const started = performance.now()
    const took = () => performance.now() - started
    const acting = act(bed, server, step, replies).then(
      (reply): Outcome => ({ reply, milliseconds: took() }),
      (error: unknown): Outcome => {
        const found = faultOfError(error)
        return { ...(found && { fault: found }), milliseconds: took() }
      },
    )
    // The testbed ends a use that takes too long; shorter waits end here, and so does a use of a bot that fails.
    const late = fault('no_answer', 'the bot did not answer in time')
    const ended = this.#errorWithin(answer < ANSWER_WITHIN ? answer : 2 * ANSWER_WITHIN)
    const end = ended.promise.then((): Outcome => ({ fault: late, milliseconds: took() }))
    return Promise.race([acting, end]).finally(ended.cancel)
  }

  /** The fault of a bot that has answered. */
  async #observe(step: Step, reply: Reply, waits: Waits, began: number): Promise<Fault | undefined> {
    const { server, traffic } = this.#options
    if ('length' in reply) {
      const asked = step.kind === 'use' ? step.use.values.at(-1)?.option : undefined
      const found = asked && faultOfSuggestions(reply, asked)
      if (found !== undefined) return found
    } else {
      const isEdited = await this.#edited(reply, waits.edit)
      const refused = faultOfRequests(requestsAfter(traffic, began))
      if (refused !== undefined) return refused
      if (!isEdited) {
        const seconds = Math.round(this.#options.patience / 1_000)
        return fault('never_edited', `the bot deferred the answer and did not edit it within ${seconds} s`)
      }
      const found = faultOfMessage(reply, entered(step, server))
      if (found !== undefined) return found
    }
    // The errors of a bot in this process arrive within one turn.
    if (waits.settle === 0) await new Promise((resolve) => setImmediate(resolve))
    else if (this.#error === undefined) await this.#errorWithin(waits.settle).promise
    return undefined
  }

  async #edited(shown: Shown, wait: number): Promise<boolean> {
    const end = performance.now() + wait
    while (shown.kind === 'thinking' && !shown.deleted && this.#error === undefined) {
      if (performance.now() > end) return false
      await this.#errorWithin(POLL).promise
    }
    return true
  }

  /** Resolves when the bot fails, or after milliseconds. */
  #errorWithin(milliseconds: number) {
    let cancel = () => {}
    const promise = new Promise<void>((resolve) => {
      const timer = setTimeout(() => cancel(), milliseconds)
      cancel = () => {
        clearTimeout(timer)
        this.#waiting.delete(cancel)
        resolve()
      }
      this.#waiting.add(cancel)
    })
    return { promise, cancel: () => cancel() }
  }

  /** A bot that fails after a route was missing may not be to blame. */
  #withoutMissing(outcome: Outcome, began: number): Outcome {
    const missing = unknownRoutesAfter(this.#options.traffic, began)
    for (const route of missing) {
      const name = routeName(route)
      this.missingRoutes.set(name, (this.missingRoutes.get(name) ?? 0) + 1)
    }
    const { fault: found, milliseconds } = outcome
    const isExcused = found !== undefined && ['no_answer', 'never_edited', 'crashed'].includes(found.code)
    return missing.length > 0 && isExcused ? { milliseconds } : outcome
  }
}

/** `PUT /api/v10/guilds/2001/bans/3003` as `PUT /guilds/:guild/bans/:ban`. */
function routeName(route: string): string {
  return route
    .replace(/\/api(?:\/v\d+)?(?=\/)/, '')
    .replace(/\?.*$/, '')
    .replace(/\/(\w+?)s?\/\d+(?=\/|$)/g, (whole, kind: string) => whole.replace(/\d+$/, `:${kind}`))
}

/** The unhandled errors of this process, for a bot that runs in it. Its own listeners come back at the end. */
export const thisProcess: FuzzedBot = {
  watch(report) {
    const events = ['uncaughtException', 'unhandledRejection'] as const
    const ends = events.map((event) => {
      const others = process.listeners(event as 'uncaughtException')
      const listener = (error: unknown) =>
        report(error instanceof Error ? (error.stack ?? error.message) : String(error))
      process.removeAllListeners(event)
      process.on(event, listener)
      return () => {
        process.off(event, listener)
        for (const other of others) process.on(event as 'uncaughtException', other)
      }
    })
    return () => {
      for (const end of ends) end()
    }
  },
}
