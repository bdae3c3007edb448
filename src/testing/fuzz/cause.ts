/** Finds the shortest steps that repeat a fault, on the bot that had it and on one that has just been started. */
import { realTimers } from '../../core/timers.ts'
import type { FuzzStage } from './planned-uses.ts'
import { faultKind, type Cause } from './failure.ts'
import { mustRepeat, type Fault } from './faults.ts'
import type { Player } from './player.ts'
import { shrink } from './shrink.ts'
import { chainOf, joinHistories, type Step } from './steps.ts'

type Steps = readonly Step[]
type Blamed = Pick<Cause, 'before' | 'steps'>

const MAX_TRIES = 40
/** The tries of a fault that needs a bot without memories of earlier uses, which takes long to start. */
const MAX_FRESH_TRIES = 8
/** Milliseconds to wait for a crash that comes by itself. */
const MAX_TIMER = 10_000
/** The earlier uses among which a cause is looked for. */
export const MAX_EARLIER = 32

interface Context {
  readonly player: Player
  readonly stage: FuzzStage
  /** The uses before, since the bot was started, oldest first. */
  readonly earlier: readonly Steps[]
  /** Whether the bot can be started again. */
  readonly canRestart: boolean
}

/**
 * The shortest steps that repeat a fault; all steps if it does not happen again, also when they are done slowly. A bot
 * may answer otherwise because of earlier uses: in a cooldown, which hides a fault, or with something that they have
 * stored. So a bot that has just been started does the steps too, and where it does not fail, the earlier uses with them.
 *
 * @returns also how often steps were tried
 */
export async function causeOf(
  found: Fault,
  history: Steps,
  context: Context,
): Promise<Cause & { readonly tried: number }> {
  const search = new Search(found, context)
  const shortest = await search.onThisBot(history)
  const onFresh = context.canRestart ? await search.onFreshBot(shortest, history) : undefined
  const { fault, tried } = search
  const fresh = context.canRestart ? onFresh !== undefined : null
  if (onFresh !== undefined) return { ...onFresh, fault, tried, fresh, repeated: true }
  const repeated = shortest !== undefined || (mustRepeat(found) && (await search.slowly(history)))
  return { before: [], steps: shortest ?? history, fault, tried: search.tried, fresh, repeated }
}

class Search {
  fault: Fault
  tried = 1
  readonly #found: Fault
  readonly #context: Context
  readonly #isSlow: boolean
  readonly #isCrash: boolean
  readonly #waits: Player['patient']

  constructor(found: Fault, context: Context) {
    const { brief, patient, settling } = context.player
    this.fault = this.#found = found
    this.#context = context
    this.#isSlow = mustRepeat(found)
    this.#isCrash = found.code === 'crashed'
    this.#waits = this.#isSlow ? brief : { ...patient, settle: this.#isCrash ? settling : 0 }
  }

  async onThisBot(history: Steps): Promise<Steps | undefined> {
    // The error of a bot may arrive after the next use.
    const others = this.#isCrash ? this.#context.earlier.slice(-2).reverse() : []
    for (const steps of [chainOf(history), history, ...others]) {
      const shortest = await this.#shortest(steps, false, () => MAX_TRIES - this.tried)
      if (shortest !== undefined) return shortest
    }
    return undefined
  }

