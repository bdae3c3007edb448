/** The errors that end a command. */

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
