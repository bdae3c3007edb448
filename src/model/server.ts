/** Servers with their members, roles and channels: the one form of them in decisions, clients, tests and gateways. */
import { ChannelType } from './command-types.ts'

/** An object with its id; all other fields are optional. */
export type Partly<T extends { readonly id: string }> = Pick<T, 'id'> & { readonly [Key in keyof T]?: T[Key] }

export interface ServerUser {
  readonly id: string
  /** The user name, unique on the platform. */
  readonly username: string
  /** The display name. Default: none. */
  readonly global_name?: string | null
  /** `'0'`, the default, or the four digits of an old bot account. */
  readonly discriminator?: string
  /** The hash of the avatar. Default: none. */
  readonly avatar?: string | null
  /** True for a bot; absent for a person. */
  readonly bot?: boolean
  /** 2 for Nitro, with which messages have up to 4000 characters; bots do not see it. Default 0. */
  readonly premium_type?: 0 | 1 | 2 | 3
}

export interface ServerMember {
  readonly user: ServerUser
  /** Ids of the member's roles, without `@everyone`. */
  readonly roles: readonly string[]
  /**
   * The member's permissions, in the guild or in the channel, as in interactions. Used only if the guild's roles are
   * not given. Absent: unknown, sent as `'0'`.
   */
  readonly permissions?: string | bigint
  /** The nickname in the server. Default: none. */
  readonly nick?: string | null
  /** The hash of the avatar in the server. Default: none. */
  readonly avatar?: string | null
  /** The hash of the banner in the server. Default: none. */
  readonly banner?: string | null
  /** When the member joined, as ISO 8601. Default: the time of the user's id. */
  readonly joined_at?: string
  /** The time since when the member boosts the server, as ISO 8601. Default: none. */
  readonly premium_since?: string | null
  /** Whether the member has not yet passed the server's membership screening. Default false. */
  readonly pending?: boolean
  /** ISO 8601; the member is timed out until then. Null or past: not timed out. */
  readonly communication_disabled_until?: string | null
  /** Bits about the member. Default 0. */
  readonly flags?: number
  /** Whether the member is muted in voice channels. Default false. */
  readonly mute?: boolean
  /** Whether the member is deafened in voice channels. Default false. */
  readonly deaf?: boolean
  /** The voice channel the member is in. Default: none. */
  readonly voice_channel_id?: string | null
}

/** The known fields of a member; the others get default values. */
export type MemberInput = Partial<Omit<ServerMember, 'user'>> & {
  readonly user: Partly<ServerUser>
}

/** The fields of a member that permissions depend on. */
export interface GuildMember extends Pick<
  ServerMember,
  'roles' | 'permissions' | 'communication_disabled_until'
> {
  readonly user: { readonly id: string }
}

/** The fields of a role that permissions depend on. */
export interface GuildRole {
  /** The guild's own id for the role `@everyone`. */
  readonly id: string
  /** The bit set of the role: decimal digits or a bigint. */
  readonly permissions: string | bigint
}

export interface RankedRole extends GuildRole {
  /** The position of the role; a member manages the roles below their own highest. Absent: unknown. */
  readonly position?: number
}

export interface ServerRole extends RankedRole {
  readonly name: string
  /** The bit set of the role, in decimal digits. */
  readonly permissions: string
  /** The position of the role; `@everyone` is 0. Default: its index in the list. */
  readonly position?: number
  /** The color as a number, `0xRRGGBB`. Default 0: none. */
  readonly color?: number
  /** Whether its members are listed apart. Default false. */
  readonly hoist?: boolean
  /** The hash of the icon. Default: none. */
  readonly icon?: string | null
  /** The emoji in the place of an icon. Default: none. */
  readonly unicode_emoji?: string | null
  /** Whether everyone may mention the role. Default false. */
  readonly mentionable?: boolean
  /** Whether the role belongs to an app, so members cannot assign it. Default false. */
  readonly managed?: boolean
  /** The app of a managed role. */
  readonly tags?: { readonly bot_id: string }
}

