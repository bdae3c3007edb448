/** `commandry delete-application`: removes everything that a store has of an application. */
import { counted } from '../../../core/text.ts'
import { openDirectory } from '../../../commands/registry/directory.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { command, count, flag, asId, onlyArgument, option, required } from '../base/cli-command.ts'
import { CommandError, describeError } from '../base/errors.ts'
import { print, warn, type Io } from '../base/io.ts'
import { openStore, storeForms } from '../base/stores.ts'

export default command({
  help: [
    `Examples
  commandry delete-application 100100100100100101 --store sqlite:commands.db

commandry delete-application APPLICATION --store STORE

Deletes all commands and permissions of an application in a store, after asking. "commandry export" saves them first.
It ends the permissions of commands that were deleted earlier too. After an interruption, run it again.`,
    'Exit codes: 0 deleted, or nothing to delete; 1 failed or not confirmed; 2 wrong usage.',
  ],
  options: {
    store: option('STORE', `where the commands are kept: ${storeForms}`),
    yes: flag('do not ask; needs --delete N'),
    delete: option('N', 'delete exactly N commands', count),
  },
  async run(io, values, args) {
    const applicationId = asId(onlyArgument(args, 'APPLICATION is required'))
    const { store, close } = await openStore(io, required(values.store, '--store is required'))
    try {
      const registry = new CommandRegistry({ store, applications: openDirectory })
      const { scopes, permissions } = await registry.snapshot(applicationId)
      const commands = scopes.reduce((total, scope) => total + scope.commands.length, 0)
      const found = `${counted(commands, 'command')} and permissions in ${counted(permissions.length, 'server')}`
      print(io, `Application ${applicationId}: ${found}.`)
      const refusal = await refusalOf(io, applicationId, commands, values)
      if (refusal !== null) {
        warn(io, `Nothing was deleted${refusal}.`)
        return 1
      }
      const removed = await registry.deleteApplication(applicationId)
      print(io, `Deleted ${counted(removed, 'document')}.`)
      return 0
    } catch (error) {
      throw new CommandError(describeError(error))
    } finally {
      await close()
    }
  },
})

/** Why nothing may be deleted, which may be empty; null if it may. */
async function refusalOf(
  io: Io,
  applicationId: string,
  commands: number,
  { yes, delete: accepted }: { readonly yes: boolean; readonly delete: number | undefined },
): Promise<string | null> {
  if (accepted !== undefined && accepted !== commands)
    return `: ${commands} commands would be deleted, not ${accepted}`
  if (yes) return accepted === undefined ? `: add --delete ${commands} to accept that` : null
  const answer = (await io.ask('Delete all of it? Type the application id to continue: '))?.trim()
  if (answer === undefined) return `: there is no terminal to ask in; add --yes --delete ${commands}`
  return answer === applicationId ? null : ''
}
