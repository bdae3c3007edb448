/** The picker: the commands that one user can choose in one place and language (clauses 2.7-04, 2.9-07, 2.10-02, 2.11-08). */
import { aFlag, aSignal, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { whyHidden } from './hidden-reasons.ts'
import { isAuthorizedIn, supportedInstallations, type ApplicationSettings } from '../../model/application.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import {
  CommandType,
  IntegrationType,
  InteractionContext,
  OptionType,
  isNesting,
} from '../../model/command-types.ts'
import {
  LocalizationResolver,
  type LocalizedCommand,
  type LocalizedOption,
} from '../definition/localization-resolver.ts'
import { comparer, searchOf } from './collation.ts'
import { isLocale } from '../../model/locales.ts'
import {
  contextOf,
  explainAvailability,
  type AgeSettings,
  type Availability,
  type AvailabilityRequest,
  type CommandPlace,
  type DirectPlace,
} from './availability.ts'
import { memberAccess, type AccessExplanation, type AccessRequest } from './access.ts'
import type { GuildChannel, MemberInChannel } from '../../model/server.ts'
import type { GuildCommandPermissions } from '../../model/permission-entry.ts'

/** A user who opens the picker of an application, in a guild or in a DM. */
export type Viewer = GuildViewer | DirectViewer

interface AnyViewer extends AgeSettings {
  readonly applicationId: string
  /** The language of the user's client. An unknown locale gets default texts. */
  readonly locale: string
  /**
   * How the app is installed here; see `CommandPlace`. Default: in every way that the application directory allows, as
   * a server installation only where the app is authorized.
   */
  readonly installed?: readonly IntegrationType[]
}

/** A member in a channel of a guild. */
export interface GuildViewer extends AnyViewer, MemberInChannel {}

/** A user in a DM or a group DM. */
export interface DirectViewer extends AnyViewer {
  /** Always absent. */
  readonly guildId?: undefined
  /** The channel. Its type distinguishes a group DM from the DM with the bot, which is the default. */
  readonly channel?: Partial<GuildChannel>
  /** The context; PRIVATE_CHANNEL for a DM between users. Default: by the type of the channel. */
  readonly context?: DirectPlace['context']
  /** Default: a new user. */
  readonly user?: { readonly id: string }
}

/** A command of the picker: in the viewer's language, without empty groups. */
export type PickerCommand = LocalizedCommand<ApplicationCommand>

/** A line of the picker: a command, or one of its subcommands (clause 2.7-03). */
export interface PickerEntry {
  readonly type: CommandType
  /** The localized names of the command, its group and its subcommand, separated by spaces: `rechte nutzer zeigen`. */
  readonly name: string
  /** The default names, as `ChatClient.invoke` takes them: `permissions user get`. */
  readonly path: string
  /** The localized description of the command or subcommand; empty for user and message commands. */
  readonly description: string
  readonly options: readonly LocalizedOption[]
  readonly command: PickerCommand
}

/** The commands that a user can choose. */
export interface Picker {
  /** The visible commands, by type, then by name in the order of the language, guild commands before global ones. */
  readonly commands: readonly PickerCommand[]
  /** The lines of a client, in the same order. */
  readonly entries: readonly PickerEntry[]
  /**
   * The entries that match a text: first those whose name starts with it, then those that contain it. Compares
   * localized and default names. Ignores letter case, extra spaces, and accents that the language does not treat as
   * letters of their own. A text that starts with a slash finds slash commands only.
   */
  search(text: string): readonly PickerEntry[]
}

/** A picker that also explains which commands it leaves out. */
export interface ExplainedPicker extends Picker {
  /** The hidden commands, in the same order, with the reasons. */
  readonly hidden: readonly HiddenCommand[]
}

/** A command that the picker does not show. */
export interface HiddenCommand {
  readonly command: PickerCommand
  readonly availability: Availability
  /** Whether the member may use it, and why; null in DMs, where permissions do not apply. */
  readonly access: AccessExplanation | null
  readonly why: readonly string[]
}

