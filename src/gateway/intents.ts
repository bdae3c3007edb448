/** Which events of the world a session gets, by its intents, and how much of a message. */
import type { WorldEvent, WorldEventName } from '../world/world.ts'

/** The bits of the intents by which events are sent. */
export const Intent = {
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_MODERATION: 1 << 2,
  GUILD_VOICE_STATES: 1 << 7,
  GUILD_MESSAGES: 1 << 9,
  GUILD_MESSAGE_REACTIONS: 1 << 10,
  GUILD_MESSAGE_TYPING: 1 << 11,
  DIRECT_MESSAGES: 1 << 12,
  DIRECT_MESSAGE_REACTIONS: 1 << 13,
  DIRECT_MESSAGE_TYPING: 1 << 14,
  MESSAGE_CONTENT: 1 << 15,
} as const

interface Needed {
  readonly server: number
  /** Absent: the event has no form in DMs. */
  readonly direct?: number
}

const members: Needed = { server: Intent.GUILD_MEMBERS }
const bans: Needed = { server: Intent.GUILD_MODERATION }
const servers: Needed = { server: Intent.GUILDS }
const messages: Needed = { server: Intent.GUILD_MESSAGES, direct: Intent.DIRECT_MESSAGES }
const reactions: Needed = {
  server: Intent.GUILD_MESSAGE_REACTIONS,
  direct: Intent.DIRECT_MESSAGE_REACTIONS,
}

/** The intent that an event needs. */
export const intents: { readonly [Name in WorldEventName]: Needed } = {
  GUILD_CREATE: servers,
  GUILD_DELETE: servers,
  GUILD_MEMBER_ADD: members,
  GUILD_MEMBER_UPDATE: members,
  GUILD_MEMBER_REMOVE: members,
  GUILD_BAN_ADD: bans,
  GUILD_BAN_REMOVE: bans,
  GUILD_ROLE_CREATE: servers,
  GUILD_ROLE_UPDATE: servers,
  GUILD_ROLE_DELETE: servers,
  CHANNEL_UPDATE: servers,
  MESSAGE_CREATE: messages,
  MESSAGE_UPDATE: messages,
  MESSAGE_DELETE: messages,
  MESSAGE_DELETE_BULK: messages,
  MESSAGE_REACTION_ADD: reactions,
  MESSAGE_REACTION_REMOVE: reactions,
  MESSAGE_REACTION_REMOVE_ALL: reactions,
  TYPING_START: { server: Intent.GUILD_MESSAGE_TYPING, direct: Intent.DIRECT_MESSAGE_TYPING },
  VOICE_STATE_UPDATE: { server: Intent.GUILD_VOICE_STATES },
}

/** The data of an event for a bot with some intents; null if it does not get the event. */
export function eventFor(event: WorldEvent, botId: string, own: number): object | null {
  const { server, direct } = intents[event.name]
  const needed = event.guildId === null ? (direct ?? 0) : server
  const { data }: { readonly data: { readonly user?: { readonly id: string } } } = event
  // A bot gets the changes of its own member whatever its intents are.
  const isOwn = event.name === 'GUILD_MEMBER_UPDATE' && data.user?.id === botId
  if ((own & needed) === 0 && !isOwn) return null
  if (event.name !== 'MESSAGE_CREATE' && event.name !== 'MESSAGE_UPDATE') return data
  return (own & Intent.MESSAGE_CONTENT) !== 0 || event.guildId === null || concerns(data, botId)
    ? data
    : { ...data, content: '', embeds: [], attachments: [], components: [] }
}

/** Whether a message is of the bot or mentions it. */
function concerns(data: object, botId: string): boolean {
  const { author, mentions } = data as {
    readonly author?: { readonly id: string }
    readonly mentions?: readonly { readonly id: string }[]
  }
  return author?.id === botId || mentions?.some(({ id }) => id === botId) === true
}
