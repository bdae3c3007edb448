/** Watches files for changes. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Io } from './io.ts'
import { findFiles } from './sources.ts'

/**
 * Calls back at once and after each change of the files, until `end` resolves. It compares modification times: file
 * system events differ between systems and are missing when editors replace a file.
 */
export async function onEachState(
  io: Io,
  args: readonly string[],
  end: Promise<unknown>,
  changed: () => Promise<void>,
): Promise<void> {
  let isEnded = false
  const ended = end.then(() => {
    isEnded = true
  })
  let before = ''
  while (!isEnded) {
    const now = await stateOf(io, args)
    if (now !== before) {
      before = now
      await changed()
    }
    await Promise.race([ended, pause(io.limits.poll)])
  }
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
