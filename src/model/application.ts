import { IntegrationType } from './command-types.ts'

/**
 * The settings of an app. Absent fields: no Activity and every privileged intent, guild install only, not discoverable,
 * every guild, a bot user.
 */
export interface ApplicationSettings {
  /** The id of the app. */
  readonly id?: string
  /** The name of the app. */
  readonly name?: string
  /** Bits of `ApplicationFlag`. EMBEDDED: the app has an Activity. Of privileged intents it has those that are set. */
  readonly flags?: number
  /** Listed in discovery; then none of its commands may be age-restricted. */
  readonly discoverable?: boolean
  /** The installation contexts the app supports. */
  readonly integration_types?: readonly IntegrationType[]
  /** The guilds that authorized `applications.commands`; absent means all. */
  readonly guilds?: readonly string[]
  /** Whether the app has a bot user. Default true; without one there is no DM with the app. */
  readonly bot?: boolean
}

/** The bit of an app with an Activity. Here, so that bundles which need no other flag do not have their table. */
export const EMBEDDED = 1 << 17

/** The bits of an app in fewer than 100 servers with every privileged intent. */
export const PRIVILEGED = (1 << 13) | (1 << 15) | (1 << 19)

const { GUILD_INSTALL, USER_INSTALL } = IntegrationType

const bothInstalls: readonly IntegrationType[] = Object.freeze([GUILD_INSTALL, USER_INSTALL])
const guildInstallOnly: readonly IntegrationType[] = Object.freeze([GUILD_INSTALL])

/** An app with unknown settings, to which everything is allowed. */
export const openApplication: ApplicationSettings = Object.freeze({
  flags: EMBEDDED | PRIVILEGED,
  integration_types: bothInstalls,
})

/** The installation contexts an app supports, the default of its commands: at least one, each once (2.1-16). */
export function supportedInstallations(application: ApplicationSettings): readonly IntegrationType[] {
  const given = application.integration_types
  if (given === undefined || given.length === 0) return guildInstallOnly
  // A copy, because a host's list may still change; the library's own is frozen and shared by all commands.
  return given === bothInstalls ? given : [...new Set(given)]
}

/** The flags of an app. One without any has every privileged intent. */
export function flagsOf({ flags = PRIVILEGED }: Pick<ApplicationSettings, 'flags'>): number {
  return flags
}

export function isEmbedded(application: ApplicationSettings): boolean {
  return ((application.flags ?? 0) & EMBEDDED) !== 0
}

/** Whether an app may have commands of a guild's own there (clause 1-03). */
export function isAuthorizedIn(application: ApplicationSettings, guildId: string): boolean {
  return application.guilds === undefined || application.guilds.includes(guildId)
}
