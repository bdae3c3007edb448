/** Where a command can be used, by any user (clauses 1-02, 1-04, 2.8-03 to 2.8-05, 2.11-08, 9-03). */
import { deepFreeze } from '../../core/freeze.ts'
import { demandObject } from '../../core/rules/arguments.ts'
import { listed } from '../../core/text.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { ChannelType, IntegrationType, InteractionContext } from '../../model/command-types.ts'
import { checkAvailability } from './checks.ts'
import { isThread, type GuildChannel } from '../../model/server.ts'

const { GUILD, BOT_DM, PRIVATE_CHANNEL } = InteractionContext
const { GUILD_INSTALL, USER_INSTALL } = IntegrationType

/** The place where a user opens the picker or uses a command. */
export type CommandPlace = GuildPlace | DirectPlace

interface Installed {
  /**
   * How the app is installed here: GUILD_INSTALL if the guild has it or, in the bot's DM, a guild that the user shares
   * with the bot; USER_INSTALL if the user has it. Absent: in every way.
   */
  readonly installed?: readonly IntegrationType[]
}

/** A channel of a guild. */
export interface GuildPlace extends Installed {
  readonly context: typeof InteractionContext.GUILD
  readonly guildId: string
  /** The channel; only its age restriction is read, for a thread that of its channel. Absent: not age-restricted. */
  readonly channel?: Pick<GuildChannel, 'type' | 'nsfw'> & { readonly parent?: Pick<GuildChannel, 'nsfw'> }
}

/** The DM with the app's bot (BOT_DM), or any other DM or group DM (PRIVATE_CHANNEL). */
export interface DirectPlace extends Installed {
  readonly context: typeof InteractionContext.BOT_DM | typeof InteractionContext.PRIVATE_CHANNEL
  /** Whether the app has a bot user; without one there is no DM with it. Default true. */
  readonly hasBot?: boolean
}

/** The settings of a user that decide about age-restricted commands. */
export interface AgeSettings {
  /** Whether the user is an adult. Default true: only adults can enter age-restricted channels or change the next setting. */
  readonly adult?: boolean
  /** Whether the user's settings allow age-restricted commands in DMs. Default false, as for new accounts. */
  readonly ageRestrictedInDirectMessages?: boolean
}

/** A command, a place and a user. */
export interface AvailabilityRequest {
  /** The command; only the fields that decide about its availability are needed. */
  readonly command: Pick<
    ApplicationCommand,
    'guild_id' | 'contexts' | 'integration_types' | 'dm_permission' | 'default_permission'
  > & { readonly nsfw?: boolean }
  readonly place: CommandPlace
  /** Default: an adult who does not allow age-restricted commands in DMs. */
  readonly user?: AgeSettings
}

type Command = AvailabilityRequest['command']

/** The code of a reason why a command cannot be used in a place. */
export type UnavailableCode =
  /** A guild command outside its guild. */
  | 'other_guild'
  /** A guild command in a DM. */
  | 'guild_only'
  /** The contexts of the command do not include that of the place. */
  | 'context'
  /** The app is not installed in a way that the command supports. */
  | 'installation'
  /** The DM with an app that has no bot user. */
  | 'no_bot'
  /** An age-restricted command in a guild channel that is not age-restricted. */
  | 'channel_not_age_restricted'
  /** An age-restricted command and a user who is not an adult. */
  | 'not_adult'
  /** An age-restricted command in a DM, where the user's settings do not allow it. */
  | 'direct_message_setting'

/** A reason why a command cannot be used in a place. */
export interface UnavailableReason {
  readonly code: UnavailableCode
  readonly field:
    'guild_id' | 'contexts' | 'dm_permission' | 'default_permission' | 'integration_types' | 'nsfw'
  readonly text: string
}

/** Whether a command can be used in a place, and why not. */
export interface Availability {
  readonly available: boolean
  /** The contexts the command can be used in, after defaults and deprecated fields. */
  readonly contexts: readonly InteractionContext[]
  /** The installations of the app that make the command available here. Empty: none. */
  readonly installations: readonly IntegrationType[]
  /** Empty exactly if the command is available. */
  readonly reasons: readonly UnavailableReason[]
}

/**
 * Whether a command can be used in a place, with every reason why not:
 *
 * 1. A guild command can be used in its guild only, never in DMs (1-02, 2.8-04). Its `contexts` and
 *    `integration_types` are ignored; it needs the app installed in the guild.
 * 2. A global command can be used in its `contexts`; null means GUILD and BOT_DM.
 * 3. The deprecated `dm_permission: false` and `default_permission: false` remove BOT_DM from a command whose
 *    `contexts` are null. If `contexts` are set, these fields are ignored (9-03).
 * 4. The app must be installed in one of the command's `integration_types`, or in any way if the command has none;
 *    PRIVATE_CHANNEL needs USER_INSTALL (2.8-03), and BOT_DM an app that has a bot user (2.8-06).
 * 5. An age-restricted command needs an adult; in a guild, an age-restricted channel; in DMs, a user whose settings
 *    allow it.
 *
 * Permissions do not count here (2.8-05): see `explainAccess`.
 *
 * @throws TypeError when a value that decides has the wrong type
 */
