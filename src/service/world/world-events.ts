/** The events of changes, in the form of the gateway. */

export type WorldEventName =
  | `GUILD_${'CREATE' | 'UPDATE' | 'DELETE'}`
  | `GUILD_MEMBER_${'ADD' | 'UPDATE' | 'REMOVE'}`
  | `GUILD_BAN_${'ADD' | 'REMOVE'}`
  | `GUILD_ROLE_${'CREATE' | 'UPDATE' | 'DELETE'}`
  | 'GUILD_EMOJIS_UPDATE'
  | 'GUILD_AUDIT_LOG_ENTRY_CREATE'
  | `MESSAGE_${'CREATE' | 'UPDATE' | 'DELETE' | 'DELETE_BULK'}`
  | `MESSAGE_POLL_VOTE_${'ADD' | 'REMOVE'}`
  | `MESSAGE_REACTION_${'ADD' | 'REMOVE' | 'REMOVE_ALL' | 'REMOVE_EMOJI'}`
  | `CHANNEL_${'CREATE' | 'UPDATE' | 'DELETE' | 'PINS_UPDATE'}`
  | `THREAD_${'CREATE' | 'UPDATE' | 'DELETE'}`
  | 'THREAD_LIST_SYNC'
  | `THREAD_${'MEMBER' | 'MEMBERS'}_UPDATE`
  | `INVITE_${'CREATE' | 'DELETE'}`
  | 'WEBHOOKS_UPDATE'
  | 'TYPING_START'
  | 'VOICE_STATE_UPDATE'
  | 'VOICE_SERVER_UPDATE'
  | 'USER_UPDATE'

/** A change, in the form of the gateway. */
export interface WorldEvent {
  readonly name: WorldEventName
  /** The server; null for a DM, and for the bot itself. */
  readonly guildId: string | null
  readonly data: object
  /** Whether a bot may get the event: it is in the server and sees the channel, or the DM is its own. */
  readonly sees: (botId: string) => boolean
  /** Notes that a bot got it, which it would not without some permissions. */
  readonly received?: (botId: string) => void
}
