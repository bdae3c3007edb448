/** What the world has: servers with their channels, threads, emojis, webhooks and invites. */
import type { Secret } from '../../core/secrets.ts'
import type { ServerBan, ServerChannel, ServerSettings, ServerUser } from '../../model/server.ts'

/** A tag of the posts of a forum. */
export interface ForumTag {
  readonly id: string
  readonly name: string
  readonly moderated: boolean
  readonly emoji_id: string | null
  readonly emoji_name: string | null
}

export interface ChannelState extends ServerChannel {
  readonly flags?: number
  /** Stays after the message is deleted. Default: none. */
  readonly last_message_id?: string | null
  readonly available_tags?: readonly ForumTag[]
  readonly default_auto_archive_duration?: number
  readonly default_thread_rate_limit_per_user?: number
}

export interface WorldChannel extends ChannelState {
  readonly guild_id: string
}

export interface ThreadMember {
  readonly user_id: string
  /** ISO 8601. */
  readonly join_timestamp: string
}

export interface Thread extends WorldChannel {
  readonly type: number
  readonly parent_id: string
  readonly owner_id: string
  readonly thread_metadata: {
    readonly archived: boolean
    readonly locked: boolean
    /** Minutes without a message after which it is archived. */
    readonly auto_archive_duration: number
    /** The last change of `archived`, as ISO 8601. */
    readonly archive_timestamp: string
    readonly create_timestamp: string
    /** Of a private thread: whether members may add others. */
    readonly invitable?: boolean
  }
  readonly members: readonly ThreadMember[]
  /** Without the first message and without deleted ones. */
  readonly message_count: number
  readonly total_message_sent: number
  readonly last_message_id: string | null
  /** The last message, or the creation, in milliseconds since 1970. */
  readonly active_at: number
  /** Tags of the forum, for a post. */
  readonly applied_tags?: readonly string[]
}

export interface DirectChannel {
  readonly id: string
  readonly type: number
  readonly botId: string
  readonly user: ServerUser
  readonly last_message_id?: string | null
}

export type AnyChannel = WorldChannel | DirectChannel

export function isDirect(channel: object): channel is DirectChannel {
  return 'botId' in channel
}

/** An emoji of a reaction: one of Unicode has no id. */
export interface Emoji {
  readonly id: string | null
  readonly name: string
  readonly animated?: boolean
}

/** An emoji of a server or an application. */
export interface OwnEmoji {
  readonly id: string
  readonly name: string
  readonly animated: boolean
  readonly roles: readonly string[]
  readonly user: ServerUser
}

export interface Webhook {
  readonly id: string
  readonly token: Secret
  readonly channel_id: string
  readonly name: string
  readonly avatar: string | null
  /** Who created it. */
  readonly user: ServerUser
}

export interface Invite {
  readonly code: Secret
  readonly channel_id: string
  readonly inviter: ServerUser
  /** Seconds; 0 for ever. */
  readonly max_age: number
  /** 0 for any number. */
  readonly max_uses: number
  readonly temporary: boolean
  readonly uses: number
  /** Milliseconds since 1970. */
  readonly created_at: number
}

/** What a person has switched on or off in their own client. */
export interface SelfVoice {
  readonly self_mute?: boolean
  readonly self_deaf?: boolean
  readonly self_video?: boolean
}

/** A change of a field, as the audit log has it. */
export interface LoggedChange {
  readonly key: string
  readonly old_value?: unknown
  readonly new_value?: unknown
}

export interface LogEntry {
  readonly id: string
  readonly action_type: number
  readonly user_id: string
  readonly target_id: string | null
  readonly reason?: string
  readonly changes?: readonly LoggedChange[]
  readonly options?: object
}

/** A server with everything in it. */
export interface ServerState extends ServerSettings {
  readonly channels: readonly ChannelState[]
  readonly bans: readonly ServerBan[]
  readonly threads: readonly Thread[]
  readonly emojis: readonly OwnEmoji[]
  readonly webhooks: readonly Webhook[]
  readonly invites: readonly Invite[]
  /** What people have switched in their own clients, by user id. */
  readonly selfVoice: { readonly [userId: string]: SelfVoice }
  /** Further fields of the server, as PATCH sets them. */
  readonly fields: { readonly [name: string]: unknown }
}

/** Who changes the world, and why. */
export interface WorldActor {
  readonly userId: string
  /** For the audit log. */
  readonly reason: string | null
}
