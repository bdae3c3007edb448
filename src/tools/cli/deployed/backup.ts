/** The deployed commands, saved before a command changes them. */
import { resolve } from 'node:path'
import type { Scope } from '../../../commands/registry/scope.ts'
import { CommandError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { writeNew } from '../base/whole-file.ts'

/** Writes the deployed commands to a new file; never overwrites one. */
export async function saveCommands(io: Io, scope: Scope, commands: readonly unknown[]): Promise<string> {
  const minute = new Date().toISOString().slice(0, 16).replaceAll(/[-:]/g, '')
  const place = scope.kind === 'guild' ? scope.guildId : 'global'
  for (let count = 1; ; count++) {
    const file = `${scope.applicationId}-${place}-${minute}${count === 1 ? '' : `-${count}`}.json`
    try {
      await writeNew(resolve(io.cwd, file), `${JSON.stringify(commands, null, 2)}\n`)
      return file
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      throw new CommandError(`cannot save the deployed commands to ${file} (${code}); nothing was written`)
    }
  }
}
