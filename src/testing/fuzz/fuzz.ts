/** Uses every command of a bot, and reports its faults with the shortest steps that show them. */
import { realTimers } from '../../core/timers.ts'
import type { ServerSettings } from '../../model/server.ts'
import type { Testbed } from '../testbed/bed.ts'
import { checkCommandNames, deployedElsewhere, deployedIn, subjectsNamed, placesIn } from './deployed.ts'
import { isIncomplete, missingRoutes, type NotSeen } from '../../model/not-seen.ts'
import { planUses, type Subject, type Use } from './planned-uses.ts'
import { Tally, usesOfAll } from './tally.ts'
import { mustRepeat, type Fault } from './faults.ts'
import { causeOf, MAX_EARLIER } from './cause.ts'
import { toFailure, isSameFailure, faultKind, whereOf } from './failure.ts'
import { Player, type Outcome } from './player.ts'
import { thisProcess } from './this-process.ts'
import { checkedFuzzOptions, type FuzzOptions, type FuzzProgress } from './fuzz-options.ts'
import { warningOf, type FuzzedEndpoint, type FuzzFailure, type FuzzReport } from './fuzz-report.ts'
import { faultsTogether } from './together.ts'
import { Warnings } from './warnings.ts'
import { chainOf, reactionsTo, stepName, WAIT, type Reply, type Step } from './steps.ts'

/** The uses of each command. */
const RUNS = 60
const UNTRIED_SIGNATURE: NotSeen = {
  kind: 'signature',
  name: 'endpoint',
  reason: 'a function has no address, so its check of signatures was not tried',
}
/** The reactions in a row, such as a button, a modal and its answer. */
const DEPTH = 3
/** The reactions to one use. */
const MAX_REACTIONS = 8
/** The times a reaction may fail before it is left. */
const MAX_FAILURES = 2

/**
 * Uses every command of a bot that is logged in to a testbed, or answers over HTTP.
 *
 * @example
 * const report = await fuzz(bed)
 * expect(report.failures).toEqual([])
 *
 * @throws TypeError for an unknown option, a command that the bot does not have, or a bot without commands
 */
export async function fuzz(bed: Testbed, options: FuzzOptions = {}): Promise<FuzzReport> {
  const run = new Run(bed, checkedFuzzOptions(options))
  try {
    return await run.report()
  } finally {
    run.player.close()
  }
}

class Run {
  readonly player: Player
  readonly #bed: Testbed
  readonly #options: FuzzOptions
  readonly #server: ServerSettings
  readonly #failures: FuzzFailure[] = []
  readonly #warnings = new Warnings()
  #schedules = 0
  /** The last histories since the bot was started, oldest first. */
  #earlier: (readonly Step[])[] = []
  /** How often the bot had been started before them. */
  #starts = 0
  #last: { readonly tally: Tally; readonly history: readonly Step[] } | undefined
  /** The fault that is being shortened. */
  #unfinished: FuzzFailure | undefined
  /** The names of the global commands that the server has too. */
  #covered: readonly string[] = []
  readonly #tallies: Tally[] = []
  #endpoint: FuzzedEndpoint | null = null
  #commandsLeft = 0
  /** When the time of the run is over. */
  #end = Infinity
  #isOver = false

  constructor(bed: Testbed, options: FuzzOptions) {
    this.#bed = bed
    this.#options = options
    this.player = new Player(bed, options.bot ?? thisProcess, options.patience ?? 15_000)
    this.#server = this.player.server
  }

