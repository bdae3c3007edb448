/** The users, members, roles, channels, messages and attachments in an interaction, made whole from what is known. */
import { ChannelType } from '../command/kinds.ts'
import { snowflakeTime } from '../core/snowflake.ts'
import type {
  InteractionAttachment,
  InteractionChannel,
  InteractionMember,
  InteractionMessage,
  InteractionRole,
  InteractionUser,
  ResolvedChannel,
  ResolvedMember,
} from './payload.ts'

/** At least an id; whatever else is known comes along. */
export type Partly<T extends { readonly id: string }> = Pick<T, 'id'> & { readonly [Key in keyof T]?: T[Key] }

/** What is known of a member; the rest is made up. */
export interface MemberInput {
  readonly user: Partly<InteractionUser>
  readonly roles?: readonly string[]
  /** What the member may do in the channel. Absent: nothing is known, which is told as `'0'`. */
  readonly permissions?: string | bigint
  readonly nick?: string | null
  readonly avatar?: string | null
  readonly joined_at?: string
  readonly premium_since?: string | null
  readonly pending?: boolean
  readonly communication_disabled_until?: string | null
  readonly flags?: number
  readonly mute?: boolean
  readonly deaf?: boolean
}

/** What is known of the things that ids stand for. Of what is not here, something plausible is made up. */
export interface KnownThings {
  readonly users?: { readonly [id: string]: Partly<InteractionUser> }
  /** Null for a user who is no member of the guild. */
  readonly members?: { readonly [id: string]: Omit<MemberInput, 'user'> | null }
  readonly roles?: { readonly [id: string]: Partly<InteractionRole> }
  readonly channels?: { readonly [id: string]: Partly<ResolvedChannel> }
  readonly messages?: { readonly [id: string]: Partly<InteractionMessage> }
  readonly attachments?: { readonly [id: string]: Partly<InteractionAttachment> }
}

/** A copy as JSON carries it, so that nothing of the caller's is frozen or changes later. */
export function jsonCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

export function userOf(known: Partly<InteractionUser>): InteractionUser {
  return {
    username: `user${known.id}`,
    discriminator: '0',
    global_name: null,
    avatar: null,
    ...jsonCopy(known),
  }
}

/** ISO 8601 of the moment an id was made. */
function madeAt(id: string): string {
  return new Date(snowflakeTime(id)).toISOString()
}

/** A member without its user. A user cannot have joined before there was one. */
export function resolvedMember(userId: string, known: Omit<MemberInput, 'user'>): ResolvedMember {
  const { permissions = 0n, ...rest } = known
  const { mute: _mute, deaf: _deaf, user: _user, ...copy } = jsonCopy(rest) as MemberInput
  return {
    roles: [],
    nick: null,
    avatar: null,
    joined_at: madeAt(userId),
    premium_since: null,
    pending: false,
    communication_disabled_until: null,
    flags: 0,
    ...copy,
    permissions: String(permissions),
  }
}

export function memberOf(known: MemberInput): InteractionMember {
  const member = resolvedMember(known.user.id, known)
  return {
    ...member,
    user: userOf(known.user),
    is_pending: member.pending,
    mute: known.mute ?? false,
    deaf: known.deaf ?? false,
  }
}

export function roleOf(known: Partly<InteractionRole>): InteractionRole {
  return {
    name: `role${known.id}`,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    position: 1,
    permissions: '0',
    managed: false,
    mentionable: false,
    flags: 0,
    ...jsonCopy(known),
  }
}

/** Where an interaction happens, without what only the service needs to know of the place. */
export function channelOf(
  known: { readonly id: string; readonly type?: number },
  direct: boolean,
): InteractionChannel {
  const {
    parent: _parent,
    permission_overwrites: _overwrites,
    ...rest
  } = known as {
    readonly id: string
    readonly parent?: unknown
    readonly permission_overwrites?: unknown
  }
  return { type: direct ? ChannelType.DM : ChannelType.GUILD_TEXT, ...jsonCopy(rest) }
}

export function resolvedChannel(
  known: { readonly id: string; readonly type: number },
  permissions: string,
): ResolvedChannel {
  const channel = channelOf(known, false)
  return { permissions, ...channel, name: channel.name ?? `channel${known.id}` }
}

export function attachmentOf(known: Partly<InteractionAttachment>): InteractionAttachment {
  const { filename = 'file' } = known
  const url = `https://cdn.example/attachments/${known.id}/${encodeURIComponent(filename)}`
  return { filename, size: 0, url, proxy_url: url, ...jsonCopy(known) }
}

export function messageOf(
  known: Partly<InteractionMessage>,
  channelId: string,
  author: InteractionUser,
): InteractionMessage {
  return {
    channel_id: channelId,
    type: 0,
    content: '',
    author,
    timestamp: madeAt(known.id),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
    flags: 0,
    ...jsonCopy(known),
  }
}
