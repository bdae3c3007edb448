/** Exit codes, and the errors that end a command. */

/** 0: no problems. 1: problems were found, or something cannot be read. 2: wrong usage; for `plan`, a loss. */
export type ExitCode = 0 | 1 | 2

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