  async report(): Promise<FuzzReport> {
    const { seed = 1, signal } = this.#options
    const done = this.#runAll()
    await (signal === undefined ? done : Promise.race([done, aborted(signal)]))
    if (signal?.aborted) {
      this.#isOver = true
      // What is under way fails when the testbed closes.
      done.catch(() => {})
    }
    const unfinished = this.#unfinished
    if (unfinished !== undefined && mustRepeat(unfinished)) this.#warnings.add(warningOf(unfinished, 1))
    const isFailure = unfinished !== undefined && !mustRepeat(unfinished)
    const failures = [...this.#failures, ...(isFailure ? [unfinished] : [])]
    const notSeen = await this.#notSeen()
    const endpoint = this.#endpoint
    return {
      version: 1,
      ok: failures.length === 0 && !isIncomplete(notSeen) && isSafe(endpoint),
      seed,
      uses: usesOfAll(this.#tallies),
      commands: this.#tallies.map((tally) => tally.summary(failures)),
      failures,
      warnings: this.#warnings.list,
      schedules: this.#schedules,
      endpoint,
      not_seen: notSeen,
      missing_intents: this.#bed.access().intents.missing,
      in_two_scopes: this.#covered,
    }
  }

  async #runAll(): Promise<void> {
    const { time = Infinity, signal } = this.#options
    const prepared = await this.#prepare()
    if (signal?.aborted) return
    this.#end = realTimers.now() + time
    if (this.player.isAddress) this.#endpoint = await this.player.handshake()
    await this.#useAll(prepared)
    await this.#useLater()
    if (this.#options.people === 2)
      for (const [index, tally] of this.#tallies.entries()) {
        this.#progress('two people', this.#tallies.length - index)
        await this.#together(tally)
      }
    const late = this.#isOver ? undefined : await this.player.lateFault()
    if (late !== undefined && this.#last !== undefined)
      await this.#failed(this.#last.tally, this.#last.history, late)
    if (this.#endpoint !== null && this.#endpoint.problems.length === 0 && !this.#options.signal?.aborted)
      this.#endpoint = { ...this.#endpoint, forged: await this.player.takenForged() }
  }

  async #useAll(tallies: readonly Tally[]): Promise<void> {
    const { runs = RUNS } = this.#options
    // Round by round, so that a run that is cut off has tried every command.
    for (let round = 0; round < runs && !this.#isOver; round++) {
      const left = tallies.filter((tally) => tally.plan.length > round && !tally.isHopeless).length
      for (const tally of tallies) {
        const use = tally.plan[round]
        if (realTimers.now() > this.#end) this.#isOver = true
        if (use === undefined || tally.isHopeless || this.#isOver) continue
        this.#progress('uses', left)
        await this.player.restore()
        await this.#explore(tally, use)
        await this.#waitAfter(tally)
        if (round === tally.plan.length - 1 || tally.isHopeless) this.#ended(tally)
      }
    }
  }

  #progress(phase: FuzzProgress['phase'], commandsLeft: number): void {
    this.#commandsLeft = commandsLeft
    const uses = usesOfAll(this.#tallies)
    this.#options.onProgress?.({ phase, uses, failures: this.#failures.length, commandsLeft })
  }

  /** Two people use a command at once. Faults that one person alone has seen are known. */
  async #together({ subject, stage, plan }: Tally): Promise<void> {
    const [use] = plan
    if (use === undefined || this.#isOver) return
    const { channel, as } = use.place
    const other = stage.places.find((place) => place.channel === channel && place.as !== as)?.as
    if (other === undefined) return
    const isKnown = ({ code, command }: FuzzFailure) =>
      command === subject.name && code !== 'broken_invariant'
    const known = new Set(this.#failures.filter(isKnown).map(({ code }) => code))
    const found = await faultsTogether(subject, use, other, {
      ...{ player: this.player, bed: this.#bed, server: this.#server, isOver: () => this.#isOver },
      invariant: this.#options.invariant,
    })
    this.#schedules += found.schedules
    this.#failures.push(...found.failures.filter(({ code }) => !known.has(code)))
    for (const warning of found.warnings) this.#warnings.add(warning)
  }

  #ended(tally: Tally): void {
    if (tally.hasEnded || this.#options.signal?.aborted) return
    tally.hasEnded = true
    this.#options.onCommand?.(tally.summary(this.#failures))
  }

  /** The commands that were not prepared before. @throws TypeError for a bot without commands */
  async #prepare(): Promise<readonly Tally[]> {
    const { runs = RUNS, seed = 1 } = this.#options
    const { subjects, covered } = await deployedIn(this.#bed, this.#server)
    const isFirst = this.#tallies.length === 0
    if (subjects.length === 0 && isFirst) throw new TypeError('bed: the bot has deployed no commands')
    if (isFirst) checkCommandNames(subjects, this.#options.only)
    this.#covered = covered
    const unprepared = this.#unprepared(subjects)
    if (unprepared.length === 0) return []
    const placesOf = await placesIn(this.#bed, this.#server, this.#options.installed)
    if (isFirst) await this.player.keepCommands()
    const before = this.#tallies.length
    const prepared = unprepared.map((subject, index) => {
      const places = placesOf(subject)
      const stage = { server: this.#server, places }
      const plan = places.length === 0 ? [] : planUses(subject, stage, runs, seed + before + index)
      return new Tally(subject, stage, plan)
    })
    this.#tallies.push(...prepared)
    return prepared
  }

  #unprepared(subjects: readonly Subject[]): readonly Subject[] {
    const known = new Set(this.#tallies.map(({ subject }) => subject.name))
    return subjectsNamed(subjects, this.#options.only).filter(({ name }) => !known.has(name))
  }

  /** Uses the commands that the bot has deployed since the run began, until there are no more. */
  async #useLater(): Promise<void> {
    while (!this.#isOver) {
      await this.player.rest()
      const later = await this.#prepare()
      if (later.length === 0) return
      await this.#useAll(later)
    }
  }

  /** What the run has not seen, looking once more at what is deployed. */
  async #notSeen(): Promise<readonly NotSeen[]> {
    const { subjects } = await deployedIn(this.#bed, this.#server)
    const reason = this.#isOver ? 'the run ended before it' : 'deployed after the last use'
    const late = this.#unprepared(subjects).map(({ name }) => ({ kind: 'command' as const, name, reason }))
    const seen = new Set(subjects.map(({ name }) => name))
    const others = await deployedElsewhere(this.#bed, this.#server, this.#options.only)
    // Of one kind of installation, the commands of the other are not meant.
    const isMeant = ({ stage }: Tally) => this.#options.installed === undefined || stage.places.length > 0
    const tallies = this.#tallies.filter(isMeant)
    const untried = this.player.isAddress || this.player.usesGateway ? [] : [UNTRIED_SIGNATURE]
    return [
      ...late,
      ...others.filter(({ kind, name }) => kind === 'server' || !seen.has(name)),
      ...tallies.flatMap(({ notSeen }) => notSeen),
      ...untried,
      ...missingRoutes(this.player.missingRoutes),
    ]
  }

  /** Waits a minute after the last use: what the bot does then belongs to it. */
  async #waitAfter(tally: Tally): Promise<void> {
    const history = this.#last?.history
    const { player } = this
    if (history === undefined || this.#isOver) return
    if (player.starts === this.#starts && player.movesBots) {
      const waited = [...history, WAIT]
      const { fault } = await player.play(WAIT, [], player.patient)
      this.#last = { tally, history: waited }
      if (fault !== undefined) await this.#failed(tally, waited, fault)
    }
    const isKept = player.starts === this.#starts
    this.#earlier = isKept ? [...this.#earlier, this.#last!.history].slice(-MAX_EARLIER) : []
    this.#starts = player.starts
  }

  // --- Exploring ----------------------------------------------------------------------------------------------

  /** One use, and the reactions to its answers that were tried least. */
  async #explore(tally: Tally, use: Use): Promise<void> {
    const history: Step[] = []
    const replies: Reply[] = []
    const step = async (next: Step): Promise<boolean> => {
      history.push(next)
      tally.uses++
      const isKnown = [...tally.left.keys()].some((kind) => /^(?:no_answer|never_edited)/.test(kind))
      const { brief, patient } = this.player
      const began = this.player.position
      const outcome = await this.player.play(next, replies, isKnown ? brief : patient)
      const { reply, fault, milliseconds } = outcome
      this.#options.onStep?.({
        ...whereOf(history, this.#server),
        seen: seenIn(outcome),
        requests: this.player.requestsAfter(began),
      })
      if (reply !== undefined) replies.push(reply)
      tally.count(next, reply, fault)
      if (fault !== undefined) await this.#failed(tally, history, fault)
      else if (reply !== undefined) tally.times.push(milliseconds)
      return fault === undefined && reply !== undefined
    }
    const isGood = await step({ kind: 'use', use })
    this.#last = { tally, history }
    if (!isGood) {
      if (replies.length < history.length) tally.failed++
      return
    }
    tally.answered++
    const [first] = replies
    if ('length' in first!) {
      const chosen = useOfSuggestion(use, first)
      if (chosen !== undefined) await step({ kind: 'use', use: chosen })
      return
    }
    tally.followsUp ||= (tally.lastAnswer?.followUps.length ?? 0) > 0
    tally.lastAnswer = first!
    // It arrives after the answer.
    if (tally.followsUp)
      await this.player.pause(
        this.player.brief.answer,
        first!.followedUp().catch(() => {}),
      )
    const done = new Set<string>()
    for (let count = 0; count < MAX_REACTIONS; count++) {
      const next = this.#leastTried(tally, use, history, replies, done)
      if (next === undefined) break
      done.add(next.key)
      const tried = tally.tried.get(next.key) ?? { times: 0, failed: 0 }
      const isDone = await step(next.reaction)
      tally.tried.set(next.key, { times: tried.times + 1, failed: tried.failed + (isDone ? 0 : 1) })
      if (!isDone) break
    }
  }

  /** The reaction that was tried least, of those that were not done in this use. */
  #leastTried(
    { tried }: Tally,
    use: Use,
    history: readonly Step[],
    replies: readonly Reply[],
    done: ReadonlySet<string>,
  ) {
    const timesOf = (key: string) => tried.get(key)?.times ?? 0
    return replies
      .flatMap((reply, on) => ('length' in reply ? [] : reactionsTo(reply, on, use, this.#server)))
      .map((reaction) => {
        const depth = chainOf([...history, reaction]).length - 1
        return { reaction, depth, key: `${depth} ${stepName(reaction)}` }
      })
      .filter(({ depth, key }) => depth <= DEPTH && !done.has(key))
      .filter(({ key }) => (tried.get(key)?.failed ?? 0) < MAX_FAILURES)
      .sort((one, other) => timesOf(one.key) - timesOf(other.key))[0]
  }

  // --- Failures -----------------------------------------------------------------------------------------------

  async #failed(tally: Tally, history: readonly Step[], found: Fault): Promise<void> {
    if (this.#warnings.isKnown({ code: found.code, ...whereOf(history, this.#server) })) {
      this.#warn(history, found, 1)
      await this.player.recover()
      return
    }
    if (await this.#isTooFast(history, found)) return this.#warn(history, found, 2)
    const kind = `${faultKind(found)} ${stepName(history.at(-1)!)}`
    // The issues of a refused answer tell causes apart; other faults of one kind may have several.
    const left = tally.left.get(kind) ?? (found.code === 'crashed' || found.code === 'no_answer' ? 3 : 1)
    tally.left.set(kind, left)
    if (left > 0) {
      const isKnown = (failure: FuzzFailure) => this.#failures.some((known) => isSameFailure(known, failure))
      const uncertain = { before: [], steps: history, fault: found, repeated: false, fresh: null }
      const longest = toFailure(uncertain, this.#server)
      this.#unfinished = isKnown(longest) ? undefined : longest
      this.#progress('shortening', this.#commandsLeft)
      const { tried, ...cause } = await causeOf(found, [...history], {
        ...{ player: this.player, stage: tally.stage, earlier: this.#earlier },
        canRestart: this.#options.bot?.restart !== undefined,
      })
      if (this.#options.signal?.aborted) return
      this.#unfinished = undefined
      if (!cause.repeated && mustRepeat(found)) {
        this.#warn(history, found, tried)
        tally.left.delete(kind)
        await this.player.recover()
        return
      }
      const failure = toFailure(cause, this.#server)
      const isNew = !isKnown(failure)
      if (isNew) this.#failures.push(failure)
      tally.left.set(kind, isNew ? left - 1 : 0)
    }
    if (!(await this.player.recover())) this.#isOver = true
  }

  #warn(history: readonly Step[], { code, message }: Fault, of: number): void {
    this.#warnings.add(warningOf({ code, message, ...whereOf(history, this.#server) }, of))
  }

  /** Whether a reaction was missed by a bot that was not ready for it, as only people who take their time can see. */
  async #isTooFast(history: readonly Step[], { code }: Fault): Promise<boolean> {
    if (code !== 'no_answer' || history.at(-1)!.kind === 'use') return false
    return this.player.isAnsweredSlowly(chainOf(history))
  }
}

/** Whether Discord takes an address, and the bot there verifies every interaction. */
function isSafe(endpoint: FuzzedEndpoint | null): boolean {
  return endpoint === null || endpoint.problems.length + endpoint.forged.length === 0
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** The use of a suggestion; undefined without suggestions. */
function useOfSuggestion(use: Use, suggestions: Exclude<Reply, { kind: string }>): Use | undefined {
  const [pick = 0] = use.picks
  const suggestion = suggestions[pick % suggestions.length]
  if (suggestion?.kind !== 'choice' || suggestion.value === '') return undefined
  const { focused, ...rest } = use
  const { value } = suggestion
  return {
    ...rest,
    values: use.values.map((one) => (one.option.name === focused ? { ...one, value } : one)),
  }
}

/** What a person saw after a step. */
function seenIn({ reply, fault }: Outcome): string {
  if (fault !== undefined) return `${fault.code}: ${fault.message.split('\n', 1)[0]}`
  if (reply === undefined) return 'not possible'
  if ('length' in reply) return reply.map((one) => (one.kind === 'choice' ? one.name : '')).join('\n')
  return [reply, ...reply.followUps].map((shown) => shown.text()).join('\n')
}
