/** The fields of a guild's members, roles and channels that permissions depend on. */
import { ChannelType } from '../command/types.ts'

/** A member of a guild, as in interactions and member objects of the wire. */
export interface GuildMember {
  /** The user of the member; only its id is read. */
  readonly user: { readonly id: string }
  /** Ids of the member's roles, without `@everyone`. */
  readonly roles: readonly string[]
  /**
   * The member's permissions, in the guild or in the channel, as in interactions. Used only if the guild's roles are
   * not given.
   */
  readonly permissions?: string | bigint
  /** ISO 8601; the member is timed out until then. Null or past: not timed out. */
  readonly communication_disabled_until?: string | null
}

/** A role of a guild, as in role objects of the wire. */
export interface GuildRole {
  /** The guild's own id for the role `@everyone`. */
  readonly id: string
  /** The bit set of the role: decimal digits or a bigint. */
  readonly permissions: string | bigint
}

/** A permission overwrite of a channel. */
export interface ChannelOverwrite {
  /** The id of the role or the member. */
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
  /** The id of the channel. */
  readonly id: string
  /** One of `ChannelType`. Absent: not a thread. */
  readonly type?: number
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
