/** Servers, channels and members in the form of the gateway. */
import { ChannelType } from '../../model/command-types.ts'
import { snowflakeTime } from '../../core/snowflake.ts'
import {
  completeChannel,
  completeMember,
  completeRole,
  completeUser,
} from '../../interactions/usage/complete.ts'
import type { MemberInput, ServerChannel, ServerMember, ServerSticker } from '../../model/server.ts'
import type { ServerInput } from '../../model/demo-server.ts'
import type { DirectChannel, Invite, OwnEmoji, SelfVoice, ServerState, Thread, Webhook } from './entities.ts'
import { seesChannel } from './visibility.ts'

/** A server of a world, or one that a gateway was given. */
type AnyServer = ServerInput & Partial<Omit<ServerState, keyof ServerInput>>

/** Lists that clients read and that are always empty here. */
const EMPTY_LISTS = [
  'features',
  'presences',
  'stage_instances',
  'guild_scheduled_events',
  'soundboard_sounds',
] as const

/**
 * The server in the form of the gateway, with all fields that clients read; unknown ones have defaults.
 *
 * @param bot the user id of the app, which is a member too
 */
export function guildOf(server: AnyServer, bot: string) {
  const { id, name, owner_id = '0' } = server
  const { roles = [], channels = [], members = [], selfVoice = {} } = server
  const { emojis = [], stickers = [], fields = {} } = server
  const everyone = roles.some((role) => role.id === id)
    ? []
    : [completeRole({ id, name: '@everyone', position: 0 })]
  const isKnown = members.some(({ user }) => user.id === bot)
  const all: readonly MemberInput[] = isKnown ? members : [...members, { user: { id: bot, bot: true } }]
  return {
    id,
    name,
    owner_id,
    preferred_locale: 'en-US',
    ...Object.fromEntries(EMPTY_LISTS.map((list) => [list, []])),
    roles: [...everyone, ...roles.map(completeRole)],
    channels: channels.map((channel, index) => guildChannel(channel, id, index)),
    members: all.map(guildMember),
    threads: activeThreads(server, bot),
    emojis: emojis.map(guildEmoji),
    stickers: stickers.map((sticker) => guildSticker(sticker, id)),
    voice_states: members
      .filter((one) => one.voice_channel_id)
      .map((one) => voiceState(id, one, selfVoice[one.user.id])),
    member_count: all.length,
    large: false,
    unavailable: false,
    joined_at: new Date(snowflakeTime(id)).toISOString(),
    icon: null,
    splash: null,
    banner: null,
    description: null,
    discovery_splash: null,
    vanity_url_code: null,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    premium_tier: 0,
    premium_subscription_count: 0,
    premium_progress_bar_enabled: false,
    ...fields,
  }
}

/** The threads that are not archived and that a bot sees, with its own membership. */
function activeThreads(server: AnyServer, bot: string): readonly object[] {
  const open = (server.threads ?? []).filter(({ thread_metadata: { archived } }) => !archived)
  const now = Math.max(0, ...open.map(({ active_at }) => active_at))
  return open
    .filter((thread) => seesChannel(server as ServerState, bot, thread, now))
    .map((thread) => threadChannel(thread, bot))
}

/** What clients read about the size of a server. No member has a presence. */
export function memberCounts({ members }: Pick<ServerState, 'members'>) {
  return { approximate_member_count: members.length, approximate_presence_count: 0 }
}

/** A member in the form of the gateway, without permissions, because they depend on the channel. */
export function guildMember(member: MemberInput): object {
  const { permissions: _permissions, ...rest } = completeMember(member)
  return rest
}

/** Where a member is in voice channels. */
export function voiceState(
  guildId: string,
  member: Omit<ServerMember, 'roles'>,
  own: SelfVoice = {},
): object {
  const { user, voice_channel_id: channel = null, mute = false, deaf = false } = member
  return {
    guild_id: guildId,
    channel_id: channel,
    user_id: user.id,
    member: guildMember(member),
    session_id: `voice${user.id}`,
    deaf,
    mute,
    self_deaf: false,
    self_mute: false,
    self_video: false,
    ...own,
    suppress: false,
    request_to_speak_timestamp: null,
  }
}

