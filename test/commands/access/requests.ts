/** Requests of a plain member in a channel, and entries about them. */
import { canUse, ChannelType, explainAccess, PermissionFlag } from 'commandry'
import type { AccessRequest, CommandPermission, GuildMember } from 'commandry'

export const { BAN_MEMBERS, KICK_MEMBERS, MANAGE_GUILD, USE_APPLICATION_COMMANDS, VIEW_CHANNEL } =
  PermissionFlag

// Beyond the integers of a double: computed with numbers, All Channels would be wrong.
export const guildId = '9007199254740993'
export const everywhere = '9007199254740992'
export const user = '7'
export const first = '201'
export const second = '202'
export const here = '300'

export const use = String(USE_APPLICATION_COMMANDS)
export const seeAndUse = String(VIEW_CHANNEL | USE_APPLICATION_COMMANDS)
export const plainMember = { user: { id: user }, roles: [first, second], permissions: use }
export const member = (over: Partial<GuildMember> = {}): GuildMember => ({ ...plainMember, ...over })
export const role = (id: string, bits: bigint | string) => ({ id, permissions: String(bits) })
export const channel = { id: here, type: ChannelType.GUILD_TEXT }
export const open = { default_member_permissions: null }
export const closed = { default_member_permissions: '0' }
export const requiring = (bits: bigint) => ({ default_member_permissions: String(bits) })

export const plainRequest = { command: open, member: member(), channel, guildId, now: 0 }
export const ask = (over: Partial<AccessRequest> = {}): AccessRequest => ({ ...plainRequest, ...over })

export const forUser = (permission: boolean, id = user): CommandPermission => ({ id, type: 2, permission })
export const forRole = (permission: boolean, id = first): CommandPermission => ({ id, type: 1, permission })
export const forEveryone = (permission: boolean) => forRole(permission, guildId)
export const forChannel = (permission: boolean, id = here): CommandPermission => ({ id, type: 3, permission })
export const forAllChannels = (permission: boolean) => forChannel(permission, everywhere)
/** The channel with one overwrite. */
export const overwritten = (id: string, type: 0 | 1, allow: bigint, deny: bigint) => ({
  id: here,
  permission_overwrites: [{ id, type, allow: String(allow), deny: String(deny) }],
})

export const explain = (over: Partial<AccessRequest>) => explainAccess(ask(over))
export const lastStep = (over: Partial<AccessRequest>) => explain(over).trace.at(-1)!
export const allows = (over: Partial<AccessRequest>) => canUse(ask(over))
