import { suggestion } from '../../core/nearest.ts'
import { runCommand, type Command } from './base/cli-command.ts'
import { CommandError, isSystemError } from './base/errors.ts'
import { warn, type Io } from './base/io.ts'
import { summaries, type CommandName } from './overview.ts'

/** Only the module of the command that runs is loaded: that of `serve` alone takes longer than a check. */
const loaders: Readonly<Record<CommandName, () => Promise<{ default: Command }>>> = {
  check: () => import('./commands/check.ts'),
  explain: () => import('./commands/explain.ts'),
  plan: () => import('./commands/plan.ts'),
  deploy: () => import('./commands/deploy.ts'),
  status: () => import('./commands/status.ts'),
  review: () => import('./commands/review.ts'),
  changes: () => import('./commands/changes.ts'),
  fuzz: () => import('./commands/fuzz.ts'),
  serve: () => import('./commands/serve.ts'),
  page: () => import('./commands/page.ts'),
  export: () => import('./commands/export.ts'),
  'delete-application': () => import('./commands/delete-application.ts'),
  import: () => import('./commands/import.ts'),
  vectors: () => import('./commands/vectors.ts'),
}

/** Runs a command by its name. @returns the exit code */
export async function runCommandLine(name: string, args: readonly string[], io: Io): Promise<number> {
  if (!Object.hasOwn(summaries, name)) {
    const names = Object.keys(summaries)
    const remedy = suggestion(name, names, `the commands are ${names.join(', ')}`)
    warn(io, `commandry: unknown command "${name}"${remedy}`)
    return 2
  }
  const { default: command } = await loaders[name as CommandName]()
  try {
    return await runCommand(command, args, io)
  } catch (error) {
    const failure = isSystemError(error) ? new CommandError(error.message) : error
    if (!(failure instanceof CommandError)) throw error
    warn(io, `commandry ${name}: ${failure.message}`)
    if (failure.exitCode === 2) warn(io, `Run "commandry ${name} --help" to list the options.`)
    return failure.exitCode
  }
}
