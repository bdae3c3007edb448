/** Does steps with a bot, one after another, and decides whether what the bot did is a fault. */
import { ANSWER_TIMEOUT } from '../../model/answer-types.ts'
import type { Traffic } from '../../interactions/bot/traffic.ts'
import { systemClock } from '../../core/clock.ts'
import { realTimers } from '../../core/timers.ts'
import { succeeds } from '../../core/thenable.ts'
import { routeTemplate } from '../testbed/routes/test-routes.ts'
import { partsOf, type PartsOfTestbed, type Testbed } from '../testbed/bed.ts'
import { requestsAfter, unknownRoutesAfter } from '../testbed/answers/transcript.ts'
import type { ServerSettings } from '../../model/server.ts'
import type { World } from '../../service/world/world.ts'
import {
  newFault,
  faultOfError,
  faultOfMessage,
  faultOfSecondAnswer,
  faultOfSent,
  faultOfSuggestions,
  type Fault,
} from './faults.ts'
import { checkAddress, takenForged } from './address.ts'
import { restoreServer } from './first-state.ts'
import type { FuzzedBot } from './fuzz-options.ts'
import type { FuzzCode, FuzzedEndpoint } from './fuzz-report.ts'
import type { Shown } from '../testbed/answers/shown.ts'
import { carryOutStep, entered, MINUTE, type Reply, type Step, type Wait } from './steps.ts'
import { thisProcess } from './this-process.ts'

/** Milliseconds of real time to wait: for an answer, for the edit of a deferred one, and then for errors of the bot. */
interface Waits {
  readonly answer: number
  readonly edit: number
  readonly settle: number
}

/** How a step went. Neither a reply nor a fault: a person cannot do the step. */
export interface Outcome {
  readonly reply?: Reply | undefined
  readonly fault?: Fault | undefined
  readonly milliseconds: number
}

/** Faults whose cause is in the answer itself. */
const OF_ANSWER: ReadonlySet<unknown> = new Set<FuzzCode>(['refused_answer', 'bad_suggestion'])
/** Faults whose cause is in what the bot wrote. */
const UNEXPLAINED: ReadonlySet<unknown> = new Set<FuzzCode>(['no_answer', 'never_edited', 'lost_connection'])
/** Faults that a missing route may cause. */
const EXCUSED: ReadonlySet<unknown> = new Set<FuzzCode>(['no_answer', 'never_edited', 'crashed'])

/** At least until the error of a bot arrives, once it is expected. */
const SETTLE = 300
/** Until a bot that cannot be reached has ended: a busy machine takes long to end a process. */
const GONE = 10_000
/** Until a bot whose connection was dropped is back: eris waits 5 s between two connections. */
const RECONNECT = 10_000
/** How much later than asked a library may send a request again. */
const RETRY = 1_000
const MIN_WAIT = 200
/** The pace of a person who takes their time: a bot that missed what they did before was not ready yet. */
const SLOW_PACE = 300
/** Milliseconds by which the clock of a bot moves while an edit is awaited. */
const STRIDE = 1_000

export class Player {
  /** The server at first. */
  readonly server: ServerSettings
  /** The routes that the service does not have, with the number of steps that requested each. */
  readonly missingRoutes = new Map<string, number>()
  readonly close: () => void
  readonly #bed: Testbed
  readonly #world: World
  readonly #traffic: Traffic
  readonly #clock: PartsOfTestbed['clock']
  readonly #isOnline: PartsOfTestbed['isOnline']
  readonly #watch: PartsOfTestbed['watch']
  readonly #moveNow: PartsOfTestbed['move']
  readonly #usesGateway: boolean
  readonly #endpoint: PartsOfTestbed['endpoint']
  readonly #bot: FuzzedBot
  readonly #patience: number
  readonly #waiting = new Set<() => void>()
  #error: string | undefined
  #slowest = 0
  #isLost = false
  #hasDeleted = false
  #hasCreated = false
  /** Whether a minute has passed since the last step. */
  #isRested = false
  /** What the person has entered since they used a command. */
  #entered = ''
  #starts = 0
  #commands: unknown