export interface ChannelOverwrite {
  readonly id: string
  /** 0 a role, 1 a member. */
  readonly type: 0 | 1
  /** The bits the channel adds. */
  readonly allow: string | bigint
  /** The bits the channel removes. */
  readonly deny: string | bigint
}

/** A channel of a guild, as in channel objects of the wire. */
export interface GuildChannel {
  readonly id: string
  /** One of `ChannelType`. Absent: not a thread. */
  readonly type?: number
  /** The name of the channel. Default: none. */
  readonly name?: string | null
  /** The guild of the channel. */
  readonly guild_id?: string
  /** The id of the channel of a thread, or of the category of a channel. */
  readonly parent_id?: string | null
  /** The channel of a thread; ignored for other channels. */
  readonly parent?: GuildChannel
  /** The overwrites of the channel. Absent: none. */
  readonly permission_overwrites?: readonly ChannelOverwrite[]
  /** Whether the channel is age-restricted. Default false. */
  readonly nsfw?: boolean
  /** The subject of a text channel. Default: none. */
  readonly topic?: string | null
  /** The position in the list. Default: the index. */
  readonly position?: number
}

export interface ServerChannel extends GuildChannel {
  readonly name: string
  /** Slow mode: the seconds between two messages of one person. Default 0. */
  readonly rate_limit_per_user?: number
  /** Bits per second of a voice channel. Default 64000. */
  readonly bitrate?: number
  /** The largest number of people in a voice channel. Default 0: any number. */
  readonly user_limit?: number
  /** The app that the channel belongs to; null for none. Default: absent. */
  readonly application_id?: string | null
}

export interface ServerBan {
  readonly user: ServerUser
  readonly reason: string | null
}

export interface ServerSettings {
  readonly id: string
  readonly name: string
  /** The member who owns the server and has every permission in it. */
  readonly owner_id?: string
  /** The roles, including `@everyone`. */
  readonly roles: readonly ServerRole[]
  readonly channels: readonly ServerChannel[]
  readonly members: readonly ServerMember[]
  /** The bans. Default: none. */
  readonly bans?: readonly ServerBan[]
  /** Whether bots are in it. Default true: a server without them is one where people use apps that they installed. */
  readonly bot?: boolean
  /** The stickers, which members and bots can send there. Default: none. */
  readonly stickers?: readonly ServerSticker[]
}

/** A sticker of a server. */
export interface ServerSticker {
  readonly id: string
  readonly name: string
  /** 1 PNG, 2 APNG, 3 Lottie, 4 GIF. Default 1. */
  readonly format_type?: number
}

/** A member in a channel of a guild: who uses a command, and where. */
export interface MemberInChannel {
  readonly guildId: string
  readonly channel: GuildChannel
  readonly member: GuildMember
  /** The guild's roles, including `@everyone`. Absent: `member.permissions` is used. */
  readonly roles?: readonly GuildRole[]
  /** The user who owns the guild and has every permission in it. */
  readonly ownerId?: string
}

/** A member in a channel of a server, with what decisions about access need. */
export function memberInChannel<Member extends GuildMember>(
  { id: guildId, roles, owner_id: ownerId }: ServerSettings,
  member: Member,
  channel: GuildChannel,
) {
  return { guildId, channel, member, roles, ...(ownerId !== undefined && { ownerId }) }
}

export function displayName({ global_name, username }: ServerUser): string {
  return global_name ?? username
}

/** Whether a channel is a thread: its permissions are those of its channel. */
export function isThread({ type }: Pick<GuildChannel, 'type'>): boolean {
  return (
    type === ChannelType.PUBLIC_THREAD ||
    type === ChannelType.PRIVATE_THREAD ||
    type === ChannelType.ANNOUNCEMENT_THREAD
  )
}

/** The id of the channel whose permissions apply: the parent of a thread, else the channel itself (clause 2.9-05). */
export function permissionChannelId(channel: GuildChannel): string {
  return isThread(channel) ? (channel.parent_id ?? channel.parent?.id ?? channel.id) : channel.id
}
