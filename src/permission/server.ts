/** Servers with their roles, channels and members, as the page, the testbed and gateway clients show them. */
import { ChannelType } from '../command/types.ts'
import { checkSnowflake } from '../core/snowflake.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import type { GuildChannel, GuildRole } from './member.ts'
import { everyoneId } from './entry.ts'

/** A role of a server. */
export interface ServerRole extends GuildRole {
  /** The name of the role. */
  readonly name: string
  /** The bit set of the role, in decimal digits. */
  readonly permissions: string
  /** The position of the role; `@everyone` is 0. Default: its index in the list. */
  readonly position?: number
  /** The color as a number, `0xRRGGBB`. Default 0: none. */
  readonly color?: number
  /** Whether its members are listed apart. Default false. */
  readonly hoist?: boolean
  /** Whether everyone may mention the role. Default false. */
  readonly mentionable?: boolean
  /** Whether the role belongs to an app, so members cannot assign it. Default false. */
  readonly managed?: boolean
  /** The app of a managed role. */
  readonly tags?: { readonly bot_id: string }
}

/** A channel of a server. */
export interface ServerChannel extends GuildChannel {
  /** The name of the channel. */
  readonly name: string
  /** The subject of a text channel. Default: none. */
  readonly topic?: string | null
  /** Slow mode: the seconds between two messages of one person. Default 0. */
  readonly rate_limit_per_user?: number
  /** Bits per second of a voice channel. Default 64000. */
  readonly bitrate?: number
  /** The largest number of people in a voice channel. Default 0: any number. */
  readonly user_limit?: number
}

/** A member of a server. */
export interface ServerMember {
  /** The user of the member. */
  readonly user: ServerUser
  /** Ids of the member's roles, without `@everyone`. */
  readonly roles: readonly string[]
  /** The nickname in the server. Default: none. */
  readonly nick?: string | null
  /** ISO 8601; the member is timed out until then. Default: not timed out. */
  readonly communication_disabled_until?: string | null
  /** When the member joined, as ISO 8601. Default: the time of the user's id. */
  readonly joined_at?: string
  /** The voice channel the member is in. Default: none. */
  readonly voice_channel_id?: string | null
}

/** The user of a member. */
export interface ServerUser {
  /** The id of the user. */
  readonly id: string
  /** The user name. */
  readonly username: string
  /** The display name. Default: none. */
  readonly global_name?: string
  /** Whether the user is a bot. Default false. */
  readonly bot?: boolean
}

/** A user who is banned from a server. */
export interface ServerBan {
  /** The banned user. */
  readonly user: ServerUser
  /** The reason, for the audit log. */
  readonly reason: string | null
}

/** A server with its roles, channels and members. */
export interface ServerSettings {
  /** The id of the server. */
  readonly id: string
  /** The name of the server. */
  readonly name: string
  /** The member who owns the server and has every permission in it. */
  readonly owner_id?: string
  /** The roles, including `@everyone`. */
  readonly roles: readonly ServerRole[]
  /** The channels. */
  readonly channels: readonly ServerChannel[]
  /** The members. */
  readonly members: readonly ServerMember[]
  /** The bans. Default: none. */
  readonly bans?: readonly ServerBan[]
}

/** A server of a configuration file: its lists and `@everyone` are optional. */
export type ServerInput = Pick<ServerSettings, 'id' | 'name' | 'owner_id'> & {
  /** Default: the demo server's. */
  readonly roles?: readonly ServerRole[]
  /** Default: the demo server's. */
  readonly channels?: readonly ServerChannel[]
  /** Default: the demo server's. The roles of a member default to none. */
  readonly members?: readonly (Omit<ServerMember, 'roles'> & { readonly roles?: readonly string[] })[]
}

const {
  ADD_REACTIONS,
  ADMINISTRATOR,
  ATTACH_FILES,
  BAN_MEMBERS,
  EMBED_LINKS,
  KICK_MEMBERS,
  MANAGE_MESSAGES,
  MODERATE_MEMBERS,
  READ_MESSAGE_HISTORY,
  SEND_MESSAGES,
  USE_APPLICATION_COMMANDS,
  VIEW_CHANNEL,
} = PermissionFlag

const everyone = String(
  VIEW_CHANNEL |
    SEND_MESSAGES |
    USE_APPLICATION_COMMANDS |
    READ_MESSAGE_HISTORY |
    ADD_REACTIONS |
    EMBED_LINKS |
    ATTACH_FILES,
)
const moderators = String(KICK_MEMBERS | BAN_MEMBERS | MANAGE_MESSAGES | MODERATE_MEMBERS)

/** The id of the demo server, which is the guild of `scene` in `commandry/testing`. */
export const DEMO_SERVER_ID = '2001'

/**
 * The default server: Ada is a member, Grace a moderator and Alan an administrator. Under another id it has the same
 * members, roles and channels.
 */
export function demoServer(id: string = DEMO_SERVER_ID): ServerSettings {
  return {
    id,
    name: id === DEMO_SERVER_ID ? 'Demo Server' : `Server ${id}`,
    roles: [
      everyoneRole(id),
      { id: '5001', name: 'Moderators', permissions: moderators, position: 1 },
      { id: '5002', name: 'Administrators', permissions: String(ADMINISTRATOR), position: 2 },
    ],
    channels: [
      { id: '4001', name: 'general', type: ChannelType.GUILD_TEXT },
      { id: '4002', name: 'staff', type: ChannelType.GUILD_TEXT },
      { id: '4003', name: 'nsfw', type: ChannelType.GUILD_TEXT, nsfw: true },
    ],
    members: [
      { user: { id: '3001', username: 'ada', global_name: 'Ada' }, roles: [] },
      { user: { id: '3002', username: 'grace', global_name: 'Grace' }, roles: ['5001'] },
      { user: { id: '3003', username: 'alan', global_name: 'Alan' }, roles: ['5002'] },
    ],
  }
}

function everyoneRole(guildId: string): ServerRole {
  return { id: everyoneId(guildId), name: '@everyone', permissions: everyone, position: 0 }
}

/**
 * A server with all lists and `@everyone`; missing lists are those of the demo server.
 *
 * @throws TypeError when its id is not a snowflake
 */
export function completeServer(input: ServerInput): ServerSettings {
  checkSnowflake(input?.id, 'server.id')
  const demo = demoServer(input.id)
  const { roles = demo.roles, channels = demo.channels } = input
  const hasEveryone = roles.some(({ id }) => id === everyoneId(input.id))
  // Members of the demo server may have roles that this server does not have.
  const known = new Set(roles.map(({ id }) => id))
  const members = (input.members ?? demo.members).map(({ roles: own = [], ...member }) => ({
    ...member,
    roles: own.filter((id) => known.has(id)),
  }))
  const all = hasEveryone ? roles : [everyoneRole(input.id), ...roles]
  return {
    ...input,
    roles: all.map((role, position) => ({ position, ...role })),
    channels,
    members,
  }
}
