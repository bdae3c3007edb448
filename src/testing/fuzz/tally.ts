/** What a run counts for each command. */
import { reactionName } from '../test-code/typed-text.ts'
import { componentsShown, stepName, type Reply, type Step } from './steps.ts'
import type { Fault } from './faults.ts'
import type { FuzzedCommand, FuzzFailure } from './fuzz-report.ts'
import type { NotSeen } from '../../model/not-seen.ts'
import type { FuzzStage, Subject, Use } from './planned-uses.ts'
import type { Shown } from '../testbed/answers/shown.ts'

/** The uses after which a command without a good answer is left. */
const HOPELESS = 10
/** The uses in a row that end in the same silence, after which a command is left: each of them takes seconds. */
const SILENT = 3

export class Tally {
  readonly subject: Subject
  readonly stage: FuzzStage
  readonly plan: readonly Use[]
  readonly times: number[] = []
  readonly tried = new Map<string, { times: number; failed: number }>()
  /** How many faults of each kind may still be shrunk. */
  readonly left = new Map<string, number>()
  followsUp = false
  /** The answer to the last use. Its follow-up may arrive after that use. */
  lastAnswer: Shown | undefined
  uses = 0
  answered = 0
  failed = 0
  hasEnded = false
  /** The silence in which the last uses ended, and how many in a row did. */
  #silence: { readonly kind: string; readonly times: number } | undefined
  readonly #given = new Set<string>()
  readonly #shown = new Set<string>()
  readonly #used = new Set<string>()

  constructor(subject: Subject, stage: FuzzStage, plan: readonly Use[]) {
    this.subject = subject
    this.stage = stage
    this.plan = plan
  }

  /** Whether further uses of the command are not worth their time. */
  get isHopeless(): boolean {
    return (this.answered === 0 && this.failed >= HOPELESS) || (this.#silence?.times ?? 0) >= SILENT
  }

  /** Counts a step that was done. */
  count(step: Step, reply: Reply | undefined, fault: Fault | undefined): void {
    this.#countSilence(step, fault)
    if (reply === undefined && fault === undefined) return
    if (step.kind === 'use') for (const { option } of step.use.values) this.#given.add(option.name)
    else if (step.kind !== 'wait') this.#used.add(reactionName(step.name))
    if (reply !== undefined && !('length' in reply))
      for (const name of [reply, ...reply.followUps].flatMap(componentsShown)) this.#shown.add(name)
  }

  #countSilence(step: Step, fault: Fault | undefined): void {
    const isSilent = fault?.code === 'no_answer' || fault?.code === 'never_edited'
    // What a bot does after an answer ends no silence, and is left by itself after some failures.
    if (!isSilent) {
      if (step.kind === 'use') this.#silence = undefined
      return
    }
    const kind = `${fault.code} ${stepName(step)}`
    const before = this.#silence
    this.#silence = { kind, times: kind === before?.kind ? before.times + 1 : 1 }
  }

  /** The command when it was not used; otherwise its options and components that were not. */
  get notSeen(): readonly NotSeen[] {
    const { name, options } = this.subject
    if (this.uses === 0) {
      const reason =
        this.stage.places.length === 0 ? 'nobody in the testbed can use it' : 'the run ended before it'
      return [{ kind: 'command', name, reason }]
    }
    const never = options.filter((option) => !this.#given.has(option.name))
    const left = [...this.#shown].filter((component) => !this.#used.has(component))
    return [
      ...never.map((option) => ({
        kind: 'option' as const,
        name: `${name} ${option.name}`,
        reason: 'never given',
      })),
      ...left.map((component) => ({
        kind: 'component' as const,
        name: `${name} ${component}`,
        reason: 'never used',
      })),
    ]
  }

  summary(failures: readonly FuzzFailure[]): FuzzedCommand {
    const { subject, stage, uses, times } = this
    const sorted = times.map(Math.round).sort((one, other) => one - other)
    return {
      command: subject.name,
      available: stage.places.length > 0,
      uses,
      failures: failures.filter(({ command }) => command === subject.name).length,
      median_ms: sorted[sorted.length >> 1] ?? null,
      slowest_ms: sorted.at(-1) ?? null,
    }
  }
}

export function usesOfAll(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { uses }) => sum + uses, 0)
}
