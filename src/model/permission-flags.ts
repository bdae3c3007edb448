/** From the table in developers/topics/permissions.mdx, discord-api-docs at 258deb49. */

/** The bits of a member's permissions. */
export const PermissionFlag = Object.freeze({
  CREATE_INSTANT_INVITE: 1n << 0n,
  KICK_MEMBERS: 1n << 1n,
  BAN_MEMBERS: 1n << 2n,
  /** Every permission, whatever the overwrites of channels. */
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  /** Edit the server and the integrations in it. */
  MANAGE_GUILD: 1n << 5n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_AUDIT_LOG: 1n << 7n,
  /** Be heard above other speakers in voice channels. */
  PRIORITY_SPEAKER: 1n << 8n,
  /** Share video in voice channels. */
  STREAM: 1n << 9n,
  VIEW_CHANNEL: 1n << 10n,
  /** Send messages, and create threads in forums. */
  SEND_MESSAGES: 1n << 11n,
  /** Send messages that clients read aloud. */
  SEND_TTS_MESSAGES: 1n << 12n,
  /** Delete other members' messages. */
  MANAGE_MESSAGES: 1n << 13n,
  /** Have links shown with a preview. */
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_EXTERNAL_EMOJIS: 1n << 18n,
  /** View the statistics of the server. */
  VIEW_GUILD_INSIGHTS: 1n << 19n,
  CONNECT: 1n << 20n,
  SPEAK: 1n << 21n,
  MUTE_MEMBERS: 1n << 22n,
  DEAFEN_MEMBERS: 1n << 23n,
  MOVE_MEMBERS: 1n << 24n,
  /** Speak in voice channels without push-to-talk. */
  USE_VAD: 1n << 25n,
  CHANGE_NICKNAME: 1n << 26n,
  MANAGE_NICKNAMES: 1n << 27n,
  /** Create and edit roles below one's own highest role. */
  MANAGE_ROLES: 1n << 28n,
  MANAGE_WEBHOOKS: 1n << 29n,
  /** Edit and delete emojis, stickers and sounds of every member. */
  MANAGE_GUILD_EXPRESSIONS: 1n << 30n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
  /** Request to speak in stage channels. */
  REQUEST_TO_SPEAK: 1n << 32n,
  /** Edit and delete scheduled events of every member. */
  MANAGE_EVENTS: 1n << 33n,
  /** Delete and archive threads, and view private ones. */
  MANAGE_THREADS: 1n << 34n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  CREATE_PRIVATE_THREADS: 1n << 36n,
  USE_EXTERNAL_STICKERS: 1n << 37n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
  /** Use Activities. */
  USE_EMBEDDED_ACTIVITIES: 1n << 39n,
  /** Time out members. */
  MODERATE_MEMBERS: 1n << 40n,
  /** View statistics of role subscriptions. */
  VIEW_CREATOR_MONETIZATION_ANALYTICS: 1n << 41n,
  USE_SOUNDBOARD: 1n << 42n,
  /** Create emojis, stickers and sounds, and edit and delete one's own. */
  CREATE_GUILD_EXPRESSIONS: 1n << 43n,
  /** Create scheduled events, and edit and delete one's own. */
  CREATE_EVENTS: 1n << 44n,
  USE_EXTERNAL_SOUNDS: 1n << 45n,
  SEND_VOICE_MESSAGES: 1n << 46n,
  SET_VOICE_CHANNEL_STATUS: 1n << 48n,
  SEND_POLLS: 1n << 49n,
  /** Have answers of user-installed apps shown to everyone in the channel. */
  USE_EXTERNAL_APPS: 1n << 50n,
  PIN_MESSAGES: 1n << 51n,
  BYPASS_SLOWMODE: 1n << 52n,
})
export type PermissionFlag = (typeof PermissionFlag)[keyof typeof PermissionFlag]
