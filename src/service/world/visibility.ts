/** What a user sees and may do in a server: the one answer for REST, the gateway and people. */
import { memberPermissions } from '../../commands/access/effective.ts'
import { ChannelType } from '../../model/command-types.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { isThread, type GuildChannel, type ServerChannel, type ServerSettings } from '../../model/server.ts'
import type { ServerState } from './entities.ts'
import { memberOf } from './member-lists.ts'

/** A server, perhaps with its threads. */
type AnyServer = ServerSettings & Partial<Pick<ServerState, 'threads'>>

/** A channel with the channel whose permissions apply: that of a thread is its parent (clause 2.9-05). */
export function withParent<Channel extends GuildChannel>(
  { channels }: Pick<ServerSettings, 'channels'>,
  channel: Channel,
): Channel {
  if (!isThread(channel)) return channel
  const parent = channels.find(({ id }) => id === channel.parent_id)
  return parent === undefined ? channel : { ...channel, parent }
}

/** The permissions of a user in a server or in one of its channels; none for a user who is not a member. */
export function permissionsIn(
  server: AnyServer,
  userId: string,
  channel: ServerChannel | null,
  now: number,
): bigint {
  const member = memberOf(server.members, userId)
  if (member === undefined) return 0n
  const { id: guildId, owner_id: ownerId } = server
  const context = { guildId, now, ...(ownerId !== undefined && { ownerId }) }
  const place = channel && withParent(server, channel)
  const held = memberPermissions(member, server.roles, place, context)
  if (channel?.type !== ChannelType.PRIVATE_THREAD) return held
  const { members = [] } = server.threads?.find(({ id }) => id === channel.id) ?? {}
  const isIn = members.some(({ user_id }) => user_id === userId)
  return isIn || (held & PermissionFlag.MANAGE_THREADS) !== 0n ? held : 0n
}

/** Whether a user sees a channel of a server. */
export function seesChannel(server: AnyServer, userId: string, channel: ServerChannel, now: number): boolean {
  return (permissionsIn(server, userId, channel, now) & PermissionFlag.VIEW_CHANNEL) !== 0n
}