/** The fields of voice and stage channels that clients require. */
const VOICE = {
  bitrate: 64_000,
  user_limit: 0,
  rtc_region: null,
  video_quality_mode: 1,
  last_message_id: null,
  rate_limit_per_user: 0,
}

const TEXT = { topic: null, last_message_id: null, rate_limit_per_user: 0 }

/** The fields of channels whose messages are posts. */
const POSTS = {
  available_tags: [],
  default_reaction_emoji: null,
  default_sort_order: null,
  default_forum_layout: 0,
  template: '',
}

/** The fields of a channel by its type, with their defaults. */
const CHANNEL_FIELDS: { readonly [type: number]: object } = {
  [ChannelType.GUILD_TEXT]: TEXT,
  [ChannelType.GUILD_ANNOUNCEMENT]: TEXT,
  [ChannelType.GUILD_VOICE]: VOICE,
  [ChannelType.GUILD_STAGE_VOICE]: { ...VOICE, topic: null },
  [ChannelType.GUILD_FORUM]: { ...TEXT, ...POSTS },
  [ChannelType.GUILD_MEDIA]: { ...TEXT, ...POSTS },
}

export function directChannel({ id, type, user, last_message_id = null }: DirectChannel): object {
  return { id, type, last_message_id, flags: 0, recipients: [completeUser(user)] }
}

export function guildChannel(channel: ServerChannel, guildId: string, position: number): object {
  const { type: channelType = ChannelType.GUILD_TEXT, permission_overwrites: overwrites = [] } = channel
  return {
    position,
    parent_id: null,
    ...CHANNEL_FIELDS[channelType],
    nsfw: false,
    flags: 0,
    ...completeChannel(channel, false),
    guild_id: guildId,
    permission_overwrites: overwrites.map(({ id, type, allow, deny }) => ({
      id,
      type,
      allow: String(allow),
      deny: String(deny),
    })),
  }
}

/** A thread in the form of the wire. @param bot whose membership it has. Default: no membership. */
export function threadChannel(thread: Thread, bot?: string): object {
  const { members, active_at: _active, ...rest } = thread
  const own = members.find(({ user_id }) => user_id === bot)
  return {
    ...completeChannel(rest),
    member_count: Math.min(members.length, 50),
    ...(own && { member: { id: thread.id, ...own, flags: 0 } }),
  }
}

export function guildEmoji(emoji: OwnEmoji) {
  const { user, ...rest } = emoji
  return { ...rest, user: completeUser(user), require_colons: true, managed: false, available: true }
}

export function guildSticker({ format_type = 1, ...sticker }: ServerSticker, guildId: string): object {
  const known = { type: 2, format_type, description: null, tags: '', available: true }
  return { ...known, ...sticker, guild_id: guildId }
}

/** @param isCreator whether the token is shown */
export function webhookOf(guildId: string, { token, user, ...webhook }: Webhook, isCreator: boolean): object {
  const application_id = user.bot === true ? user.id : null
  return {
    type: 1,
    ...webhook,
    guild_id: guildId,
    application_id,
    user: completeUser(user),
    ...(isCreator && { token, url: `https://discord.com/api/webhooks/${webhook.id}/${token}` }),
  }
}

export function inviteOf({ id, name, fields }: ServerState, invite: Invite, channel: ServerChannel) {
  const { channel_id, inviter, created_at, max_age, ...rest } = invite
  const expires = max_age === 0 ? null : new Date(created_at + max_age * 1_000).toISOString()
  const hashes = { icon: null, splash: null, banner: null, description: null, vanity_url_code: null }
  return {
    type: 0,
    ...rest,
    max_age,
    guild: { id, name, ...hashes, features: [], verification_level: 0, nsfw_level: 0, ...fields },
    channel: { id: channel_id, name: channel.name, type: channel.type ?? 0 },
    inviter: completeUser(inviter),
    created_at: new Date(created_at).toISOString(),
    expires_at: expires,
  }
}
