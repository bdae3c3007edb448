import type { Scope } from '../registry/scope.ts'
import type { Io } from './io.ts'
import type { Source } from '../authoring/findings.ts'

/** 0: no problems. 1: problems were found, or something cannot be read. 2: wrong usage; for `plan`, a loss. */
export type ExitCode = 0 | 1 | 2

/** The commands of a scope as a program sent them, also those that the service refused. */
export interface Deployed {
  readonly scope: Scope
  readonly source: Source
}

/** Runs a program until it has deployed. Rejects with `CommandError` when it deploys nothing. */
export type DeployedBy = (io: Io, command: string, isVerbose: boolean) => Promise<readonly Deployed[]>

/** A command of the program, such as `commandry check`. */
export interface Subcommand {
  /** What it does, for the list of all commands. */
  readonly summary: string
  /** The text of `--help`. */
  readonly usage: string
  /**
   * @param argv the arguments after the name of the command
   * @param deployedBy for `--run`
   * @returns the exit code: an `ExitCode`, or that of the program of `serve --run`
   * @throws UsageError for wrong usage; CommandError when it fails
   */
  run(argv: readonly string[], io: Io, deployedBy: DeployedBy): Promise<number>
}
