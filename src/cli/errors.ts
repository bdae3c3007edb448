/** How a command ends, and the errors that end it. */

/** 0: no problems. 1: problems were found, or something cannot be read. 2: wrong usage; for `plan`, a loss. */
export type ExitCode = 0 | 1 | 2

/** The command line is wrong; the message says what. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command cannot be carried out, although it was given properly; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** A file cannot be used; the message says why, and never quotes the file. */
export class FileError extends Error {
  override readonly name = 'FileError'
}
