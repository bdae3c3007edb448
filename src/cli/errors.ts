/** The errors that end a command, and the messages of other errors. */
/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A valid command failed. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** A file cannot be used. The message never contains its content, which may hold tokens. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/** The message of an error. A refused connection to a name with several addresses has one message for each. */
export function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reason).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** The message of the first cause, which is the driver's own, in one line. */
export function firstCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? firstCause(error.cause) : undefined
  return (cause ?? reason(error)).replace(/\s+/g, ' ')
}

/** The message of an error and, if it differs, the message of its first cause. */
export function describeError(error: unknown): string {
  const [message, cause] = [reason(error), firstCause(error)]
  return message === cause ? message : `${message}: ${cause}`
}
