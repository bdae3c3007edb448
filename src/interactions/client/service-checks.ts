/** The checks of the service when a client uses a command (clauses 2.11-04, 2.11-06). */
import { reasonsOf } from '../../commands/access/hidden-reasons.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { CommandType, HandlerType } from '../../model/command-types.ts'
import { memberPermissions } from '../../commands/access/effective.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { isThread } from '../../model/server.ts'
import type { HiddenCommand, PickerSource, Viewer } from '../../commands/access/picker.ts'
import { InvocationError, unavailable } from './invocation-error.ts'

/**
 * The current version of a command that the picker shows to a user (2.11-08). Checks, in this order:
 *
 * 1. the command exists;
 * 2. the version of the client is the current one (read-repair, 2.11-06);
 * 3. for a user command or a message command, the member may send messages in the channel (2.11-04).
 *
 * @throws InvocationError
 */
export function checkUse(
  { id, version, name }: Pick<ApplicationCommand, 'id' | 'version' | 'name'>,
  viewer: Viewer,
  source: PickerSource,
): ApplicationCommand {
  const command = source.commands.find((candidate) => candidate.id === id)
  if (command === undefined) {
    throw new InvocationError('unknown_command', {
      message: `the command ${name} no longer exists`,
      commandId: id,
    })
  }
  if (command.version !== version) {
    const message = `the command ${name} has changed since the client loaded it`
    throw new InvocationError('stale_command', { message, commandId: id })
  }
  const isMenu = command.type === CommandType.USER || command.type === CommandType.MESSAGE
  if (isMenu && !maySend(viewer, source.now)) throw muteError(command.type, id)
  return command
}

const KINDS = {
  [CommandType.CHAT_INPUT]: 'slash commands',
  [CommandType.USER]: 'user commands',
  [CommandType.MESSAGE]: 'message commands',
} as const

/** The error of using a command where the person may not write. */
export function muteError(type: keyof typeof KINDS, commandId?: string): InvocationError {
  const message = `the member may not send messages in this channel, which ${KINDS[type]} require`
  return new InvocationError('permission_denied', { message, ...(commandId !== undefined && { commandId }) })
}

/** The error of using a hidden command. */
export function hiddenError(hidden: HiddenCommand): InvocationError {
  const { command, availability, access, why } = hidden
  const details = { message: why.join(' '), commandId: command.id }
  const [reason] = reasonsOf(hidden)
  if (reason?.kind === 'unavailable')
    return new InvocationError(unavailable[reason.code], { ...details, availability })
  if (reason?.kind === 'denied')
    return new InvocationError('permission_denied', { ...details, access: access! })
  return new InvocationError('not_invocable', details)
}

/** The permissions of a viewer in their channel; undefined outside of guilds, and if they are unknown. */
export function viewerPermissions(viewer: Viewer, now: number): bigint | undefined {
  if (viewer.guildId === undefined) return undefined
  const { channel, member, roles = [], ownerId } = viewer
  if (roles.length === 0 && member.permissions === undefined && ownerId !== member.user.id) return undefined
  return memberPermissions(member, roles, channel, { ...viewer, now })
}

function maySend(viewer: Viewer, now: number): boolean {
  const permissions = viewerPermissions(viewer, now)
  if (permissions === undefined || viewer.guildId === undefined) return true
  const needed = isThread(viewer.channel)
    ? PermissionFlag.SEND_MESSAGES_IN_THREADS
    : PermissionFlag.SEND_MESSAGES
  return (permissions & needed) !== 0n
}

/** Whether the service handles a command itself, without the app (clause 2.3-03). */
export function isHandledByService({ type, handler }: Pick<ApplicationCommand, 'type' | 'handler'>): boolean {
  return type === CommandType.PRIMARY_ENTRY_POINT && handler === HandlerType.SERVICE_LAUNCH_ACTIVITY
}