/** How detailed a picker is. */
export interface PickerOptions {
  /** Whether to include hidden commands and the reasons. Default false. */
  readonly explain?: boolean
  /** Ends the call early: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

export const readPicking = /* @__PURE__ */ optionsOf<PickerOptions>('commandsFor', {
  explain: optional(aFlag),
  signal: optional(aSignal),
})

/** The state of the registry for the place of a viewer. */
export interface PickerSource {
  readonly application: ApplicationSettings
  readonly commands: readonly ApplicationCommand[]
  /** The permissions in the guild, without those of deleted and renamed commands. */
  readonly permissions: readonly GuildCommandPermissions[]
  /** The current time in milliseconds since 1970. */
  readonly now: number
}

const resolver = new LocalizationResolver()

/**
 * The picker of a viewer.
 *
 * @throws TypeError if a viewer in a guild has no member, no roles or no channel, or an id is not a snowflake
 */
export function pick(viewer: Viewer, source: PickerSource): Picker
export function pick(viewer: Viewer, source: PickerSource, options: PickerOptions): ExplainedPicker
export function pick(
  viewer: Viewer,
  source: PickerSource,
  options: PickerOptions = {},
): Picker | ExplainedPicker {
  const { explain = false } = readPicking(options)
  const checks = checksOf(viewer, source)
  const compare = comparer(viewer.locale)
  const ordered = orderBy(compare)
  const visible: PickerCommand[] = []
  const hidden: HiddenCommand[] = []
  for (const command of source.commands) {
    const availability = explainAvailability(checks.availability(command))
    const isUsable = availability.available && checks.isAllowed(command)
    if (!isUsable && !explain) continue
    const localized = localizedIn(command, viewer.locale)
    if (isUsable && hasEntries(localized)) visible.push(localized)
    else if (explain) hidden.push(hiddenCommand(localized, availability, checks.access(command)))
  }
  const commands = Object.freeze(visible.sort(ordered))
  const entries = Object.freeze(commands.flatMap((command) => pickerEntries(command, compare)))
  const search = searchOf(entries, viewer.locale)
  if (!explain) return Object.freeze({ commands, entries, search })
  hidden.sort((a, b) => ordered(a.command, b.command))
  return Object.freeze({ commands, entries, search, hidden: Object.freeze(hidden) })
}

// --- Access ---------------------------------------------------------------------------------------------------

/** The checks of each command: its availability in the place, and the access of the member; null in DMs. */
export function checksOf(viewer: Viewer, source: PickerSource) {
  const place = viewerPlace(viewer, source.application)
  const availability = (command: ApplicationCommand): AvailabilityRequest => ({
    command,
    place,
    user: viewer,
  })
  if (viewer.guildId === undefined) return { availability, isAllowed: () => true, access: () => null }
  if (typeof viewer.member?.user?.id !== 'string')
    throw new TypeError('viewer.member: expected the member who opens the picker, because guildId is set')
  if (typeof viewer.channel?.id !== 'string')
    throw new TypeError('viewer.channel: expected the channel of the member, because guildId is set')
  const permissions = new Map(source.permissions.map((set) => [set.id, set.permissions]))
  const appOverwrites = permissions.get(viewer.applicationId) ?? null
  const access = memberAccess({ ...viewer, appOverwrites, now: source.now }, 'viewer')
  return {
    availability,
    isAllowed: (command: ApplicationCommand) => access.canUse(command, permissions.get(command.id)),
    access: (command: AccessRequest['command'] & { readonly id: string }) =>
      access.explain(command, permissions.get(command.id)),
  }
}

/** The place of a viewer, with the installations of the app. */
export function viewerPlace(viewer: Viewer, application: ApplicationSettings): CommandPlace {
  const installed = viewer.installed ?? installableWays(application, viewer.guildId)
  if (viewer.guildId === undefined) {
    const context = viewer.context ?? contextOf(undefined, viewer.channel)
    return { context, installed, hasBot: application.bot ?? true }
  }
  const { guildId, channel } = viewer
  return { context: InteractionContext.GUILD, guildId, channel, installed }
}

/** The installations of an app that the application directory allows in a guild or in DMs. */
export function installableWays(
  application: ApplicationSettings,
  guildId: string | undefined,
): readonly IntegrationType[] {
  // In a DM, a server installation counts if the app is in any server (clause 2.8-06).
  const isInServer =
    guildId === undefined ? application.guilds?.length !== 0 : isAuthorizedIn(application, guildId)
  return supportedInstallations(application).filter(
    (way) => way !== IntegrationType.GUILD_INSTALL || isInServer,
  )
}

function hiddenCommand(
  command: PickerCommand,
  availability: Availability,
  access: AccessExplanation | null,
): HiddenCommand {
  const why = whyHidden({ command, availability, access })
  return Object.freeze({ command, availability, access, why: Object.freeze(why) })
}

// --- Display -------------------------------------------------------------------------------------------------

// Cached with the command: a registered command is frozen, and there are few languages.
const localizedCommands = new WeakMap<ApplicationCommand, Map<string, PickerCommand>>()

function localizedIn(command: ApplicationCommand, locale: string): PickerCommand {
  // All unknown locales get the same texts.
  const key = isLocale(locale) ? locale : ''
  const known = localizedCommands.get(command) ?? new Map<string, PickerCommand>()
  const localized = known.get(key) ?? withoutEmptyGroups(resolver.localize(command, key))
  if (Object.isFrozen(command)) localizedCommands.set(command, known.set(key, localized))
  return localized
}

function isEmptyGroup({ type, options }: LocalizedOption): boolean {
  return type === OptionType.SUB_COMMAND_GROUP && (options === undefined || options.length === 0)
}

function withoutEmptyGroups(command: PickerCommand): PickerCommand {
  const { options } = command
  if (options === undefined || !options.some(isEmptyGroup)) return command
  return Object.freeze({ ...command, options: Object.freeze(options.filter((one) => !isEmptyGroup(one))) })
}

/** An empty list of options means that the command had only empty groups. */
function hasEntries({ options }: PickerCommand): boolean {
  return options === undefined || options.length > 0
}

type Compare = (a: string, b: string) => number

function orderBy(compare: Compare): (a: PickerCommand, b: PickerCommand) => number {
  return (a, b) =>
    a.type - b.type ||
    compare(a.name, b.name) ||
    compare(a.name_default, b.name_default) ||
    Number(b.guild_id !== undefined) - Number(a.guild_id !== undefined)
}

const none: readonly LocalizedOption[] = Object.freeze([])

function pickerEntries(command: PickerCommand, compare: Compare): PickerEntry[] {
  const options = command.options ?? none
  if (!options.some(({ type }) => isNesting(type))) return [pickerEntry(command, [command])]
  const found = options.flatMap((option) =>
    option.type === OptionType.SUB_COMMAND_GROUP
      ? (option.options ?? none).map((sub) => [option, sub])
      : [[option]],
  )
  return found
    .sort((a, b) => compare(a[0]!.name, b[0]!.name) || compare(a[1]?.name ?? '', b[1]?.name ?? ''))
    .map((steps) => pickerEntry(command, [command, ...steps]))
}

function pickerEntry(
  command: PickerCommand,
  steps: readonly Pick<PickerCommand, 'name' | 'name_default' | 'description' | 'options'>[],
): PickerEntry {
  const { description, options = none } = steps.at(-1)!
  return Object.freeze({
    type: command.type,
    name: steps.map(({ name }) => name).join(' '),
    path: steps.map(({ name_default }) => name_default).join(' '),
    description,
    options,
    command,
  })
}
