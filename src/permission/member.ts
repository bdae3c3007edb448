/** What is known of a member, a role and a channel of a guild, as far as permissions depend on it. */
import { ChannelType } from '../command/kinds.ts'
import { described } from '../core/text.ts'

/** A member of a guild, as in interactions and member objects of the wire. */
export interface GuildMember {
  readonly user: { readonly id: string }
  /** Ids of the member's roles, without @everyone. */
  readonly roles: readonly string[]
  /**
   * What the member may do, in the guild or already in the channel in question, as interactions carry it. Counts
   * when the guild's roles are not given.
   */
  readonly permissions?: string | bigint
  /** ISO 8601; the member is timed out until then. Null or past: not timed out. */
  readonly communication_disabled_until?: string | null
}

export interface GuildRole {
  /** The guild's own id for the role @everyone. */
  readonly id: string
  readonly permissions: string | bigint
}

/** What a channel adds to or takes from what a role or a member may do. */
export interface ChannelOverwrite {
  readonly id: string
  /** 0 a role, 1 a member. */
  readonly type: 0 | 1
  readonly allow: string | bigint
  readonly deny: string | bigint
}

export interface GuildChannel {
  readonly id: string
  /** One of `ChannelType`. Absent: not a thread. */
  readonly type?: number
  readonly guild_id?: string
  /** Of a thread, its channel; of a channel, its category. */
  readonly parent_id?: string | null
  /** Of a thread, the channel it is in; nobody needs it for other channels. */
  readonly parent?: GuildChannel
  readonly permission_overwrites?: readonly ChannelOverwrite[]
  /** Age-restricted. */
  readonly nsfw?: boolean
}

/** Whether a channel is a thread: it then has the permissions of the channel it is in. */
export function isThread({ type }: Pick<GuildChannel, 'type'>): boolean {
  return (
    type === ChannelType.PUBLIC_THREAD ||
    type === ChannelType.PRIVATE_THREAD ||
    type === ChannelType.ANNOUNCEMENT_THREAD
  )
}

/** The id of the channel whose permissions count in a channel: that of its parent for a thread (clause 2.9-05). */
export function permissionChannelId(channel: GuildChannel): string {
  return isThread(channel) ? (channel.parent_id ?? channel.parent?.id ?? channel.id) : channel.id
}

/** @throws TypeError, naming `label`, when a member comes without a list of roles; one without roles has an empty one */
export function checkRoles({ roles }: GuildMember, label: string): void {
  if (Array.isArray(roles)) return
  throw new TypeError(`${label}.roles: expected the ids of the member's roles, got ${described(roles)}`)
}
