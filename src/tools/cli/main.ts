import packageJson from '../../../package.json' with { type: 'json' }
import { DISCORD_AS_OF } from '../../core/platform-day.ts'
import { suggestion } from '../../core/nearest.ts'
import { runCommand, type Command } from './cli-command.ts'
import { CommandError, isSystemError } from './errors.ts'
import { print, warn, type Io } from './io.ts'

/** Only the module of the command that runs is loaded: that of `serve` alone takes longer than a check. */
const commands = new Map<string, readonly [summary: string, load: () => Promise<{ default: Command }>]>([
  ['check', ['find every mistake in command definitions', () => import('./commands/check.ts')]],
  ['explain', ['explain a rule by its code', () => import('./commands/explain.ts')]],
  ['plan', ['show what a deploy would do', () => import('./commands/plan.ts')]],
  ['deploy', ['replace the deployed commands, after showing the plan', () => import('./commands/deploy.ts')]],
  [
    'status',
    ['show every scope side by side, and what no file defines', () => import('./commands/status.ts')],
  ],
  ['review', ['print what a pull request means for people', () => import('./commands/review.ts')]],
  [
    'changes',
    ['list what Discord changed, and what of it concerns you', () => import('./commands/changes.ts')],
  ],
  ['fuzz', ['use every command of a bot, and shorten what fails', () => import('./commands/fuzz.ts')]],
  ['serve', ['run the service on this machine, with its page', () => import('./commands/serve.ts')]],
  ['page', ['write the workbench and your commands as one HTML file', () => import('./commands/page.ts')]],
  ['export', ['write an application from a store to a file', () => import('./commands/export.ts')]],
  [
    'delete-application',
    ['delete an application from a store, after asking', () => import('./commands/delete-application.ts')],
  ],
  ['import', ['read an application from a file into a store', () => import('./commands/import.ts')]],
  [
    'vectors',
    ['write the rules as cases, or score a service with them', () => import('./commands/vectors.ts')],
  ],
])

async function commandOf(name = ''): Promise<Command | undefined> {
  const [, load] = commands.get(name) ?? []
  return (await load?.())?.default
}

const WIDEST_NAME = Math.max(...Array.from(commands.keys(), ({ length }) => length)) + 1

const usage = `commandry: Discord's application commands, offline

Examples
  commandry check commands/                                     find every mistake before you deploy
  commandry serve commands/                                     try the commands in a browser
  commandry plan commands/ --against discord --application ID   show what a deploy would change
  commandry deploy commands/ --to discord --application ID      deploy, after showing the plan

ID is your application's id; set the environment variable COMMANDRY_TOKEN to its bot token.

Commands
${Array.from(commands, ([name, [summary]]) => `  ${name.padEnd(WIDEST_NAME)}${summary}`).join('\n')}

  commandry COMMAND --help   shows the options of a command
  commandry --version        prints the version, and the day as of which it describes Discord`

/** Runs a command line; `argv` starts after the names of Node and the program. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv
  if (name === 'help' && rest[0] !== undefined) return main([rest[0], '--help'], io)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    print(io, usage)
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    print(io, `${packageJson.version}\nDiscord as of ${DISCORD_AS_OF}`)
    return 0
  }
  const command = await commandOf(name)
  if (command === undefined) {
    const names = [...commands.keys()]
    const remedy = suggestion(name, names, `the commands are ${names.join(', ')}`)
    warn(io, `commandry: unknown command "${name}"${remedy}`)
    return 2
  }
  try {
    return await runCommand(command, rest, io)
  } catch (error) {
    const failure = isSystemError(error) ? new CommandError(error.message) : error
    if (!(failure instanceof CommandError)) throw error
    warn(io, `commandry ${name}: ${failure.message}`)
    if (failure.exitCode === 2) warn(io, `Run "commandry ${name} --help" to list the options.`)
    return failure.exitCode
  }
}
