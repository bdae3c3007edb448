import type { Io } from './base/io.ts'
import { usage, version } from './overview.ts'

/** Runs a command line; `argv` starts after the names of Node and the program. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv
  if (name === 'help' && rest[0] !== undefined) return main([rest[0], '--help'], io)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.stdout.write(`${usage}\n`)
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    io.stdout.write(`${version}\n`)
    return 0
  }
  const { runCommandLine } = await import('./run-command-line.ts')
  return runCommandLine(name, rest, io)
}
