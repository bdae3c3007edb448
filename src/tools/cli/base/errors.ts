/** The error that ends a command, and the messages of other errors. */
import { reasonOf } from '../../../storage/store-error.ts'

/** An error whose message the user gets. The message of an unreadable file never has its content: it may hold tokens. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** 1 for a failure, 2 for wrong usage. */
  readonly exitCode: 1 | 2
  /**
   * Only for a failed request: the message without the address of the service, the status (0 without a response), the
   * JSON of the response, and the seconds after which it may be repeated.
   */
  readonly refusal:
    | {
        readonly problem: string
        readonly status: number
        readonly body: unknown
        readonly retryAfter: number | null
        /** Whether the command of the request does not exist. */
        readonly isUnknownCommand: boolean
      }
    | undefined

  constructor(message: string, exitCode: 1 | 2 = 1, refusal?: CommandError['refusal']) {
    super(message)
    this.exitCode = exitCode
    this.refusal = refusal
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(message, 2)
}

/** The message of the first cause, which is the driver's own, in one line. */
export function firstCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? firstCause(error.cause) : undefined
  return (cause ?? reasonOf(error)).replace(/\s+/g, ' ')
}

/** Whether the system refuses something, such as to write a file. The message is for the user. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

/** The message of an error and, if it differs, the message of its first cause. */
export function describeError(error: unknown): string {
  const [message, cause] = [reasonOf(error), firstCause(error)]
  return message === cause ? message : `${message}: ${cause}`
}
