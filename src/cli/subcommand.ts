import type { Io } from './io.ts'

/** 0: no problems. 1: problems were found, or something cannot be read. 2: wrong usage; for `plan`, a loss. */
export type ExitCode = 0 | 1 | 2

/** A command of the program, such as `commandry check`. */
export interface Subcommand {
  /** What it does, for the list of all commands. */
  readonly summary: string
  /** The text of `--help`. */
  readonly usage: string
  /** The exit code for wrong usage. Default 2. */
  readonly misused?: ExitCode
  /**
   * @param argv the arguments after the name of the command
   * @throws UsageError for wrong usage; CommandError when it fails
   */
  run(argv: readonly string[], io: Io): Promise<ExitCode>
}
