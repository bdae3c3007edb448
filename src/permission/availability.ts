/** Where a command can be used at all, whoever asks (clauses 1-02, 1-04, 2.8-03 to 2.8-05, 2.11-08, 9-03). */
import { deepFreeze } from '../core/freeze.ts'
import { listed } from '../core/text.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { ChannelType, IntegrationType, InteractionContext } from '../command/kinds.ts'
import { isThread, type GuildChannel } from './member.ts'

const { GUILD, BOT_DM, PRIVATE_CHANNEL } = InteractionContext
const { GUILD_INSTALL, USER_INSTALL } = IntegrationType

/** Where somebody is who opens the picker or uses a command. */
export type CommandPlace = GuildPlace | DirectPlace

interface Installed {
  /**
   * How the app is installed, seen from here: GUILD_INSTALL when the guild has it or, in the bot's DM, a guild
   * that the user shares with the bot; USER_INSTALL when the user has it. Absent: in every way.
   */
  readonly installed?: readonly IntegrationType[]
}

/** A channel of a guild. */
export interface GuildPlace extends Installed {
  readonly context: typeof InteractionContext.GUILD
  readonly guildId: string
  /** Asked only whether it is age-restricted, a thread through the channel it is in. Absent: it is not. */
  readonly channel?: Pick<GuildChannel, 'type' | 'nsfw'> & { readonly parent?: Pick<GuildChannel, 'nsfw'> }
}

/** The DM with the app's bot, or any other DM or group DM. */
export interface DirectPlace extends Installed {
  readonly context: typeof InteractionContext.BOT_DM | typeof InteractionContext.PRIVATE_CHANNEL
}

/** What age-restricted commands ask of a person. */
export interface AgeSettings {
  /** Absent: yes, because only adults get into age-restricted channels and can change the setting below. */
  readonly adult?: boolean
  /** The user's setting that allows age-restricted commands in DMs. Absent: off, as it is until it is changed. */
  readonly ageRestrictedInDirectMessages?: boolean
}

export interface AvailabilityRequest {
  readonly command: Pick<
    ApplicationCommand,
    'guild_id' | 'contexts' | 'integration_types' | 'dm_permission' | 'default_permission'
  > & { readonly nsfw?: boolean }
  readonly place: CommandPlace
  readonly user?: AgeSettings
}

export type UnavailableCode =
  /** A guild command outside its guild. */
  | 'other_guild'
  /** A guild command in a DM. */
  | 'guild_only'
  /** The command is not for places of this kind. */
  | 'context'
  /** The app is not installed in a way that brings this command here. */
  | 'installation'
  /** An age-restricted command in a channel of a guild that is not. */
  | 'channel_not_age_restricted'
  /** An age-restricted command and somebody who is no adult. */
  | 'not_adult'
  /** An age-restricted command in a DM, and the user's setting does not allow it there. */
  | 'direct_message_setting'

/** Why a command cannot be used somewhere. */
export interface UnavailableReason {
  readonly code: UnavailableCode
  /** The field of the command it follows from. */
  readonly field:
    'guild_id' | 'contexts' | 'dm_permission' | 'default_permission' | 'integration_types' | 'nsfw'
  /** The same for people: a sentence of English. */
  readonly text: string
}

export interface Availability {
  readonly available: boolean
  /** The kinds of places the command is for: what its `contexts` come down to. */
  readonly contexts: readonly InteractionContext[]
  /** The ways of installing the app that bring the command here. Empty: none does. */
  readonly installations: readonly IntegrationType[]
  /** Every reason against; empty exactly when the command is available. */
  readonly reasons: readonly UnavailableReason[]
}

/**
 * Whether a command can be used in a place, with every reason against it:
 *
 * 1. A guild command is for its guild only, never for DMs (1-02, 2.8-04). Whatever it says of contexts and
 *    installation does not count; it comes with the installation of the guild.
 * 2. A global command is for the places its `contexts` name; null stands for GUILD and BOT_DM.
 * 3. The deprecated `dm_permission: false` and `default_permission: false` take BOT_DM away from a command
 *    whose `contexts` are null. Where they are set, they alone count (9-03).
 * 4. The app has to be installed in one of the ways the command's `integration_types` name; PRIVATE_CHANNEL
 *    counts only with USER_INSTALL (2.8-03). A command that names none comes with any.
 * 5. An age-restricted command is for adults, in a guild for age-restricted channels, and in DMs for those
 *    whose setting allows it.
 *
 * Whether a member may use it is another question (2.8-05): see `explainAccess`.
 */
export function explainAvailability({ command, place, user = {} }: AvailabilityRequest): Availability {
  const reasons: UnavailableReason[] = []
  const { contexts, field } = contextsOf(command)
  if (command.guild_id !== undefined) checkGuild(command.guild_id, place, reasons)
  else if (!contexts.includes(place.context)) {
    reasons.push({ code: 'context', field, text: contextText(contexts, field, place.context) })
  }
  const installations = installationsOf(command, place)
  if (installations.length === 0) {
    reasons.push({ code: 'installation', field: 'integration_types', text: installationText(command, place) })
  }
  if (command.nsfw === true) checkAge(place, user, reasons)
  return deepFreeze({ available: reasons.length === 0, contexts, installations, reasons })
}

