/** Which events of the world a session gets, by its intents, and how much of a message. */
import { withoutContent } from '../world/world-message.ts'
import type { WorldEvent, WorldEventName } from '../world/world-events.ts'

/** The bits of the intents by which events are sent and requests answered. */
export const Intent = {
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_MODERATION: 1 << 2,
  GUILD_EXPRESSIONS: 1 << 3,
  GUILD_WEBHOOKS: 1 << 5,
  GUILD_INVITES: 1 << 6,
  GUILD_VOICE_STATES: 1 << 7,
  GUILD_PRESENCES: 1 << 8,
  GUILD_MESSAGES: 1 << 9,
  GUILD_MESSAGE_REACTIONS: 1 << 10,
  GUILD_MESSAGE_TYPING: 1 << 11,
  DIRECT_MESSAGES: 1 << 12,
  DIRECT_MESSAGE_REACTIONS: 1 << 13,
  DIRECT_MESSAGE_TYPING: 1 << 14,
  MESSAGE_CONTENT: 1 << 15,
  GUILD_MESSAGE_POLLS: 1 << 24,
  DIRECT_MESSAGE_POLLS: 1 << 25,
} as const

/** The names of all intents, also of those by which nothing is sent here. */
const intentBits: Readonly<Record<string, number>> = {
  ...Intent,
  GUILD_INTEGRATIONS: 1 << 4,
  GUILD_SCHEDULED_EVENTS: 1 << 16,
  AUTO_MODERATION_CONFIGURATION: 1 << 20,
  AUTO_MODERATION_EXECUTION: 1 << 21,
}

export function intentNames(bits: number): readonly string[] {
  return Object.keys(intentBits).filter((name) => (bits & intentBits[name]!) !== 0)
}

/** The intent for servers, and the one for DMs; 0 for an event that DMs do not have. */
type Needed = readonly [server: number, direct: number]

/** For events that a bot gets whatever its intents are. */
const ALWAYS: Needed = [-1, -1]
const members: Needed = [Intent.GUILD_MEMBERS, 0]
const bans: Needed = [Intent.GUILD_MODERATION, 0]
const servers: Needed = [Intent.GUILDS, 0]
const messages: Needed = [Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES]
const invites: Needed = [Intent.GUILD_INVITES, 0]
const votes: Needed = [Intent.GUILD_MESSAGE_POLLS, Intent.DIRECT_MESSAGE_POLLS]
const reactions: Needed = [Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS]

export const intents: { readonly [Name in WorldEventName]: Needed } = {
  GUILD_CREATE: servers,
  GUILD_UPDATE: servers,
  GUILD_DELETE: servers,
  GUILD_MEMBER_ADD: members,
  GUILD_MEMBER_UPDATE: members,
  GUILD_MEMBER_REMOVE: members,
  GUILD_BAN_ADD: bans,
  GUILD_BAN_REMOVE: bans,
  GUILD_ROLE_CREATE: servers,
  GUILD_ROLE_UPDATE: servers,
  GUILD_ROLE_DELETE: servers,
  CHANNEL_CREATE: servers,
  CHANNEL_UPDATE: servers,
  CHANNEL_DELETE: servers,
  CHANNEL_PINS_UPDATE: [Intent.GUILDS, Intent.DIRECT_MESSAGES],
  THREAD_CREATE: servers,
  THREAD_UPDATE: servers,
  THREAD_DELETE: servers,
  THREAD_LIST_SYNC: servers,
  THREAD_MEMBER_UPDATE: servers,
  THREAD_MEMBERS_UPDATE: members,
  GUILD_EMOJIS_UPDATE: [Intent.GUILD_EXPRESSIONS, 0],
  GUILD_AUDIT_LOG_ENTRY_CREATE: bans,
  WEBHOOKS_UPDATE: [Intent.GUILD_WEBHOOKS, 0],
  INVITE_CREATE: invites,
  INVITE_DELETE: invites,
  MESSAGE_CREATE: messages,
  MESSAGE_UPDATE: messages,
  MESSAGE_DELETE: messages,
  MESSAGE_DELETE_BULK: messages,
  MESSAGE_POLL_VOTE_ADD: votes,
  MESSAGE_POLL_VOTE_REMOVE: votes,
  MESSAGE_REACTION_ADD: reactions,
  MESSAGE_REACTION_REMOVE: reactions,
  MESSAGE_REACTION_REMOVE_ALL: reactions,
  MESSAGE_REACTION_REMOVE_EMOJI: reactions,
  TYPING_START: [Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING],
  VOICE_STATE_UPDATE: [Intent.GUILD_VOICE_STATES, 0],
  VOICE_SERVER_UPDATE: ALWAYS,
  USER_UPDATE: ALWAYS,
}

interface WithId {
  readonly id: string
}

interface Subjects {
  readonly added_members?: readonly { readonly user_id: string }[]
  readonly removed_member_ids?: readonly string[]
  readonly user?: WithId
  readonly author?: WithId
  readonly mentions?: readonly WithId[]
}

/** The data of an event for a bot with some intents; null if it does not get the event. */
export function eventFor({ name, guildId, data }: WorldEvent, botId: string, own: number): object | null {
  const { user, added_members = [], removed_member_ids = [] }: Subjects = data
  const isBot = (one: WithId | undefined) => one?.id === botId
  const [server, direct] = intents[name]
  const needed = guildId === null ? direct : server
  const isOwnThread = [...added_members.map(({ user_id }) => user_id), ...removed_member_ids].includes(botId)
  const hasIntent = needed === -1 || (own & needed) !== 0 || (isOwnThread && (own & Intent.GUILDS) !== 0)
  // A bot gets the changes of its own member whatever its intents are.
  if (!hasIntent && !(name === 'GUILD_MEMBER_UPDATE' && isBot(user))) return null
  if (name === 'GUILD_CREATE') return guildFor(data as GuildWithMembers, botId, own)
  return needsContent({ name, guildId, data }, botId) && (own & Intent.MESSAGE_CONTENT) === 0
    ? withoutContent(data)
    : data
}

interface GuildWithMembers {
  readonly members: readonly object[]
  readonly voice_states: readonly object[]
}

/** A server as a bot gets it: without GUILD_PRESENCES, its members are the bot and those in voice channels (clause 6-07). */
export function guildFor<Guild extends GuildWithMembers>(guild: Guild, botId: string, own: number): Guild {
  if ((own & Intent.GUILD_PRESENCES) !== 0) return guild
  const talking = guild.voice_states as readonly { readonly user_id: string }[]
  const shown = new Set([botId, ...talking.map(({ user_id }) => user_id)])
  const members = guild.members as readonly { readonly user: WithId }[]
  return { ...guild, members: members.filter(({ user }) => shown.has(user.id)) }
}

/** Whether an event is a message whose content a bot sees by the intent MESSAGE_CONTENT only. */
function needsContent({ name, guildId, data }: Omit<WorldEvent, 'sees'>, botId: string): boolean {
  const { author, mentions = [] }: Subjects = data
  const isMessage = name === 'MESSAGE_CREATE' || name === 'MESSAGE_UPDATE'
  return isMessage && guildId !== null && author?.id !== botId && !mentions.some(({ id }) => id === botId)
}

/** The intents that an event needs that a bot gets: that of the event, and that of the content of messages. */
export function intentsOf(event: WorldEvent, botId: string): number {
  const [server, direct] = intents[event.name]
  const needed = event.guildId === null ? direct : server
  return Math.max(needed, 0) | (needsContent(event, botId) ? Intent.MESSAGE_CONTENT : 0)
}
