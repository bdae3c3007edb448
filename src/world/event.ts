/** The changes of a world, in the form of the gateway. */

/** The events of the gateway that a change of the world causes. */
export type WorldEventName =
  | 'GUILD_CREATE'
  | 'GUILD_DELETE'
  | 'GUILD_MEMBER_ADD'
  | 'GUILD_MEMBER_UPDATE'
  | 'GUILD_MEMBER_REMOVE'
  | 'GUILD_BAN_ADD'
  | 'GUILD_BAN_REMOVE'
  | 'GUILD_ROLE_CREATE'
  | 'GUILD_ROLE_UPDATE'
  | 'GUILD_ROLE_DELETE'
  | 'CHANNEL_UPDATE'
  | 'MESSAGE_CREATE'
  | 'MESSAGE_UPDATE'
  | 'MESSAGE_DELETE'
  | 'MESSAGE_DELETE_BULK'
  | 'MESSAGE_REACTION_ADD'
  | 'MESSAGE_REACTION_REMOVE'
  | 'MESSAGE_REACTION_REMOVE_ALL'
  | 'TYPING_START'
  | 'VOICE_STATE_UPDATE'

/** A change, in the form of the gateway. */
export interface WorldEvent {
  readonly name: WorldEventName
  /** The server; null for a DM. */
  readonly guildId: string | null
  readonly data: object
  /** Whether a bot may get the event: it is in the server and sees the channel, or the DM is its own. */
  readonly sees: (botId: string) => boolean
}
