import packageJson from '../../package.json' with { type: 'json' }
import { nearest } from '../core/nearest.ts'
import { checkCommand } from './check.ts'
import { helpOf, runCommand, type Command } from './command.ts'
import { deployCommand } from './deploy.ts'
import { CommandError } from './errors.ts'
import { explainCommand } from './explain.ts'
import { exportCommand, importCommand } from './export-import.ts'
import { fuzzCommand } from './fuzz.ts'
import { print, warn, type Io } from './io.ts'
import { pageCommand } from './page.ts'
import { planCommand } from './plan.ts'
import { serveCommand } from './serve.ts'
import { vectorsCommand } from './vectors.ts'

const commands: readonly Command[] = [
  checkCommand,
  explainCommand,
  planCommand,
  deployCommand,
  fuzzCommand,
  serveCommand,
  pageCommand,
  exportCommand,
  importCommand,
  vectorsCommand,
]

const usage = `commandry: Discord's application commands, offline

Examples
  commandry check commands/                                     find every mistake before you deploy
  commandry serve commands/                                     try the commands in a browser
  commandry plan commands/ --against discord --application ID   show what a deploy would change
  commandry deploy commands/ --to discord --application ID      deploy, after showing the plan

ID is your application's id; set the environment variable COMMANDRY_TOKEN to its bot token.

Commands
${commands.map(({ name, summary }) => `  ${name.padEnd(9)}${summary}`).join('\n')}

  commandry COMMAND --help   shows the options of a command
  commandry --version        prints the version`

/** Runs a command line; `argv` starts after the names of Node and the program. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv
  const find = (wanted: string | undefined) => commands.find((command) => command.name === wanted)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const about = name === 'help' ? find(rest[0]) : undefined
    print(io, about === undefined ? usage : helpOf(about))
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    print(io, packageJson.version)
    return 0
  }
  const command = find(name)
  if (command === undefined) {
    const names = commands.map((each) => each.name)
    const meant = nearest(name, names)
    const remedy = meant === undefined ? `the commands are ${names.join(', ')}` : `did you mean "${meant}"?`
    warn(io, `commandry: unknown command "${name}"; ${remedy}`)
    return 2
  }
  // The arguments after `--` are another program's.
  const own = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
  if (own.includes('--help') || own.includes('-h')) {
    print(io, helpOf(command))
    return 0
  }
  try {
    return await runCommand(command, rest, io)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    warn(io, `commandry ${name}: ${error.message}`)
    if (error.exitCode === 2) warn(io, `Run "commandry ${name} --help" to list the options.`)
    return error.exitCode
  }
}
