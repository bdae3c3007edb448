/** Servers, channels and members in the form of the gateway. */
import { ChannelType } from '../command/types.ts'
import { snowflakeTime } from '../core/snowflake.ts'
import { completeChannel, completeMember, completeRole, type MemberInput } from '../interaction/complete.ts'
import type { ServerChannel, ServerInput } from '../permission/server.ts'

/** Lists that clients read and that are always empty here. */
const EMPTY_LISTS = [
  'emojis',
  'stickers',
  'features',
  'threads',
  'presences',
  'voice_states',
  'stage_instances',
  'guild_scheduled_events',
  'soundboard_sounds',
] as const

/**
 * The server in the form of the gateway, with all fields that clients read; unknown ones have defaults.
 *
 * @param bot the user id of the app, which is a member too
 */
export function guildOf(server: ServerInput, bot: string): object {
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

function guildChannel(channel: ServerChannel, guildId: string, position: number): object {
  const { type: channelType = ChannelType.GUILD_TEXT, permission_overwrites: overwrites = [] } = channel
  return {
    position,
    parent_id: null,
    ...(channelType === ChannelType.GUILD_TEXT && {
      topic: null,
      last_message_id: null,
      rate_limit_per_user: 0,
    }),
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
