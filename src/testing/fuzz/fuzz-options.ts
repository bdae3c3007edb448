/** The options of `fuzz`, and how they are read. */
import {
  aFunction,
  argument,
  aString,
  listArgument,
  optionsOf,
  withMethods,
} from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import type { Testbed } from '../testbed/bed.ts'
import type { FuzzedCommand, FuzzFailure } from './fuzz-report.ts'

/** A bot in another process. */
export interface FuzzedBot {
  /** Reports each error that the bot leaves unhandled, and its end. Returns a function that ends this. */
  watch(report: (error: string) => void): () => void
  /** Forgets what the bot wrote, because errors of earlier steps do not explain the next one. */
  forgetErrors?(): void
  /** What the bot wrote about its last error, once. Absent: its output is not known. */
  takeError?(): string | undefined
  /** Resolves when the bot can be reached, or has ended. Absent: at once. */
  reached?(): Promise<void>
  /**
   * Starts the bot again if it has ended, and waits until it is logged in. Absent: it cannot be started again.
   *
   * @param isFresh ends the bot first, so that it has forgotten earlier uses
   * @throws Error when it does not start
   */
  readonly restart?: (isFresh: boolean) => Promise<void>
}

/** The options of `fuzz`; all are optional. */
export interface FuzzOptions {
  /** The uses of each command and subcommand. Default 60. */
  readonly runs?: number
  /** A whole number; the same seed leads to the same uses. Default 1. */
  readonly seed?: number
  /** Only these commands, such as `/ban` or `/note add`. Default: all. */
  readonly only?: readonly string[]
  /** Milliseconds after which it ends. Default: no limit. */
  readonly time?: number
  /** Milliseconds to wait for the edit of a deferred answer. Default 15000. */
  readonly patience?: number
  /** Only the app in the server, or only that of the user, whose server the bot then leaves. Default: both. */
  readonly installed?: 'server' | 'user'
  /** 2: afterwards two people use each command and each button at once. Default 1. */
  readonly people?: 1 | 2
  /** With two people: what must hold after each try. It throws, or returns false or a text, when it does not. */
  readonly invariant?: (bed: Testbed) => unknown
  /** A bot in another process. Default: a bot in this process, whose unhandled errors are faults. */
  readonly bot?: FuzzedBot
  /** Ends the run when it is aborted; the report then has what was found before. */
  readonly signal?: AbortSignal
  /** Receives the state before each use. */
  readonly onProgress?: (progress: FuzzProgress) => void
  /** Receives each command when it is not used any more. */
  readonly onCommand?: (command: FuzzedCommand) => void
  /** Receives each step with what the person saw. Steps that only shorten a failure are left out. */
  readonly onStep?: (step: FuzzedStep) => void
}

/** A step of a run. */
export interface FuzzedStep extends Pick<
  FuzzFailure,
  'command' | 'line' | 'step' | 'as' | 'channel' | 'locale'
> {
  /** The answer without ids and times, or the failure: lines of text. */
  readonly seen: string
  /** The requests of the bot with their status, such as `GET /guilds/:guild/channels 200`. */
  readonly requests: readonly string[]
}

/** How far a run is. */
export interface FuzzProgress {
  /** What happens now: uses, uses that shorten a failure, or uses by two people at once. */
  readonly phase: 'uses' | 'shortening' | 'two people'
  readonly uses: number
  readonly failures: number
  /** The commands that have not been used as often as wanted. */
  readonly commandsLeft: number
}

const count = /* @__PURE__ */ optional(
  argument<number>('a whole number from 0', (value) => Number.isSafeInteger(value) && value >= 0),
)

export const checkedFuzzOptions = /* @__PURE__ */ optionsOf<FuzzOptions>('fuzz', {
  runs: count,
  seed: count,
  time: count,
  patience: count,
  installed: optional(
    argument<'server' | 'user'>('"server" or "user"', (value) => value === 'server' || value === 'user'),
  ),
  people: optional(argument<1 | 2>('1 or 2', (value) => value === 1 || value === 2)),
  invariant: optional(aFunction),
  only: optional(listArgument(aString, 'a list of commands such as "/ban"')),
  bot: optional(withMethods('a FuzzedBot with watch', 'watch')),
  signal: optional(argument('an AbortSignal', (value) => value instanceof AbortSignal)),
  onProgress: optional(aFunction),
  onCommand: optional(aFunction),
  onStep: optional(aFunction),
})
