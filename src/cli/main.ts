import packageJson from '../../package.json' with { type: 'json' }
import { nearest } from '../core/nearest.ts'
import { helpOf, runCommand, type Command } from './command.ts'
import { CommandError } from './errors.ts'
import { print, warn, type Io } from './io.ts'

/** Only the module of the command that runs is loaded: that of `serve` alone takes longer than a check. */
interface Listed {
  readonly summary: string
  readonly load: () => Promise<Command>
}

const commands: ReadonlyMap<string, Listed> = new Map(
  Object.entries({
    check: {
      summary: 'find every mistake in command definitions',
      load: async () => (await import('./check.ts')).checkCommand,
    },
    explain: {
      summary: 'explain a rule by its code',
      load: async () => (await import('./explain.ts')).explainCommand,
    },
    plan: {
      summary: 'show what a deploy would do',
      load: async () => (await import('./plan.ts')).planCommand,
    },
    deploy: {
      summary: 'replace the deployed commands, after showing the plan',
      load: async () => (await import('./deploy.ts')).deployCommand,
    },
    fuzz: {
      summary: 'use every command of a bot, and shorten what fails',
      load: async () => (await import('./fuzz.ts')).fuzzCommand,
    },
    serve: {
      summary: 'run the service on this machine, with its page',
      load: async () => (await import('./serve.ts')).serveCommand,
    },
    page: {
      summary: 'write the workbench and your commands as one HTML file',
      load: async () => (await import('./page.ts')).pageCommand,
    },
    export: {
      summary: 'write an application from a store to a file',
      load: async () => (await import('./export-import.ts')).exportCommand,
    },
    import: {
      summary: 'read an application from a file into a store',
      load: async () => (await import('./export-import.ts')).importCommand,
    },
    vectors: {
      summary: 'write the rules as cases, or score a service with them',
      load: async () => (await import('./vectors.ts')).vectorsCommand,
    },
  }),
)

const usage = `commandry: Discord's application commands, offline

Examples
  commandry check commands/                                     find every mistake before you deploy
  commandry serve commands/                                     try the commands in a browser
  commandry plan commands/ --against discord --application ID   show what a deploy would change
  commandry deploy commands/ --to discord --application ID      deploy, after showing the plan

ID is your application's id; set the environment variable COMMANDRY_TOKEN to its bot token.

Commands
${Array.from(commands, ([name, { summary }]) => `  ${name.padEnd(9)}${summary}`).join('\n')}

  commandry COMMAND --help   shows the options of a command
  commandry --version        prints the version`

/** Runs a command line; `argv` starts after the names of Node and the program. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const about = name === 'help' ? commands.get(rest[0] ?? '') : undefined
    print(io, about === undefined ? usage : helpOf(await about.load()))
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    print(io, packageJson.version)
    return 0
  }
  const command = await commands.get(name)?.load()
  if (command === undefined) {
    const names = [...commands.keys()]
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
