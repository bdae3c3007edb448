import packageJson from '../../package.json' with { type: 'json' }
import { check, checkUsage } from './check.ts'
import { CommandError, UsageError, type ExitCode } from './errors.ts'
import { deploy, deployUsage } from './deploy.ts'
import { explain, explainUsage } from './explain.ts'
import { exportCommand, exportUsage } from './export.ts'
import { importCommand, importUsage } from './import.ts'
import { print, warn, type Io } from './io.ts'
import { nearest } from '../core/nearest.ts'
import { planCommand, planUsage } from './plan.ts'
import { serveCommand, serveUsage } from './serve.ts'
import { vectorsCommand, vectorsUsage } from './vectors.ts'

interface Subcommand {
  readonly usage: string
  readonly summary: string
  /** The exit code for wrong usage. Default 2. */
  readonly misused?: ExitCode
  run(argv: readonly string[], io: Io): Promise<ExitCode>
}

const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['check', { usage: checkUsage, summary: 'find every mistake in command definitions', run: check }],
  ['explain', { usage: explainUsage, summary: 'explain a rule by its code', run: explain }],
  // For this command, exit code 2 means that a deploy would lose permissions.
  ['plan', { usage: planUsage, summary: 'show what a deploy would do', misused: 1, run: planCommand }],
  [
    'deploy',
    { usage: deployUsage, summary: 'replace the deployed commands, after showing the plan', run: deploy },
  ],
  [
    'serve',
    { usage: serveUsage, summary: 'run the service on this machine, with its page', run: serveCommand },
  ],
  [
    'export',
    { usage: exportUsage, summary: 'write an application from a store to a file', run: exportCommand },
  ],
  [
    'import',
    { usage: importUsage, summary: 'read an application from a file into a store', run: importCommand },
  ],
  [
    'vectors',
    {
      usage: vectorsUsage,
      summary: 'write the rules as cases, or score a service with them',
      run: vectorsCommand,
    },
  ],
])

const usage = [
  "commandry: Discord's application commands, offline",
  '',
  'Examples',
  '  commandry check commands/                                     find every mistake before you deploy',
  '  commandry serve commands/                                     try the commands in a browser',
  '  commandry plan commands/ --against discord --application ID   show what a deploy would change',
  '  commandry deploy commands/ --to discord --application ID      deploy, after showing the plan',
  '',
  "ID is your application's id; set the environment variable COMMANDRY_TOKEN to its bot token.",
  '',
  'Commands',
  ...Array.from(subcommands, ([name, { summary }]) => `  ${name.padEnd(9)}${summary}`),
  '',
  '  commandry COMMAND --help   shows the options of a command',
  '  commandry --version        prints the version',
].join('\n')

/** Runs a command line; `argv` starts after the names of Node and the program. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const about = name === 'help' ? subcommands.get(rest[0] ?? '') : undefined
    print(io, about?.usage ?? usage)
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    print(io, packageJson.version)
    return 0
  }
  const subcommand = subcommands.get(name)
  if (subcommand === undefined) {
    const names = [...subcommands.keys()]
    const meant = nearest(name, names)
    const remedy = meant === undefined ? `the commands are ${names.join(', ')}` : `did you mean "${meant}"?`
    warn(io, `commandry: unknown command "${name}"; ${remedy}`)
    return 2
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    print(io, subcommand.usage)
    return 0
  }
  try {
    return await subcommand.run(rest, io)
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof CommandError)) throw error
    warn(io, `commandry ${name}: ${error.message}`)
    if (error instanceof CommandError) return 1
    warn(io, `Run "commandry ${name} --help" to list the options.`)
    return subcommand.misused ?? 2
  }
}