/** The answer of `explainAvailability` alone. */
export function isAvailable(request: AvailabilityRequest): boolean {
  return explainAvailability(request).available
}

/**
 * The kind of place a channel is: GUILD in a guild, PRIVATE_CHANNEL for a group DM, else the DM with the bot.
 * DMs with other people look the same as that one, so who means one of those has to say so.
 */
export function contextOf(guildId: undefined, channel?: { readonly type?: number }): DirectPlace['context']
export function contextOf(
  guildId: string | undefined,
  channel?: { readonly type?: number },
): InteractionContext
export function contextOf(
  guildId: string | undefined,
  channel?: { readonly type?: number },
): InteractionContext {
  if (guildId !== undefined) return GUILD
  return channel?.type === ChannelType.GROUP_DM ? PRIVATE_CHANNEL : BOT_DM
}

type ContextField = 'guild_id' | 'contexts' | 'dm_permission' | 'default_permission'

interface Contexts {
  readonly contexts: readonly InteractionContext[]
  /** The field they follow from. */
  readonly field: ContextField
}

function contextsOf(command: AvailabilityRequest['command']): Contexts {
  const { contexts } = command
  if (command.guild_id !== undefined) return { contexts: [GUILD], field: 'guild_id' }
  if (contexts !== undefined && contexts !== null) return { contexts: [...contexts], field: 'contexts' }
  if (command.dm_permission === false) return { contexts: [GUILD], field: 'dm_permission' }
  if (command.default_permission === false) return { contexts: [GUILD], field: 'default_permission' }
  return { contexts: [GUILD, BOT_DM], field: 'contexts' }
}

const everyWay: readonly IntegrationType[] = [GUILD_INSTALL, USER_INSTALL]

function installationsOf(command: AvailabilityRequest['command'], place: CommandPlace): IntegrationType[] {
  const own = command.guild_id !== undefined ? [GUILD_INSTALL] : (command.integration_types ?? everyWay)
  const installed = place.installed ?? everyWay
  const counts = (way: IntegrationType) => way === USER_INSTALL || place.context !== PRIVATE_CHANNEL
  return everyWay.filter((way) => own.includes(way) && installed.includes(way) && counts(way))
}

function checkGuild(guildId: string, place: CommandPlace, reasons: UnavailableReason[]): void {
  const field = 'guild_id'
  if (place.context !== GUILD) {
    const text = `The command belongs to guild ${guildId}, and commands of a guild are not for DMs.`
    reasons.push({ code: 'guild_only', field, text })
  } else if (place.guildId !== guildId) {
    reasons.push({ code: 'other_guild', field, text: `The command belongs to another guild, ${guildId}.` })
  }
}

function checkAge(place: CommandPlace, user: AgeSettings, reasons: UnavailableReason[]): void {
  const field = 'nsfw'
  if (place.context === GUILD) {
    if (!isAgeRestricted(place.channel)) {
      const text = 'The command is age-restricted, and this channel is not.'
      reasons.push({ code: 'channel_not_age_restricted', field, text })
    }
  } else if (user.ageRestrictedInDirectMessages !== true) {
    const text = 'The command is age-restricted, and the user has not allowed such commands in DMs.'
    reasons.push({ code: 'direct_message_setting', field, text })
  }
  if (user.adult === false) {
    reasons.push({
      code: 'not_adult',
      field,
      text: 'The command is age-restricted, and the user is no adult.',
    })
  }
}

/** Threads are as their channel is. */
function isAgeRestricted(channel: GuildPlace['channel']): boolean {
  if (channel === undefined) return false
  const parent = isThread(channel) ? channel.parent : undefined
  return (parent?.nsfw ?? channel.nsfw) === true
}

const contextNames: { readonly [Context in InteractionContext]: string } = {
  [GUILD]: 'guilds',
  [BOT_DM]: 'the DM with the bot',
  [PRIVATE_CHANNEL]: 'other DMs and group DMs',
}

function contextText(
  contexts: readonly InteractionContext[],
  field: ContextField,
  here: InteractionContext,
): string {
  if (field === 'dm_permission' || field === 'default_permission') {
    return `The command's ${field} is false, and its contexts are not set: it is for guilds only.`
  }
  const places = contexts.map((context) => contextNames[context])
  return `The command is for ${listed(places)}, and not for ${contextNames[here]}.`
}

const installationNames: { readonly [Way in IntegrationType]: string } = {
  [GUILD_INSTALL]: 'in a guild',
  [USER_INSTALL]: 'by a user',
}

function installationText(command: AvailabilityRequest['command'], place: CommandPlace): string {
  const own = command.integration_types ?? everyWay
  if (command.guild_id === undefined && place.context === PRIVATE_CHANNEL && !own.includes(USER_INSTALL)) {
    return 'In other DMs and group DMs only commands of apps that a user installs are offered, and this one does not come with that.'
  }
  const wanted = command.guild_id !== undefined ? [GUILD_INSTALL] : own
  const ways = listed(
    wanted.map((way) => installationNames[way]),
    'or',
  )
  return `The command comes with an app installed ${ways}, and here the app is not installed so.`
}
