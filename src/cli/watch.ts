/** Runs `check` again whenever a file changes. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { warn, type Io } from './io.ts'
import { findFiles } from './sources.ts'
import type { ExitCode } from './subcommand.ts'

/**
 * Checks until the user ends the program. It compares modification times: file system events differ between systems and
 * are missing when editors replace a file.
 */
export async function watchFiles(
  io: Io,
  args: readonly string[],
  argv: readonly string[],
): Promise<ExitCode> {
  const again = argv.filter((arg) => arg !== '--watch')
  let isEnded = false
  const ended = io.interrupted().then(() => {
    isEnded = true
  })
  let before = ''
  while (!isEnded) {
    const now = await stateOf(io, args)
    if (now !== before) {
      before = now
      // In a new process, because Node loads a module only once.
      await io.runAgain(['check', ...again])
      warn(io, 'Watching for changes; press Ctrl+C to end.')
    }
    await Promise.race([ended, pause(io.limits.poll)])
  }
  return 0
}

async function stateOf(io: Io, args: readonly string[]): Promise<string> {
  const files = await findFiles(io, args)
  const states = await Promise.all(
    files.map(async ({ file }) => {
      const found = await stat(resolve(io.cwd, file)).catch(() => undefined)
      return `${file} ${found?.mtimeMs ?? 'missing'} ${found?.size ?? 0}`
    }),
  )
  return states.join('\n')
}
