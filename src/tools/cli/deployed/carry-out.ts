/** Carries out a plan against a service: the one way by which commands are written and deleted there. */
import { setTimeout as delay } from 'node:timers/promises'
import { counted, listed } from '../../../core/text.ts'
import type { Scope } from '../../../commands/registry/scope.ts'
import { CommandError } from '../base/errors.ts'
import { print, warn, type Io } from '../base/io.ts'
import { saveCommands } from './backup.ts'

/** One write of a plan. */
export interface WriteStep {
  readonly scope: Scope
  /** What was deployed in the scope when the plan was made, which is saved first. */
  readonly before: readonly unknown[]
  /** What is written, in words: `the commands`, `/ban in server 2001`. */
  readonly what: string
  readonly verb: 'written' | 'deleted'
  /** The permissions that are lost with it, in words; empty for none. */
  readonly losses: string
  /**
   * Compares what is deployed with the plan, right before the write.
   *
   * @returns why the plan is no longer right; `done` when there is nothing left to do, null when it is right
   */
  check(): Promise<string | null>
  write(): Promise<void>
  /** What is printed when it is done; `gone`: it was done before. */
  done(isGone: boolean): string
  /** Prints the problems in a refusal. */
  explain?(body: unknown): void
}

/** The answer of a check when there is nothing left to do. */
export const DONE = 'done'

/** A longer wait, such as for the next day, is left to the person. */
const LONGEST_WAIT = 60
const MOST_WAITS = 5

// A proxy answers with these after it has passed a request on.
const UNCERTAIN = [408, 499]

/**
 * Carries out steps in order, up to the first that fails. It prints what was done, what was not and what may have been, and
 * where the commands from before are.
 *
 * @param name of the command line's command
 * @param again what the user should do after an uncertain end: `run the plan again`
 * @returns the files with the commands from before by scope; null if a step failed
 */
export async function carryOut(
  io: Io,
  name: string,
  steps: readonly WriteStep[],
  again: string,
): Promise<ReadonlyMap<Scope, string> | null> {
  const files = new Map<Scope, string>()
  const end = new AbortController()
  const interruption = io.interrupted().then((): never => {
    end.abort()
    throw new CommandError('interrupted')
  })
  const during: During = {
    signal: end.signal,
    unlessInterrupted(work) {
      // After an interruption, no one else takes its error.
      work.catch(() => {})
      return Promise.race([work, interruption])
    },
  }
  for (const [index, step] of steps.entries()) {
    const progress = { isSent: false }
    try {
      const isGone = await runStep(io, step, files, progress, during)
      print(io, step.done(isGone))
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      if (error.refusal) step.explain?.(error.refusal.body)
      warn(io, `commandry ${name}: ${error.message}`)
      const isUncertain = progress.isSent && !isRefused(error)
      warn(io, endOf(steps, index, isUncertain, files.get(step.scope), again))
      return null
    }
  }
  return files
}

interface During {
  /** Ends waiting. */
  readonly signal: AbortSignal
  unlessInterrupted<T>(work: Promise<T>): Promise<T>
}

/** @returns whether there was nothing left to do */
async function runStep(
  io: Io,
  step: WriteStep,
  files: Map<Scope, string>,
  progress: { isSent: boolean },
  { signal, unlessInterrupted }: During,
): Promise<boolean> {
  for (let waits = 0; ; waits++) {
    progress.isSent = false
    try {
      const why = await unlessInterrupted(step.check())
      if (why === DONE) return true
      if (why !== null) throw new CommandError(why)
      if (!files.has(step.scope)) {
        const file = await saveCommands(io, step.scope, step.before)
        files.set(step.scope, file)
        print(io, `Saved the ${counted(step.before.length, 'deployed command')}: ${file}`)
      }
      progress.isSent = true
      await unlessInterrupted(step.write())
      return false
    } catch (error) {
      const { refusal } = error as CommandError
      if (progress.isSent && refusal?.isUnknownCommand) return true
      const seconds = refusal?.status === 429 ? (refusal.retryAfter ?? Infinity) : Infinity
      if (seconds > LONGEST_WAIT || waits === MOST_WAITS) throw error
      progress.isSent = false
      await unlessInterrupted(delay(seconds * 1_000, undefined, { signal }))
    }
  }
}

/** Whether the service has certainly written nothing. */
function isRefused({ refusal }: CommandError): boolean {
  const { status = 0 } = refusal ?? {}
  return status >= 400 && status < 500 && !UNCERTAIN.includes(status)
}

/** What is certain after a step failed, and what is not. */
function endOf(
  steps: readonly WriteStep[],
  index: number,
  isUncertain: boolean,
  file: string | undefined,
  again: string,
): string {
  const { what, verb, losses } = steps[index]!
  const title = what.replace(/^the /, 'The ')
  const saved = file === undefined ? '' : `; the commands from before are in ${file}`
  const with_ = losses === '' ? '' : `, with ${losses}`
  const rest = steps.slice(index + (isUncertain ? 1 : 0)).map((step) => step.what)
  if (index === 0 && !isUncertain) return `Nothing was ${verb}.`
  const sentences = [
    ...(isUncertain ? [`${title} may have been ${verb}${with_}; ${again}${saved}.`] : []),
    ...(index > 0 ? [`Certainly ${verb}: ${listed(steps.slice(0, index).map((step) => step.what))}.`] : []),
    ...(rest.length > 0 ? [`Not ${verb}: ${listed(rest)}${isUncertain ? '' : saved}.`] : []),
  ]
  return sentences.join(' ')
}
