/** Channels that a bot may not view: which they are, and what of them it gets (clause 6-06). */
import { ChannelType } from '../../model/command-types.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import type { ServerState } from './entities.ts'
import { seesChannel } from './visibility.ts'
import { guildChannel } from './wire.ts'

export const HIDDEN_NAME = '___hidden___'
/** The flag of a channel whose name and details are left out. */
export const HIDDEN_FLAG = 1 << 17

/**
 * The ids of the channels that a bot gets whole: those that it may view, their categories, and the voice channel in which
 * it is.
 */
export function visibleChannels(server: ServerState, botId: string, now: number): ReadonlySet<string> {
  const { channels, members } = server
  const voice = members.find(({ user }) => user.id === botId)?.voice_channel_id
  const seen = channels.filter((one) => one.id === voice || seesChannel(server, botId, one, now))
  const categories = seen.flatMap(({ parent_id: parent }) => parent ?? [])
  return new Set([...seen.map(({ id }) => id), ...categories])
}

/** A channel of a server in the form of the wire. */
export interface WireChannel {
  readonly id: string
  readonly type?: number
  readonly position?: number
  readonly parent_id?: string | null
  readonly guild_id: string
}

/** A channel in the form of the wire without its name and details. */
export function hiddenChannel(channel: WireChannel): object {
  const { id, type = ChannelType.GUILD_TEXT, position = 0, parent_id = null, guild_id: guildId } = channel
  const everyone = { id: guildId, type: 0, allow: 0n, deny: PermissionFlag.VIEW_CHANNEL } as const
  const hidden = { name: HIDDEN_NAME, flags: HIDDEN_FLAG, permission_overwrites: [everyone] }
  return guildChannel({ id, type, parent_id, ...hidden }, guildId, position)
}