export function explainAvailability(request: AvailabilityRequest): Availability {
  demandObject(request, 'request')
  checkAvailability(request, '')
  const { command, place, user = {} } = request
  const { guild_id: guildId } = command
  const { contexts, field } = contextsOf(command)
  const installations = installationsOf(command, place)
  const isDirect = place.context !== GUILD
  const reasons: UnavailableReason[] = []
  const refuse = (code: UnavailableCode, field: UnavailableReason['field'], text: string) =>
    reasons.push({ code, field, text })
  if (guildId === undefined) {
    if (!contexts.includes(place.context))
      refuse('context', field, contextText(contexts, field, place.context))
  } else if (isDirect) {
    const text = `The command belongs to server ${guildId}, and commands of a server are not available in DMs.`
    refuse('guild_only', field, text)
  } else if (place.guildId !== guildId)
    refuse('other_guild', field, `The command belongs to another server, ${guildId}.`)
  if (installations.length === 0)
    refuse('installation', 'integration_types', installationText(command, place))
  if (place.context === BOT_DM && place.hasBot === false)
    refuse('no_bot', 'contexts', 'Bot DM: the app has no bot user, so there is no DM with it.')
  if (command.nsfw === true) {
    if (isDirect && user.ageRestrictedInDirectMessages !== true)
      refuse('direct_message_setting', 'nsfw', ageTexts.setting)
    if (!isDirect && !isAgeRestricted(place.channel))
      refuse('channel_not_age_restricted', 'nsfw', ageTexts.channel)
    if (user.adult === false) refuse('not_adult', 'nsfw', ageTexts.adult)
  }
  return deepFreeze({ available: reasons.length === 0, contexts, installations, reasons })
}

/**
 * Whether people of a server see both commands of a name, one that is global and one of the server, wherever age does not
 * matter: members have both by the installation in the server, and not only those who installed the app for themselves.
 */
export function areSeenTogether(global: Command, inServer: Command & { readonly guild_id: string }): boolean {
  const place: GuildPlace = {
    context: GUILD,
    guildId: inServer.guild_id,
    installed: [GUILD_INSTALL],
    channel: { type: ChannelType.GUILD_TEXT, nsfw: true },
  }
  return [global, inServer].every((command) => explainAvailability({ command, place }).available)
}

const ageTexts = {
  setting: 'Age-restricted: the user has not allowed age-restricted commands in DMs.',
  channel: 'Age-restricted: the command needs an age-restricted channel, and this channel is not one.',
  adult: 'Age-restricted: the user is not an adult.',
}

/**
 * The context of a channel: GUILD in a guild, PRIVATE_CHANNEL for a group DM, else BOT_DM. A DM between two users has
 * the same channel type as the DM with the bot, so callers must pass PRIVATE_CHANNEL for it themselves.
 */
export function contextOf(guildId: undefined, channel?: { readonly type?: number }): DirectPlace['context']
export function contextOf(guildId?: string, channel?: { readonly type?: number }): InteractionContext
export function contextOf(guildId?: string, channel?: { readonly type?: number }): InteractionContext {
  if (guildId !== undefined) return GUILD
  return channel?.type === ChannelType.GROUP_DM ? PRIVATE_CHANNEL : BOT_DM
}

/** The contexts of a command, and the field that they follow from. */
function contextsOf(command: Command): Pick<Availability, 'contexts'> & Pick<UnavailableReason, 'field'> {
  const { contexts } = command
  if (command.guild_id !== undefined) return { contexts: [GUILD], field: 'guild_id' }
  if (contexts !== undefined && contexts !== null) return { contexts: [...contexts], field: 'contexts' }
  if (command.dm_permission === false) return { contexts: [GUILD], field: 'dm_permission' }
  if (command.default_permission === false) return { contexts: [GUILD], field: 'default_permission' }
  return { contexts: [GUILD, BOT_DM], field: 'contexts' }
}

const everyWay: readonly IntegrationType[] = [GUILD_INSTALL, USER_INSTALL]

/** The installations that a command supports. */
function supportedBy({ guild_id, integration_types }: Command): readonly IntegrationType[] {
  return guild_id === undefined ? (integration_types ?? everyWay) : [GUILD_INSTALL]
}

function installationsOf(command: Command, place: CommandPlace): IntegrationType[] {
  const supported = supportedBy(command)
  const installed = place.installed ?? everyWay
  const counts = (way: IntegrationType) => way === USER_INSTALL || place.context !== PRIVATE_CHANNEL
  return everyWay.filter((way) => supported.includes(way) && installed.includes(way) && counts(way))
}

/** A thread is age-restricted if its channel is. */
function isAgeRestricted(channel: GuildPlace['channel']): boolean {
  if (channel === undefined) return false
  const parent = isThread(channel) ? channel.parent : undefined
  return (parent?.nsfw ?? channel.nsfw) === true
}

const contextNames: { readonly [Context in InteractionContext]: string } = {
  [GUILD]: 'Server',
  [BOT_DM]: 'Bot DM',
  [PRIVATE_CHANNEL]: 'Private channel',
}

function contextText(
  contexts: readonly InteractionContext[],
  field: UnavailableReason['field'],
  here: InteractionContext,
): string {
  if (field !== 'contexts')
    return `Contexts: not set, and ${field} is false, so the command is available in Server only.`
  const places = contexts.map((context) => contextNames[context])
  return `Contexts: the command is available in ${listed(places)}, not in ${contextNames[here]}.`
}

function installationText(command: Command, place: CommandPlace): string {
  const supported = supportedBy(command)
  const isGlobal = command.guild_id === undefined
  if (isGlobal && place.context === PRIVATE_CHANNEL && !supported.includes(USER_INSTALL))
    return 'Installed to: a Private channel needs User, and the command supports Server only.'
  const possible = isGlobal && place.context === PRIVATE_CHANNEL ? [USER_INSTALL] : supported
  const ways = possible.map((way) => (way === USER_INSTALL ? 'User' : 'Server'))
  return `Installed to: the command needs ${listed(ways, 'or')}, and the app is not installed that way here.`
}