  /** @param shortest the steps that repeat the fault on the bot that had it; undefined for none */
  async onFreshBot(shortest: Steps | undefined, history: Steps): Promise<Blamed | undefined> {
    const blamed = await this.#blamed(shortest, history)
    const waits =
      blamed && joinHistories([...blamed.before, blamed.steps]).filter(({ kind }) => kind === 'wait')
    // A bot that crashes some minutes after its start does so whatever people do.
    const isAlone = waits !== undefined && waits.length > 0 && (await this.#fails(waits, this.#waits, true))
    return isAlone ? undefined : blamed
  }

  async #blamed(shortest: Steps | undefined, history: Steps): Promise<Blamed | undefined> {
    if (shortest !== undefined && (await this.#fails(shortest, this.#waits, true)))
      return { before: [], steps: shortest }
    const steps = await this.#shortest(history, true, () => MAX_FRESH_TRIES)
    if (steps !== undefined) return { before: [], steps }
    // What was slow once may have been so because of a busy machine.
    if (shortest === undefined && this.#isSlow) return undefined
    return this.#withEarlier(shortest ?? history)
  }

  /** Whether steps repeat the fault when people take their time. */
  slowly(steps: Steps): Promise<boolean> {
    const { player } = this.#context
    return player.slowly(() => this.#fails(steps, { ...player.patient, settle: player.settling }, false))
  }

  async #shortest(steps: Steps, isFresh: boolean, budget: () => number): Promise<Steps | undefined> {
    const fails = (simpler: Steps) => this.#fails(simpler, this.#waits, isFresh)
    if (!(await fails(steps))) return undefined
    // The last try is for the full wait.
    const shortest = await shrink(steps, this.#context.stage, fails, budget() - 1)
    const { patient } = this.#context.player
    return !this.#isSlow || (await this.#fails(shortest, patient, isFresh)) ? shortest : undefined
  }

  /** The last earlier uses with which a fresh bot has the fault, as few as possible. */
  async #withEarlier(steps: Steps): Promise<Blamed | undefined> {
    const { earlier } = this.#context
    for (let count = 1, last = 0; last < earlier.length; count *= 2) {
      last = Math.min(count, earlier.length)
      const histories = [...earlier.slice(-last), steps]
      const began = realTimers.now()
      const at = await this.#faultAt(joinHistories(histories), this.#waits, true)
      if (at === undefined) continue
      // A bot that crashes may do so after an earlier one.
      const cause = upTo(at, histories)
      const lasted = realTimers.now() - began
      return (this.#isCrash && (await this.#timerIn(cause.before, lasted))) || this.#fewest(cause)
    }
    return undefined
  }

  /** One of several uses after which a bot crashes by itself. @param wait for how long, in milliseconds */
  async #timerIn(histories: readonly Steps[], wait: number): Promise<Blamed | undefined> {
    const waits = { ...this.#waits, settle: Math.min(MAX_TIMER, wait + this.#context.player.settling) }
    for (const steps of histories) if (await this.#fails(steps, waits, true)) return { before: [], steps }
    return undefined
  }

  async #fewest({ before, steps }: Blamed): Promise<Blamed> {
    const isRepeated = (fewer: readonly Steps[]) =>
      this.#fails(joinHistories([...fewer, steps]), this.#waits, true)
    const unwaited = before.map((history) => history.filter(({ kind }) => kind !== 'wait'))
    let needed = (await isRepeated(unwaited)) ? unwaited : before
    let budget = MAX_FRESH_TRIES
    for (let size = Math.ceil(needed.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < needed.length && budget > 0; budget--) {
        const fewer = needed.toSpliced(at, size)
        if (await isRepeated(fewer)) needed = fewer
        else at += size
      }
    return { before: needed, steps }
  }

  async #fails(steps: Steps, waits: Player['patient'], isFresh: boolean): Promise<boolean> {
    return (await this.#faultAt(steps, waits, isFresh)) === steps.length - 1
  }

  /** The number of the step with the fault; undefined without it. */
  async #faultAt(steps: Steps, waits: Player['patient'], isFresh: boolean): Promise<number | undefined> {
    this.tried++
    const { player } = this.#context
    const { at, fault } = await player.playAll(steps, waits, isFresh)
    if (fault === undefined || faultKind(fault) !== faultKind(this.#found)) return undefined
    // Faults of a short wait have a message without the requests of the bot.
    if (!this.#isSlow || waits !== this.#waits) this.fault = fault
    return this.#isCrash || at === steps.length - 1 ? at : undefined
  }
}

/** The histories up to a step of them all. */
function upTo(at: number, histories: readonly Steps[]): Blamed {
  let first = 0
  const last = histories.findIndex((steps) => at < (first += steps.length))
  const steps = histories[last]!
  return { before: histories.slice(0, last), steps: steps.slice(0, at - first + steps.length + 1) }
}
