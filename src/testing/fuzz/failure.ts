/** A fault with the steps that lead to it, as a report has it. */
import type { ServerSettings } from '../../model/server.ts'
import type { Fault } from './faults.ts'
import type { FuzzFailure } from './fuzz-report.ts'
import {
  answerName,
  callCode,
  codeOf,
  joinHistories,
  lineOfUse,
  stepName,
  useOf,
  type Step,
} from './steps.ts'

/** The steps that lead to a fault, and whether they did again. */
export interface Cause {
  /** The earlier uses that it needs, oldest first. */
  readonly before: readonly (readonly Step[])[]
  /** A use and what followed; the last step has the fault. */
  readonly steps: readonly Step[]
  readonly fault: Fault
  readonly repeated: boolean
  /** Whether they did on a bot that had just been started; null where none can be. */
  readonly fresh: boolean | null
}

/** What tells faults apart: the code, and the issues. */
export function faultKind({ code, issues }: Fault): string {
  return [code, ...new Set(issues.map((issue) => issue.code))].join(' ')
}

/** Whether two failures have one cause: the same test, or the same error in the same step of a command. */
export function isSameFailure(one: FuzzFailure, other: FuzzFailure): boolean {
  if (one.code !== other.code || one.command !== other.command) return false
  if (one.test === other.test) return true
  return one.code === 'crashed' && one.step === other.step && one.message === other.message
}

export function toFailure(cause: Cause, server: ServerSettings): FuzzFailure {
  const { before, steps, fault, repeated, fresh } = cause
  const { code, message, issues } = fault
  const all = joinHistories([...before, steps])
  const end = endOf(fault, answerName(all.length - 1), callCode(steps[0]!, server))
  return {
    ...{ code, ...whereOf(steps, server), message, issues, repeated, fresh },
    test: codeOf(all, server, end),
  }
}

/** What the last step did, and where. */
export function whereOf(steps: readonly Step[], server: ServerSettings) {
  const use = useOf(steps)
  return {
    command: use.subject.name,
    line: lineOfUse(use, server),
    step: stepName(steps.at(-1)!),
    ...use.place,
  }
}

const MENTIONS = '/@everyone|@here|<@&/.test(body?.content) && !body.allowed_mentions'

/**
 * The last statements of a test, which fail while the bot has the fault; none for a fault in which the last step fails.
 *
 * @param shown the variable of the last answer
 * @param again the first use as an expression
 */
function endOf({ code, isLater = false }: Fault, shown: string, again: string): readonly string[] {
  const noRequest = (condition: string) => [
    'await bed.settled()',
    `expect(bed.requests.filter(${condition})).toEqual([])`,
  ]
  if (code === 'never_edited') return [`await ${shown}.edited()`]
  if (code === 'mentions_everyone')
    return isLater
      ? noRequest(`({ body }) => ${MENTIONS}`)
      : [`expect(${shown}.message).toMatchObject({ mention_everyone: false, mention_roles: [] })`]
  if (!isLater) return []
  // A bot that has ended does not answer.
  return code === 'crashed'
    ? ['await bed.settled()', `await ${again}`]
    : noRequest('({ status }) => status === 400')
}
