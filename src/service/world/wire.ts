/** Servers, channels and members in the form of the gateway. */
import { ChannelType } from '../../model/command-types.ts'
import { snowflakeTime } from '../../core/snowflake.ts'
import {
  completeChannel,
  completeMember,
  completeRole,
  completeUser,
} from '../../interactions/usage/complete.ts'
import type { MemberInput, ServerChannel, ServerMember, ServerUser } from '../../model/server.ts'
import type { ServerInput } from '../../model/demo-server.ts'

/** Lists that clients read and that are always empty here. */
const EMPTY_LISTS = [
  'emojis',
  'stickers',
  'features',
  'threads',
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
export function guildOf(server: ServerInput, bot: string) {
  const { id, name, owner_id = '0' } = server
  const { roles = [], channels = [], members = [] } = server
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
    voice_states: members.filter((one) => one.voice_channel_id).map((one) => voiceState(id, one)),
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
  }
}

/** A member in the form of the gateway, without permissions, because they depend on the channel. */
export function guildMember(member: MemberInput): object {
  const { permissions: _permissions, ...rest } = completeMember(member)
  return rest
}

/** Where a member is in voice channels. */
export function voiceState(guildId: string, member: Omit<ServerMember, 'roles'>): object {
  const { user, voice_channel_id: channel = null } = member
  return {
    guild_id: guildId,
    channel_id: channel,
    user_id: user.id,
    member: guildMember(member),
    session_id: `voice${user.id}`,
    deaf: false,
    mute: false,
    self_deaf: false,
    self_mute: false,
    self_video: false,
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

/** The fields of a channel by its type, with their defaults. */
const CHANNEL_FIELDS: { readonly [type: number]: object } = {
  [ChannelType.GUILD_TEXT]: TEXT,
  [ChannelType.GUILD_ANNOUNCEMENT]: TEXT,
  [ChannelType.GUILD_VOICE]: VOICE,
  [ChannelType.GUILD_STAGE_VOICE]: { ...VOICE, topic: null },
  [ChannelType.GUILD_FORUM]: { ...TEXT, available_tags: [], default_reaction_emoji: null },
}

export interface DirectChannel {
  readonly id: string
  readonly type: number
  readonly botId: string
  readonly user: ServerUser
}

export function isDirect(channel: object): channel is DirectChannel {
  return 'botId' in channel
}

export function directChannel({ id, type, user }: DirectChannel): object {
  return { id, type, last_message_id: null, flags: 0, recipients: [completeUser(user)] }
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
