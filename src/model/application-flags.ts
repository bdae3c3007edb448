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

/** The flags of each privileged intent: of apps in 100 or more servers, and in fewer. */
const PRIVILEGES = {
  GUILD_PRESENCES: ApplicationFlag.GATEWAY_PRESENCE | ApplicationFlag.GATEWAY_PRESENCE_LIMITED,
  GUILD_MEMBERS: ApplicationFlag.GATEWAY_GUILD_MEMBERS | ApplicationFlag.GATEWAY_GUILD_MEMBERS_LIMITED,
  MESSAGE_CONTENT: ApplicationFlag.GATEWAY_MESSAGE_CONTENT | ApplicationFlag.GATEWAY_MESSAGE_CONTENT_LIMITED,
} as const

export type PrivilegedIntent = keyof typeof PRIVILEGES

export const privilegedIntents = Object.keys(PRIVILEGES) as readonly PrivilegedIntent[]

/** Whether an app has a privileged intent (clause 6-07). Without flags it has all. */
export function hasPrivilege(flags: number | undefined, intent: PrivilegedIntent): boolean {
  return flags === undefined || (flags & PRIVILEGES[intent]) !== 0
}
