/** The service's half of using a command: what it refuses although a client has sent it (clauses 2.11-04, 2.11-06, 2.11-08). */
import type { ApplicationCommand } from '../command/definition.ts'
import { CommandType } from '../command/kinds.ts'
import { effectivePermissions } from '../permission/effective.ts'
import { PermissionFlag } from '../permission/kinds.ts'
import { isThread } from '../permission/member.ts'
import { pick, type HiddenCommand, type PickerSource, type Viewer } from '../registry/picker.ts'
import { InvocationError, unavailable } from './error.ts'

/**
 * The command somebody wants to use, as it is now.
 *
 * 1. A command that is gone is unknown.
 * 2. A version that is not the present one is stale (read-repair, 2.11-06).
 * 3. Place, installation, age restriction and permissions decide next (2.11-08).
 * 4. A user command asks for leave to send messages in the channel (2.11-04).
 *
 * @throws InvocationError
 */
export function admit(
  { id, version, name }: Pick<ApplicationCommand, 'id' | 'version' | 'name'>,
  viewer: Viewer,
  source: PickerSource,
): ApplicationCommand {
  const command = source.commands.find((candidate) => candidate.id === id)
  if (command === undefined) {
    throw new InvocationError('unknown_command', {
      message: `there is no command ${name} any more`,
      commandId: id,
    })
  }
  if (command.version !== version) {
    const message = `the command ${name} has changed since the client loaded it`
    throw new InvocationError('stale_command', { message, commandId: id })
  }
  const { hidden } = pick(viewer, { ...source, commands: [command] }, { explain: true })
  if (hidden[0] !== undefined) throw refusal(hidden[0])
  if (command.type === CommandType.USER && !maySend(viewer, source.now)) {
    const message = 'the member may not send messages in this channel, which user commands ask for'
    throw new InvocationError('permission_denied', { message, commandId: id })
  }
  return command
}

/** Why a command that is hidden cannot be used. */
export function refusal({ command, availability, access, why }: HiddenCommand): InvocationError {
  const details = { message: why.join(' '), commandId: command.id }
  const [reason] = availability.reasons
  if (reason !== undefined) return new InvocationError(unavailable[reason.code], { ...details, availability })
  if (access !== null && !access.allowed)
    return new InvocationError('permission_denied', { ...details, access })
  return new InvocationError('not_invocable', details)
}

/** What a member may do in the channel they are in; undefined outside of guilds, and where nothing is known of it. */
export function permissionsOf(viewer: Viewer, now: number): bigint | undefined {
  if (viewer.guildId === undefined) return undefined
  const { guildId, channel, member, roles = [], ownerId } = viewer
  if (roles.length === 0 && member.permissions === undefined && ownerId !== member.user.id) return undefined
  return effectivePermissions(member, roles, channel, {
    guildId,
    now,
    ...(ownerId !== undefined && { ownerId }),
  })
}

function maySend(viewer: Viewer, now: number): boolean {
  const permissions = permissionsOf(viewer, now)
  if (permissions === undefined || viewer.guildId === undefined) return true
  const needed = isThread(viewer.channel)
    ? PermissionFlag.SEND_MESSAGES_IN_THREADS
    : PermissionFlag.SEND_MESSAGES
  return (permissions & needed) !== 0n
}