  /** @param patience milliseconds to wait for the edit of a deferred answer */
  constructor(bed: Testbed, bot: FuzzedBot, patience: number) {
    const parts = partsOf.get(bed)
    if (parts === undefined) throw new TypeError('bed: expected what testbed() returned')
    this.server = parts.people.server(undefined)
    this.#bed = bed
    this.#world = parts.people.world
    this.#traffic = parts.traffic
    this.#clock = parts.clock
    this.#isOnline = parts.isOnline
    this.#watch = parts.watch
    this.#moveNow = parts.move
    this.#usesGateway = parts.isOnline()
    this.#endpoint = parts.endpoint
    this.#bot = bot
    this.#patience = patience
    const unwatch = bot.watch((error) => {
      this.#error ??= error
      for (const wake of [...this.#waiting]) wake()
    })
    const unsubscribe = bed.registry.subscribe(({ type }) => {
      this.#hasDeleted ||= type === 'command_deleted'
      this.#hasCreated ||= type === 'command_created'
    })
    this.close = () => {
      unwatch()
      unsubscribe()
    }
  }

  /** Keeps the commands of the bot, because it may delete them, such as in a /sync. */
  async keepCommands(): Promise<void> {
    this.#commands = await this.#bed.registry.snapshot(this.#bed.applicationId)
    this.#hasDeleted = false
    this.#hasCreated = false
  }

  /** The longest time a person waits. */
  get patient(): Waits {
    return { answer: ANSWER_TIMEOUT, edit: this.#patience, settle: 0 }
  }

  /** A shorter time, in which this bot would have answered by far. */
  get brief(): Waits {
    const wait = Math.max(MIN_WAIT, 10 * this.#slowest)
    return { answer: Math.min(ANSWER_TIMEOUT, wait), edit: Math.min(this.#patience, wait), settle: 0 }
  }

  /** Until the error of this bot arrives, once it is expected: a busy machine takes longer. */
  get settling(): number {
    return Math.min(ANSWER_TIMEOUT, Math.max(SETTLE, 3 * this.#slowest))
  }

  /** Whether the bot was connected to the gateway at the start. */
  get usesGateway(): boolean {
    return this.#usesGateway
  }

  /** Whether the bot answers at an address, which Discord checks when it is saved. */
  get isAddress(): boolean {
    return this.#endpoint !== undefined && this.#endpoint.fetch === undefined
  }

  /** Sends what Discord sends when the address of the endpoint is saved. */
  async handshake(): Promise<FuzzedEndpoint> {
    const checked = await checkAddress(this.#bed.applicationId, this.#endpoint!, this.#clock)
    await this.#settle()
    const error = this.#error ?? null
    await this.recover()
    return { ...checked, forged: [], error }
  }

  /** The kinds of interactions that the address takes with an invalid signature. */
  takenForged(): Promise<readonly string[]> {
    return takenForged(this.#traffic, this.#endpoint!, this.#clock)
  }

  /** Drops the connections of the bot, and waits until it is back. Returns the fault of a bot that stays away. */
  async reconnected(): Promise<Fault | undefined> {
    this.#bot.forgetErrors?.()
    this.#bed.drop()
    const end = realTimers.now() + RECONNECT
    while (!this.#isOnline() && this.#error === undefined && realTimers.now() <= end) {
      const limit = this.#clock.movesBots ? MIN_WAIT : end - realTimers.now()
      await this.#until(() => this.#isOnline(), limit)
      // Libraries wait some seconds before they connect again.
      if (this.#clock.movesBots && !this.#isOnline()) await this.#move(STRIDE)
    }
    const isBack = this.#isOnline()
    this.#isLost = !isBack
    if (isBack) return undefined
    return newFault(
      'lost_connection',
      'the bot did not log in again within 10 s after its connection was dropped',
    )
  }

  /** How often the bot was started again. */
  get starts(): number {
    return this.#starts
  }

  /** The number of the last request or frame. */
  get position(): number {
    return this.#traffic.lastId
  }

  /** The requests of the bot after a position, without their ids. */
  requestsAfter(began: number): readonly string[] {
    return requestsAfter(this.#traffic, began).map(
      ({ method, path, status }) => `${routeTemplate(`${method} ${path}`)} ${status}`,
    )
  }

  /** The fault of a bot that has answered an interaction twice since a position. */
  answeredTwice(began: number): Fault | undefined {
    const faults = requestsAfter(this.#traffic, began).map(faultOfSecondAnswer)
    return faults.find((fault) => fault !== undefined)
  }

  /** Waits until the bot has sent a request again that was refused with 429 after a position, for some milliseconds. */
  async retried(refused: number, milliseconds: number): Promise<void> {
    const hasRetried = () => this.requestsAfter(refused).length > 1
    if (this.#clock.movesBots && !hasRetried()) await this.#move(milliseconds)
    await this.#until(hasRetried, milliseconds + RETRY)
    await this.quiet()
  }

  /** Waits until the bot is done with what it has been sent. */
  quiet(): Promise<void> {
    return this.#watch.quiet.person()
  }

  /** Whether all steps are answered when people take their time. */
  async isAnsweredSlowly(steps: readonly Step[]): Promise<boolean> {
    const { at } = await this.slowly(() => this.playAll(steps, this.patient, false))
    return at === steps.length
  }

  /** Repeats something as people would who take their time. */
  async slowly<T>(task: () => Promise<T>): Promise<T> {
    const { quiet } = this.#watch
    const { pace } = quiet
    quiet.pace = Math.max(pace, SLOW_PACE)
    try {
      return await task()
    } finally {
      quiet.pace = pace
    }
  }

  /**
   * Does steps until one has a fault or is not possible. Starts a bot that has ended again first.
   *
   * @returns the number of that step, or of all steps, and the fault
   */
  async playAll(
    steps: readonly Step[],
    waits: Waits,
    isFresh: boolean,
  ): Promise<{ readonly at: number; readonly fault?: Fault | undefined }> {
    await this.recover(isFresh)
    await this.restore()
    const replies: Reply[] = []
    for (const [at, step] of steps.entries()) {
      const { reply, fault } = await this.play(step, replies, waits)
      if (fault !== undefined || reply === undefined) return { at, fault }
      replies.push(reply)
    }
    return { at: steps.length }
  }

  /** @param replies those of the earlier steps */
  async play(step: Step, replies: readonly Reply[], waits: Waits): Promise<Outcome> {
    const began = this.#traffic.lastId
    this.#bot.forgetErrors?.()
    const attempt = () => this.#try(step, replies, waits, began)
    const isLost = ({ fault }: Outcome) => fault?.code === 'lost_connection'
    let outcome = await attempt()
    // A bot may resume; then the step can be done after all.
    if (isLost(outcome) && this.#error === undefined && (await succeeds(this.#bed.online())))
      outcome = await attempt()
    this.#isLost = isLost(outcome)
    const { fault, reply, milliseconds } = outcome
    if (fault === undefined && reply !== undefined) this.#slowest = Math.max(this.#slowest, milliseconds)
    // An error arrives after the answer that caused it, and must not count for the next step.
    if (fault !== undefined) await this.#settle()
    const missing = unknownRoutesAfter(this.#traffic, began).map(routeTemplate)
    for (const route of missing) this.missingRoutes.set(route, (this.missingRoutes.get(route) ?? 0) + 1)
    const explained = this.#explained(fault, reply !== undefined)
    // A bot that fails after a route was missing may not be to blame.
    if (missing.length > 0 && EXCUSED.has(explained?.code)) {
      await this.recover()
      return { milliseconds }
    }
    return explained === fault ? outcome : { milliseconds, fault: explained }
  }

  /** A fault with the error that the bot left unhandled or wrote; that error alone when it matters more. */
  #explained(fault: Fault | undefined, isAnswered: boolean): Fault | undefined {
    if (this.#error !== undefined && !OF_ANSWER.has(fault?.code))
      return { ...newFault('crashed', this.#error), ...(isAnswered && { isLater: true }) }
    if (fault === undefined || !UNEXPLAINED.has(fault.code)) return fault
    // Many bots write their errors and go on.
    const error = this.#bot.takeError?.()
    return error === undefined ? fault : { ...fault, message: `${fault.message}; the bot wrote:\n${error}` }
  }

  /** Waits for an error of a bot; longer for one that is gone, whose error is on its way. */
  async #settle(milliseconds = this.#bot === thisProcess ? 0 : this.settling): Promise<void> {
    if (milliseconds > 0) await this.pause(milliseconds)
    await this.#reached()
  }

  /** Waits until the bot can be reached, or is known to have ended. */
  #reached(): Promise<void> {
    return this.pause(GONE, this.#bot.reached?.() ?? Promise.resolve())
  }

  /** The error that a bot in another process leaves after its last answer. */
  async lateFault(): Promise<Fault | undefined> {
    await this.#settle()
    return this.#error === undefined ? undefined : newFault('crashed', this.#error)
  }

  /** Lets the bot do what it does some time after its last use. */
  async rest(): Promise<void> {
    if (this.#clock.movesBots) await this.#move(MINUTE)
    await this.quiet()
  }

  /** Whether a bot waits a minute in no time. */
  get movesBots(): boolean {
    return this.#clock.movesBots
  }

  /** Brings back commands that the bot has deleted, and what people and channels had at first, such as before a ban. */
  async restore(): Promise<void> {
    if (this.#hasDeleted) await this.recover()
    // Those that a bot deploys later are kept too.
    else if (this.#hasCreated) await this.keepCommands()
    // Cooldowns pass; what the bot does then is of earlier steps.
    if (this.#clock.movesBots && !this.#isRested) {
      await this.rest()
      await this.#reached()
      if (this.#error !== undefined) await this.recover()
    }
    this.#isRested = true
    restoreServer(this.#world, this.server)
  }

  /** Starts a bot that has ended again, and forgets its error. @returns false for a bot that stays away */
  async recover(isFresh = false): Promise<boolean> {
    const { restart } = this.#bot
    const isLost = this.#isLost || (this.#usesGateway && !this.#isOnline())
    const isGone = this.#error !== undefined || isLost
    // A bot that has deleted its commands may have unloaded them as well.
    const mustForget = isFresh || this.#hasDeleted
    if (this.#hasDeleted) await this.#bed.registry.restore(this.#commands)
    if (isGone || mustForget) {
      if (restart !== undefined) this.#starts++
      // A bot that does not come back by itself is started anew.
      const isBack =
        restart === undefined
          ? !isLost || (await succeeds(this.#bed.online()))
          : (await succeeds(restart(mustForget))) || (isLost && (await succeeds(restart(true))))
      if (!isBack) return false
    }
    this.#hasDeleted = false
    this.#error = undefined
    this.#isLost = false
    return true
  }

  async #try(step: Step, replies: readonly Reply[], waits: Waits, began: number): Promise<Outcome> {
    this.#isRested = step.kind === 'wait'
    if (step.kind === 'wait') {
      await this.rest()
      await this.#reached()
      return { reply: [], milliseconds: 0, fault: this.#sent(began, undefined) }
    }
    // Libraries such as nextcord leave interactions alone whose ids look old. No two steps begin at the same time.
    if (!this.#clock.movesBots) await this.#moveNow(Math.max(1, systemClock.now() - this.#clock.now()))
    // The time that the bot takes begins when the person acts.
    await this.quiet()
    const started = realTimers.now()
    const timed = (result: Omit<Outcome, 'milliseconds'>): Outcome => ({
      ...result,
      milliseconds: realTimers.now() - started,
    })
    const acting = carryOutStep(this.#bed, this.server, step, replies).then(
      (reply) => timed({ reply }),
      (error: unknown) => timed({ fault: faultOfError(error) }),
    )
    // The testbed ends a use that takes too long; shorter waits end here, and so does a use of a bot that fails.
    const wait = waits.answer < ANSWER_TIMEOUT ? waits.answer : 2 * ANSWER_TIMEOUT
    const late = newFault('no_answer', 'the bot did not answer in time')
    const ended = this.#silence(wait, acting).then(() => timed({ fault: late }))
    const outcome = await Promise.race([acting, ended])
    const { reply } = outcome
    return reply === undefined
      ? outcome
      : { ...outcome, fault: await this.#observe(step, reply, waits, began) }
  }

  /** The fault of a bot that has answered. */
  async #observe(
    step: Exclude<Step, Wait>,
    reply: Reply,
    waits: Waits,
    began: number,
  ): Promise<Fault | undefined> {
    const text = entered(step, this.server)
    this.#entered = step.kind === 'use' ? text : this.#entered + text
    const isSuggestion = 'length' in reply
    const id = isSuggestion ? undefined : reply.interaction.id
    const fault = isSuggestion
      ? faultOfSuggested(step, reply)
      : ((await this.#unedited(reply, waits, began)) ?? faultOfMessage(reply, this.#entered))
    if (fault !== undefined) return fault
    // What the bot does after its answer belongs to this step, such as an error.
    await (waits.settle === 0 ? this.quiet() : this.#settle(waits.settle))
    return this.#sent(began, id)
  }

  /** The fault in what the bot sent beside its answer. */
  #sent(began: number, interactionId: string | undefined): Fault | undefined {
    const fault = faultOfSent(this.#traffic, began, interactionId, this.#entered)
    return fault && { ...fault, isLater: true }
  }

  /** Waits for the edit of a deferred answer. Returns the fault of a bot that does not edit it. */
  async #unedited(reply: Shown, waits: Waits, began: number): Promise<Fault | undefined> {
    const isWaiting = () => reply.kind === 'thinking' && !reply.deleted && this.#error === undefined
    const isOpen = () => isWaiting() && this.#sent(began, reply.interaction.id) === undefined
    const { movesBots } = this.#clock
    const end = movesBots ? Math.min(this.brief.edit, waits.edit) : waits.edit
    await this.#until(() => !isOpen(), end)
    for (let waited = 0; movesBots && isOpen() && waited < waits.edit; waited += STRIDE)
      await this.#move(STRIDE)
    const sent = this.#sent(began, reply.interaction.id)
    if (sent !== undefined || !isWaiting()) return sent
    const patience = Math.round(this.#patience / 1_000)
    return newFault('never_edited', `the bot deferred the answer and did not edit it within ${patience} s`)
  }

  /** The time in which a bot must answer: mostly without waiting, where its clock can be moved. */
  async #silence(milliseconds: number, acting: Promise<unknown>): Promise<void> {
    if (!this.#clock.movesBots) return this.pause(milliseconds, acting)
    let isOver = false
    const ended = acting.then(() => {
      isOver = true
    })
    await this.pause(Math.min(milliseconds, this.brief.answer), ended)
    if (!isOver) await this.#move(ANSWER_TIMEOUT)
    // The testbed ends the use by the clock.
    await this.pause(MIN_WAIT, ended)
  }

  /** Moves the clock of the bot. A bot that does not come to rest fails in another way. */
  async #move(milliseconds: number): Promise<void> {
    await this.#moveNow(milliseconds).catch(() => {})
  }

  /** Waits until a check of what the bot does succeeds, the bot fails, or milliseconds are over. */
  async #until(check: () => boolean, milliseconds: number): Promise<void> {
    const isOver = () => check() || this.#error !== undefined || undefined
    const subscribe = (look: () => void) => {
      this.#waiting.add(look)
      return () => this.#waiting.delete(look)
    }
    await this.#watch.until(isOver, subscribe, milliseconds)
  }

  /** Resolves when the bot fails, after milliseconds, or with another promise. */
  pause(milliseconds: number, other?: Promise<unknown>): Promise<void> {
    if (this.#error !== undefined) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        realTimers.stop(timer)
        this.#waiting.delete(end)
        resolve()
      }
      const timer = realTimers.start(end, milliseconds)
      this.#waiting.add(end)
      void other?.then(end)
    })
  }
}

/** The fault of suggestions for the option that a person types. */
function faultOfSuggested(step: Step, reply: Exclude<Reply, Shown>): Fault | undefined {
  const asked = step.kind === 'use' ? step.use.values.at(-1)?.option : undefined
  return asked && faultOfSuggestions(reply, asked)
}
