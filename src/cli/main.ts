import packageJson from '../../package.json' with { type: 'json' }
import { UsageError, type ExitCode } from './arguments.ts'
import { check, checkUsage } from './check.ts'
import { exportCommand, exportUsage } from './export.ts'
import { importCommand, importUsage } from './import.ts'
import { planCommand, planUsage } from './plan.ts'
import { serveCommand, serveUsage } from './serve.ts'

interface Subcommand {
  readonly usage: string
  readonly summary: string
  /** How it ends when it was not asked properly. Default 2. */
  readonly misused?: ExitCode
  run(argv: readonly string[]): Promise<ExitCode>
}

const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['serve', { usage: serveUsage, summary: 'answer the service over HTTP', run: serveCommand }],
  ['check', { usage: checkUsage, summary: 'validate command definitions', run: check }],
  // Here 2 is an answer: the deploy would cost something.
  ['plan', { usage: planUsage, summary: 'tell what a deploy would do', misused: 1, run: planCommand }],
  ['export', { usage: exportUsage, summary: 'write an application to a file', run: exportCommand }],
  ['import', { usage: importUsage, summary: 'read an application from a file', run: importCommand }],
])

const usage = [
  'commandry: the application command service of a chat platform',
  '',
  ...Array.from(subcommands, ([name, { summary }]) => `  commandry ${name.padEnd(8)}${summary}`),
  '',
  '  commandry COMMAND --help   tells more of one',
  '  commandry --version',
].join('\n')

/** Runs a command line without the names of the program. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(usage)
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    console.log(packageJson.version)
    return 0
  }
  const subcommand = subcommands.get(name)
  if (subcommand === undefined) {
    const names = [...subcommands.keys()].join(', ')
    console.error(`commandry: there is no command "${name}"; there are ${names}`)
    return 2
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(subcommand.usage)
    return 0
  }
  try {
    return await subcommand.run(rest)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`commandry ${name}: ${error.message}`)
    console.error(`"commandry ${name} --help" tells what it takes`)
    return subcommand.misused ?? 2
  }
}
