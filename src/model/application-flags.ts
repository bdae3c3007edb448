import { EMBEDDED } from './application.ts'

/** Bits of an application's `flags`. */
export const ApplicationFlag = Object.freeze({
  /** The app has the badge for creating AutoMod rules. */
  APPLICATION_AUTO_MODERATION_RULE_CREATE_BADGE: 1 << 6,
  /** The app, in 100 or more servers, may receive presences. */
  GATEWAY_PRESENCE: 1 << 12,
  /** The app, in fewer than 100 servers, may receive presences. */
  GATEWAY_PRESENCE_LIMITED: 1 << 13,
  /** The app, in 100 or more servers, may receive member events. */
  GATEWAY_GUILD_MEMBERS: 1 << 14,
  /** The app, in fewer than 100 servers, may receive member events. */
  GATEWAY_GUILD_MEMBERS_LIMITED: 1 << 15,
  /** Unusual growth of the app prevents its verification. */
  VERIFICATION_PENDING_GUILD_LIMIT: 1 << 16,
  /** The app has an Activity. */
  EMBEDDED,
  /** The app, in 100 or more servers, may receive the content of messages. */
  GATEWAY_MESSAGE_CONTENT: 1 << 18,
  /** The app, in fewer than 100 servers, may receive the content of messages. */
  GATEWAY_MESSAGE_CONTENT_LIMITED: 1 << 19,
  /** The app has the badge for global commands. */
  APPLICATION_COMMAND_BADGE: 1 << 23,
})
export type ApplicationFlag = (typeof ApplicationFlag)[keyof typeof ApplicationFlag]
