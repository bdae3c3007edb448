/** The picker: what one person sees at one place in one language (clauses 2.7-04, 2.9-07, 2.10-02, 2.11-08). */
import { isAuthorizedIn, supportedInstallations, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { CommandType, IntegrationType, InteractionContext, OptionType } from '../command/kinds.ts'
import { LocalizationResolver, type LocalizedCommand, type LocalizedOption } from '../command/localize.ts'
import { comparer, searchForm } from '../locale/collation.ts'
import { isLocale } from '../locale/locales.ts'
import {
  contextOf,
  explainAvailability,
  isAvailable,
  type AgeSettings,
  type Availability,
  type AvailabilityRequest,
  type CommandPlace,
  type DirectPlace,
} from '../permission/availability.ts'
import { canUse, explainAccess, type AccessExplanation, type AccessRequest } from '../permission/evaluate.ts'
import { checkRoles, type GuildChannel, type GuildMember, type GuildRole } from '../permission/member.ts'
import type { GuildCommandPermissions } from '../permission/overwrite.ts'

/** Somebody who looks at the commands of an application, in a guild or in a DM. */
export type Viewer = GuildViewer | DirectViewer

interface AnyViewer extends AgeSettings {
  readonly applicationId: string
  /** The locale the client is set to. Any string will do; one the service does not have sees the defaults. */
  readonly locale: string
  /**
   * How the app is installed, seen from here; see `CommandPlace`. Absent: in every way the application directory
   * allows, in the guild only if it is authorized there.
   */
  readonly installed?: readonly IntegrationType[]
}

export interface GuildViewer extends AnyViewer {
  readonly guildId: string
  readonly channel: GuildChannel
  readonly member: GuildMember
  /** The guild's roles, @everyone among them; without them `member.permissions` counts, if that is given. */
  readonly roles?: readonly GuildRole[]
  /** The user who owns the guild and so may do everything in it. */
  readonly ownerId?: string
}

export interface DirectViewer extends AnyViewer {
  readonly guildId?: undefined
  /** Its type tells a group DM from the DM with the bot, which is what it is taken for when it is absent. */
  readonly channel?: { readonly id?: string; readonly type?: number }
  /** To say that a DM is not the one with the bot. Absent: what the channel's type says. */
  readonly context?: DirectPlace['context']
  readonly user?: { readonly id: string }
}

/** A command as it is shown: in the viewer's language, without groups that hold nothing. */
export type ShownCommand = LocalizedCommand<ApplicationCommand>

/** Something a person can choose: a command or, of a command that has them, one subcommand (clause 2.7-03). */
export interface PickerEntry {
  readonly type: CommandType
  /** As shown, the names of the command, its group and its subcommand with spaces between: `rechte nutzer zeigen`. */
  readonly name: string
  /** The same in default names, which is how the command is invoked: `permissions user get`. */
  readonly path: string
  /** Of the subcommand, if it is one; in the viewer's language; empty for user and message commands. */
  readonly description: string
  /** What there is to fill in. */
  readonly options: readonly LocalizedOption[]
  /** The whole command. */
  readonly command: ShownCommand
}

/** What a person may choose from. */
export interface Picker {
  /** The commands that are shown: by type, then by name as the language sorts, a guild's own before global ones. */
  readonly commands: readonly ShownCommand[]
  /** The lines a client draws for them, in that order. */
  readonly entries: readonly PickerEntry[]
  /**
   * The entries that are left when somebody types: first those whose name begins with the text, then those that
   * contain it. Shown names and default names count alike; letter case does not matter, nor do spaces around the
   * text and more than one between words, nor accents as far as the language lets them (see `searchForm`). A text
   * that begins with a slash finds slash commands only.
   */
  search(text: string): readonly PickerEntry[]
}

/** A picker that also tells what is not in it. */
export interface ExplainedPicker extends Picker {
  /** The other commands, in the same order, and why they are not shown. */
  readonly hidden: readonly HiddenCommand[]
}

/** A command that exists and is not shown. */
export interface HiddenCommand {
  readonly command: ShownCommand
  readonly availability: Availability
  /** Null in DMs, where there are no permissions. */
  readonly access: AccessExplanation | null
  /** For people: a sentence for each reason. */
  readonly why: readonly string[]
}

export interface PickerOptions {
  /** Whether to tell what is hidden, and why. Default false. */
  readonly explain?: boolean
}

/** What the registry knows about the place a viewer is at. */
export interface PickerSource {
  readonly application: ApplicationSettings
  /** The global commands and those of the guild. */
  readonly commands: readonly ApplicationCommand[]
  /** What is set in the guild, for commands that still have their name. */
  readonly permissions: readonly GuildCommandPermissions[]
  /** Milliseconds since 1970. */
  readonly now: number
}

const resolver = new LocalizationResolver()

/** @throws TypeError when a viewer in a guild comes without a member, their roles or a channel, or with ids that are none */
export function pick(viewer: Viewer, source: PickerSource): Picker
export function pick(viewer: Viewer, source: PickerSource, options: PickerOptions): ExplainedPicker
export function pick(
  viewer: Viewer,
  source: PickerSource,
  { explain = false }: PickerOptions = {},
): Picker | ExplainedPicker {
  checkViewer(viewer)
  const questions = asking(viewer, source)
  const compare = comparer(viewer.locale)
  const shown: ShownCommand[] = []
  const hidden: HiddenCommand[] = []
  for (const command of source.commands) {
    const access = questions.access(command)
    const availability = questions.availability(command)
    const isOffered = isAvailable(availability) && (access === null || canUse(access))
    if (!isOffered && !explain) continue
    const localized = shownIn(command, viewer.locale)
    if (isOffered && hasEntries(localized)) shown.push(localized)
    else if (explain) hidden.push(explained(localized, availability, access))
  }
  const ordered = (a: ShownCommand, b: ShownCommand) => byOrder(a, b, compare)
  const commands = Object.freeze(shown.sort(ordered))
  const entries = Object.freeze(commands.flatMap((command) => entriesOf(command, compare)))
  const search = searching(entries, viewer.locale)
  if (!explain) return Object.freeze({ commands, entries, search })
  hidden.sort((a, b) => ordered(a.command, b.command))
  return Object.freeze({ commands, entries, search, hidden: Object.freeze(hidden) })
}

function checkViewer(viewer: Viewer): void {
  if (viewer.guildId === undefined) return
  if (typeof viewer.member?.user?.id !== 'string') {
    throw new TypeError('viewer.member: expected the member who looks, because there is a guildId')
  }
  checkRoles(viewer.member, 'viewer.member')
  if (typeof viewer.channel?.id !== 'string') {
    throw new TypeError('viewer.channel: expected the channel they are in, because there is a guildId')
  }
}

// --- May they -------------------------------------------------------------------------------------------------

/** What is to be asked about each command. */
interface Questions {
  availability(command: ApplicationCommand): AvailabilityRequest
  access(command: ApplicationCommand): AccessRequest | null
}

function asking(viewer: Viewer, source: PickerSource): Questions {
  const place = placeOf(viewer, source.application)
  const availability = (command: ApplicationCommand): AvailabilityRequest => ({
    command,
    place,
    user: viewer,
  })
  if (viewer.guildId === undefined) return { availability, access: () => null }
  const { guildId, channel, member, roles, ownerId, applicationId } = viewer
  const permissions = new Map(source.permissions.map((set) => [set.id, set.permissions]))
  const shared = {
    appOverwrites: permissions.get(applicationId) ?? null,
    member,
    channel,
    guildId,
    ...(roles !== undefined && { roles }),
    ...(ownerId !== undefined && { ownerId }),
    now: source.now,
  }
  return {
    availability,
    access: (command) => ({ ...shared, command, overwrites: permissions.get(command.id) ?? null }),
  }
}

/** Where a viewer is, and how the app got there. */
export function placeOf(viewer: Viewer, application: ApplicationSettings): CommandPlace {
  const installed = viewer.installed ?? installableWays(application, viewer.guildId)
  if (viewer.guildId === undefined) {
    return { context: viewer.context ?? contextOf(undefined, viewer.channel), installed }
  }
  const { guildId, channel } = viewer
  return { context: InteractionContext.GUILD, guildId, channel, installed }
}

/** The ways of installing an app that the application directory allows, seen from a guild or from DMs. */
export function installableWays(
  application: ApplicationSettings,
  guildId: string | undefined,
): readonly IntegrationType[] {
  return supportedInstallations(application).filter(
    (way) =>
      way !== IntegrationType.GUILD_INSTALL || guildId === undefined || isAuthorizedIn(application, guildId),
  )
}

function explained(
  command: ShownCommand,
  request: AvailabilityRequest,
  accessRequest: AccessRequest | null,
): HiddenCommand {
  const availability = explainAvailability(request)
  const access = accessRequest === null ? null : explainAccess(accessRequest)
  const why = availability.reasons.map(({ text }) => text)
  if (access !== null && !access.allowed) why.push(access.trace[access.trace.length - 1]!.text)
  if (!hasEntries(command)) why.push('The command has nothing but groups without subcommands.')
  return Object.freeze({ command, availability, access, why: Object.freeze(why) })
}

// --- What they see --------------------------------------------------------------------------------------------

// A registered command never changes, and the languages are few: what was localized once is kept with it.
const localizedOnce = new WeakMap<ApplicationCommand, Map<string, ShownCommand>>()

function shownIn(command: ApplicationCommand, locale: string): ShownCommand {
  // Every locale the service does not have sees the same.
  const key = isLocale(locale) ? locale : ''
  if (!Object.isFrozen(command)) return withoutEmptyGroups(resolver.localize(command, key))
  let known = localizedOnce.get(command)
  if (known === undefined) localizedOnce.set(command, (known = new Map()))
  let shown = known.get(key)
  if (shown === undefined) known.set(key, (shown = withoutEmptyGroups(resolver.localize(command, key))))
  return shown
}

function isEmptyGroup({ type, options }: LocalizedOption): boolean {
  return type === OptionType.SUB_COMMAND_GROUP && (options === undefined || options.length === 0)
}

function withoutEmptyGroups(command: ShownCommand): ShownCommand {
  const { options } = command
  if (options === undefined || !options.some(isEmptyGroup)) return command
  return Object.freeze({ ...command, options: Object.freeze(options.filter((one) => !isEmptyGroup(one))) })
}

/** Only what had nothing but empty groups is left with a list of no options. */
function hasEntries({ options }: ShownCommand): boolean {
  return options === undefined || options.length > 0
}

type Compare = (a: string, b: string) => number

function byOrder(a: ShownCommand, b: ShownCommand, compare: Compare): number {
  return (
    a.type - b.type ||
    compare(a.name, b.name) ||
    compare(a.name_default, b.name_default) ||
    Number(b.guild_id !== undefined) - Number(a.guild_id !== undefined)
  )
}

const none: readonly LocalizedOption[] = Object.freeze([])

function entriesOf(command: ShownCommand, compare: Compare): PickerEntry[] {
  const options = command.options ?? none
  if (!options.some(isBranch)) return [entryOf(command, [command], options)]
  const found = options.flatMap((option) =>
    option.type === OptionType.SUB_COMMAND_GROUP
      ? (option.options ?? none).map((sub) => [option, sub])
      : [[option]],
  )
  return found
    .sort((a, b) => compare(a[0]!.name, b[0]!.name) || compare(a[1]?.name ?? '', b[1]?.name ?? ''))
    .map((steps) => entryOf(command, [command, ...steps], steps[steps.length - 1]!.options ?? none))
}

function isBranch({ type }: LocalizedOption): boolean {
  return type === OptionType.SUB_COMMAND || type === OptionType.SUB_COMMAND_GROUP
}

function entryOf(
  command: ShownCommand,
  steps: readonly Pick<ShownCommand, 'name' | 'name_default' | 'description'>[],
  options: readonly LocalizedOption[],
): PickerEntry {
  return Object.freeze({
    type: command.type,
    name: steps.map(({ name }) => name).join(' '),
    path: steps.map(({ name_default }) => name_default).join(' '),
    description: steps[steps.length - 1]!.description,
    options,
    command,
  })
}

// --- Typing ---------------------------------------------------------------------------------------------------

// No path of names is longer: three names of 32 characters.
const LONGEST_SEARCH = 200

function searching(entries: readonly PickerEntry[], locale: string): Picker['search'] {
  let forms: readonly (readonly [shown: string, byDefault: string])[] | undefined
  return (text) => {
    // Most pickers are never searched.
    forms ??= entries.map(({ name, path }) => [searchForm(name, locale), searchForm(path, locale)])
    const isSlash = text.startsWith('/')
    const typed = searchForm(text.slice(isSlash ? 1 : 0, LONGEST_SEARCH), locale)
    const beginning: PickerEntry[] = []
    const containing: PickerEntry[] = []
    for (const [i, entry] of entries.entries()) {
      if (isSlash && entry.type !== CommandType.CHAT_INPUT) continue
      const names = forms[i]!
      if (names.some((name) => name.startsWith(typed))) beginning.push(entry)
      else if (names.some((name) => name.includes(typed))) containing.push(entry)
    }
    return Object.freeze([...beginning, ...containing])
  }
}
