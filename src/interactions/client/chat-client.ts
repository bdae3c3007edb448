import type { DefinitionBuilder, DefinitionOf } from '../../commands/definition/builder.ts'
import type { CompileError } from '../../commands/definition/define.ts'
import type { ApplicationCommand, CommandBody } from '../../model/command-definition.ts'
import { CommandType } from '../../model/command-types.ts'
import type { InputOf, Rest, UseOf } from '../usage/usage.ts'
import { jsonValue } from '../../core/json.ts'
import { demand, demandObject, demandText, withMethods } from '../../core/rules/arguments.ts'
import { takeId, type IdSource } from '../../model/id-source.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { createInteraction, type InteractionRequest } from '../usage/create.ts'
import type { TypedInput } from '../usage/match.ts'
import type {
  AutocompleteInteraction,
  ChatInputInteraction,
  CommandInteraction,
  EntryPointInteraction,
  InteractionMessage,
  InteractionUser,
  MessageCommandInteraction,
  UserCommandInteraction,
} from '../../model/interaction-payload.ts'
import { completeMessage, completeUser, objectMaps, type KnownObjects } from '../usage/complete.ts'
import { displayName, type MemberInput, type Partly } from '../../model/server.ts'
import { closestLocale } from '../../model/closest-locale.ts'
import { isLocale, locales } from '../../model/locales.ts'
import { nearest } from '../../core/nearest.ts'
import { describeValue, quoted } from '../../core/text.ts'
import {
  pick,
  viewerPlace,
  type DirectViewer,
  type GuildViewer,
  type Picker,
  type PickerSource,
  type PickerCommand,
  type Viewer,
} from '../../commands/access/picker.ts'
import type { CommandRegistry } from '../../commands/registry/registry.ts'
import { scopeOf } from '../../commands/registry/scope.ts'
import { InvocationError, invalidOptions, unknownName, type InvocationErrorCode } from './invocation-error.ts'
import {
  findCommand,
  defaultOptionName,
  findSlash,
  toDefaultNames,
  wordsOf,
  type SlashMatch,
} from './names.ts'
import {
  readInvocation,
  readTyping,
  readUse,
  type AnyUse,
  type OptionValues,
  type TypingOptions,
  type UseOptions,
} from './use-options.ts'
import { checkUse, hiddenError, isHandledByService, viewerPermissions } from './service-checks.ts'

type AnyClientOptions = Pick<
  InteractionRequest,
  'ids' | 'tokens' | 'guildLocale' | 'appPermissions' | 'resolved'
>

/** A user in a guild, and their client. Absent fields of the member are completed. */
export type GuildClientOptions = AnyClientOptions & GuildViewer & { readonly member: MemberInput }

/** A user in a DM or a group DM, and their client. */
export type DirectClientOptions = AnyClientOptions &
  DirectViewer & {
    /** The user. Absent fields are completed. */
    readonly user?: Partly<InteractionUser>
  }

/** A user in a place, and their client. */
export type ChatClientOptions = GuildClientOptions | DirectClientOptions

/** What follows the path or the definition of a command. */
export type InvokeRest<Command> = [Command] extends [string]
  ? [values?: OptionValues, use?: UseOptions]
  : Command extends { readonly type: 2 | 3 | 4 }
    ? [use: CompileError<'only a slash command is used this way'>]
    : Rest<InputOf<DefinitionOf<Command>, UseOf<DefinitionOf<Command>>, AnyUse> & UseOptions>

/**
 * The result of an entry point command (clause 2.3-03): an interaction that the app gets, or a message of the service,
 * which launches the Activity without the app.
 */
export type LaunchResult =
  | { readonly handledBy: 'app'; readonly interaction: EntryPointInteraction; readonly message: null }
  | { readonly handledBy: 'service'; readonly interaction: null; readonly message: InteractionMessage }

const checkRegistry = /* @__PURE__ */ demand(withMethods('a CommandRegistry', 'pickerSource', 'subscribe'))

// The state before the first load.
const NOT_LOADED: PickerSource = { application: {}, commands: [], permissions: [], now: 0 }

/**
 * The chat client of one user in one place.
 *
 * It has a copy of the commands with their versions, loaded by `refresh` or on first use. The copy of a global command
 * can become stale: then the service rejects its use, the client reloads that command, and a retry succeeds (2.11-06).
 * Guild commands and permissions are always current, because their changes are effective at once (4.2-02, 4.2-04).
 *
 * A rejected use rejects with `InvocationError` and has no effect. A failure of the registry rejects with its
 * `RegistryError`. Each use is published as an event of the registry.
 */
export class ChatClient {
  readonly #registry: CommandRegistry
  readonly #options: ChatClientOptions
  readonly #ids: IdSource
  /** The last loaded state; its global commands are replaced by those of `#global`. */
  #source = NOT_LOADED
  #global = new Map<string, ApplicationCommand>()

  /** @throws TypeError for a server without a member or a channel, an invalid id, or an unknown locale */
  constructor(registry: CommandRegistry, options: ChatClientOptions) {
    checkRegistry(registry, 'registry')
    demandObject(options, 'options')
    this.#registry = registry
    this.#options = options
    // Throws for an invalid id.
    scopeOf(options.applicationId, options.guildId)
    if (!isLocale(options.locale)) throw new TypeError(`locale: ${expectedLocale(options.locale)}`)
    // Throws for an invalid viewer.
    pick(options, NOT_LOADED)
    this.#ids = options.ids ?? registry.ids
  }

  /** Reloads all commands. */
  async refresh(): Promise<void> {
    const source = await this.#load()
    this.#global = new Map(source.commands.filter(isGlobal).map((command) => [command.id, command]))
  }

  /** The picker of the client's copy, in the user's language. Empty before the first `refresh`. */
  get picker(): Picker {
    return pick(this.#options, this.#copy())
  }

  /** The client's copy of the commands, including hidden ones. */
  get commands(): readonly ApplicationCommand[] {
    return Object.freeze([...this.#copy().commands])
  }

  /**
   * Uses a slash command: `invoke('permissions user get', { user: '…' })`. Takes default or localized
   * names and sends default ones. A mention, `invoke('</ping:1001>')`, names a command by its id, such as a global one
   * beside a guild command of its name.
   *
   * Given a definition instead of a path, `invoke(roll, { options: { sides: 6 } })`, the compiler checks the
   * subcommand and the values against it. The service still goes by the command that is registered: the one with that
   * name, or the very one that is given if it is a registered command, with its `application_id`.
   *
   * @returns the interaction the app receives
   */
  async invoke<const Command extends string | CommandBody | DefinitionBuilder>(
    command: Command,
    ...use: InvokeRest<Command>
  ): Promise<ChatInputInteraction>
  async invoke(command: unknown, given: object = {}, more: UseOptions = {}): Promise<ChatInputInteraction> {
    const {
      path,
      values = {},
      use,
    } = typeof command === 'string'
      ? { path: command, values: given as OptionValues, use: readUse.invoke(more) }
      : useOfDefinition(command, readInvocation(given))
    const source = await this.#sync()
    const match = this.#slash(path)
    const input = { ...match.use, options: toDefaultNames(match.options, values) }
    return this.#use(match.command, source, input, use) as ChatInputInteraction
  }

  /**
   * Requests suggestions for an option: `autocomplete('search', { query: 'par' }, 'query')`. Values of other options are
   * sent too; required ones may be missing (2.11-05).
   *
   * @returns the interaction the app receives
   */
  async autocomplete(
    path: string,
    values: OptionValues,
    focused: string,
    options: TypingOptions = {},
  ): Promise<AutocompleteInteraction> {
    demandText(path, 'path')
    demandObject(values, 'values')
    demandText(focused, 'focused')
    const use = readTyping(options)
    const source = await this.#sync()
    const match = this.#slash(path)
    const input = {
      ...match.use,
      options: typedValues(match, values, focused),
      focused: defaultOptionName(match.options, focused),
      ...(use.raw !== undefined && { raw: use.raw }),
    }
    return this.#use(match.command, source, input, use) as AutocompleteInteraction
  }

  /** Uses a user command, by its default or localized name or its id, on a user. */
  async invokeOnUser(
    name: string,
    target: string | Partly<InteractionUser>,
    use: UseOptions = {},
  ): Promise<UserCommandInteraction> {
    return (await this.#useMenu(
      CommandType.USER,
      name,
      target,
      readUse.invokeOnUser(use),
    )) as UserCommandInteraction
  }

  /** Uses a message command, by its default or localized name or its id, on a message. */
  async invokeOnMessage(
    name: string,
    target: string | Partly<InteractionMessage>,
    use: UseOptions = {},
  ): Promise<MessageCommandInteraction> {
    return (await this.#useMenu(
      CommandType.MESSAGE,
      name,
      target,
      readUse.invokeOnMessage(use),
    )) as MessageCommandInteraction
  }

  /** Uses the app's entry point command (2.3-03). */
  async launch(): Promise<LaunchResult> {
    const source = await this.#sync()
    const entry = this.#find(
      (commands) => commands.find(({ type }) => type === CommandType.PRIMARY_ENTRY_POINT),
      () => new InvocationError('unknown_command', { message: 'the app has no entry point command' }),
    )
    const command = this.#check(entry, source)
    if (!isHandledByService(command)) {
      const interaction = this.#create(command, this.#request(source, {}, {})) as EntryPointInteraction
      return Object.freeze({ handledBy: 'app', interaction, message: null })
    }
    const launched = { handledBy: 'service', interaction: null, message: this.#post(command) } as const
    this.#registry.publish({ ...eventOf(command), ...launched })
    return Object.freeze(launched)
  }

  /** The copy of the client: its own global commands, and the current state of everything else. */
  #copy(): PickerSource {
    const own = this.#source.commands.filter((command) => !isGlobal(command))
    return { ...this.#source, commands: [...this.#global.values(), ...own] }
  }

  /** Loads changes that are effective at once. Returns the current state of the service. */
  async #sync(): Promise<PickerSource> {
    if (this.#source === NOT_LOADED) await this.refresh()
    else if (!justOpened.delete(this)) await this.#load()
    return this.#source
  }

  async #load(): Promise<PickerSource> {
    return (this.#source = await this.#registry.pickerSource(this.#options))
  }

  /**
   * What `find` finds in the visible commands.
   *
   * @param unknown the error of a command that is not hidden either
   * @throws InvocationError
   */
  #find<Match extends PickerCommand | SlashMatch>(
    find: (commands: readonly PickerCommand[]) => Match | undefined,
    unknown: (visible: readonly PickerCommand[]) => InvocationError,
  ): Match {
    const { commands, hidden } = pick(this.#options, this.#copy(), { explain: true })
    const match = find(commands)
    if (match !== undefined) return match
    const other = find(hidden.map(({ command }) => command))
    const found = other !== undefined && 'command' in other ? other.command : other
    const refused = hidden.find(({ command }) => command === found)
    throw refused === undefined ? unknown(commands) : hiddenError(refused)
  }

  #slash(text: string): SlashMatch {
    return this.#find(
      (commands) => findSlash(commands, text),
      (visible) => {
        const [name = ''] = wordsOf(text)
        return unknownName(CommandType.CHAT_INPUT, name, visible)
      },
    )
  }

  async #useMenu(
    type: CommandType,
    name: string,
    target: string | { readonly id: string },
    use: UseOptions,
  ): Promise<CommandInteraction> {
    demandText(name, 'name')
    const isId = typeof target === 'string'
    if (!isId) demandObject(target, 'target')
    const source = await this.#sync()
    const command = this.#find(
      (commands) => findCommand(commands, type, name),
      (visible) => unknownName(type, name, visible),
    )
    const map = type === CommandType.USER ? 'users' : 'messages'
    const known = isId ? {} : { [map]: { [target.id]: target } }
    const input = { target: isId ? target : target.id }
    return this.#use(command, source, input, { resolved: merged(use.resolved, known) }) as CommandInteraction
  }

  /** Checks the input against the client's copy, then against the current command of the service. */
  #use(
    picked: PickerCommand,
    source: PickerSource,
    input: TypedInput,
    use: UseOptions,
  ): CommandInteraction | AutocompleteInteraction {
    const copy = this.#copy().commands.find(({ id }) => id === picked.id)!
    const request = this.#request(source, input, use)
    const command = this.#check(picked, source, () => {
      const unused = { ids: { next: () => '0' }, tokens: () => 'unused' }
      const checked = createInteraction(copy, { ...request, ...unused })
      if (!checked.ok) throw invalidOptions(checked.issues, request, copy.id)
    })
    return this.#create(command, request)
  }

  /**
   * The checks of the service. Reloads a stale or deleted command before it throws.
   *
   * @param checkInput throws for input that the client refuses, which is before the service refuses the use
   */
  #check(
    { id, version, name_default }: PickerCommand,
    source: PickerSource,
    checkInput = () => {},
  ): ApplicationCommand {
    try {
      return checkUse({ id, version, name: name_default }, this.#options, source)
    } catch (error) {
      checkInput()
      const outdated: readonly InvocationErrorCode[] = ['stale_command', 'unknown_command']
      if (error instanceof InvocationError && outdated.includes(error.code)) {
        const current = source.commands.find((command) => command.id === id)
        if (current !== undefined && isGlobal(current)) this.#global.set(id, current)
        else this.#global.delete(id)
      }
      throw error
    }
  }

  #create(command: ApplicationCommand, request: InteractionRequest) {
    const created = createInteraction(command, request)
    if (!created.ok) throw invalidOptions(created.issues, request, command.id)
    const interaction: CommandInteraction | AutocompleteInteraction = created.value
    this.#registry.publish({ ...eventOf(command), handledBy: 'app', interaction, message: null })
    return interaction
  }

  #request(source: PickerSource, input: TypedInput, use: UseOptions): InteractionRequest {
    // By name: options are often a fixture that has further fields.
    const { guildId, user, member, channel, locale, guildLocale, appPermissions, tokens } = this
      .#options as GuildClientOptions & { readonly user?: InteractionRequest['user'] }
    const permissions = viewerPermissions(this.#options, source.now)
    return {
      ...viewerPlace(this.#options, source.application),
      ...(guildId === undefined
        ? { ...(user && { user }) }
        : { guildId, member: { ...member, ...(permissions !== undefined && { permissions }) } }),
      ...(channel?.id !== undefined && { channel }),
      ...(isLocale(locale) && { locale }),
      ...(guildLocale && { guildLocale }),
      ...(appPermissions !== undefined && { appPermissions }),
      ...(tokens && { tokens }),
      ...input,
      ids: this.#ids,
      resolved: merged(this.#options.resolved, use.resolved),
    } as InteractionRequest
  }

  /** The message the service posts when it launches an Activity itself. */
  #post({ name }: ApplicationCommand): InteractionMessage {
    const viewer: Viewer = this.#options
    const id = takeId(this.#ids)
    const who = viewer.guildId === undefined ? viewer.user : viewer.member.user
    const author = completeUser(who ?? { id: takeId(this.#ids) })
    const content = `${displayName(author)} used ${name}`
    return Object.freeze(completeMessage({ id, content }, viewer.channel?.id ?? '0', author))
  }
}

/** Clients that have loaded the commands for their first use. */
const justOpened = new WeakSet<ChatClient>()

/** A client that is loaded. Its first use does not load the commands again. */
export async function openClient(registry: CommandRegistry, options: ChatClientOptions): Promise<ChatClient> {
  const client = new ChatClient(registry, options)
  await client.refresh()
  justOpened.add(client)
  return client
}

/** The fields that the events of a used command share. */
function eventOf(command: ApplicationCommand) {
  const scope = scopeOf(command.application_id, command.guild_id)
  return { type: 'interaction_created', scope, command } as const
}

function isGlobal({ guild_id }: ApplicationCommand): boolean {
  return guild_id === undefined
}

/** @throws TypeError for anything but the definition of a slash command */
function useOfDefinition(command: unknown, use: AnyUse & UseOptions) {
  const given = (jsonValue(command) ?? {}) as Partial<ApplicationCommand>
  const { name, type = CommandType.CHAT_INPUT, id, application_id: applicationId } = given
  if (typeof name !== 'string' || type !== CommandType.CHAT_INPUT) {
    const got =
      typeof name === 'string' ? `the definition of another type, ${quoted(name)}` : describeValue(command)
    throw new TypeError(
      `command: expected a path such as "user get" or the definition of a slash command, got ${got}`,
    )
  }
  const first = isSnowflake(id) && applicationId !== undefined ? id : name
  const path = use.subcommand === undefined ? first : `${first} ${use.subcommand}`
  return { path, values: use.options, use }
}

/** Says what a locale is, for an error about another value. */
export function expectedLocale(locale: unknown): string {
  const closest = typeof locale === 'string' ? (closestLocale(locale) ?? nearest(locale, locales)) : undefined
  const hint = closest === undefined ? `one of ${locales.join(', ')}` : `a locale such as ${quoted(closest)}`
  return `expected ${hint}, got ${describeValue(locale)}`
}

/** The value of the focused option is sent as typed, even if it is the name of a choice. */
function typedValues({ options }: SlashMatch, values: OptionValues, focused: string): OptionValues {
  const sent = toDefaultNames(options, values)
  const name = defaultOptionName(options, focused)
  return Object.hasOwn(values, focused) ? { ...sent, [name]: values[focused] } : sent
}

function merged(known: KnownObjects = {}, more: KnownObjects = {}): KnownObjects {
  const { inPlace } = { ...known, ...more }
  // A map of a server is not copied: it may have thousands of entries.
  const maps = objectMaps.map((map) => [
    map,
    more[map] === undefined ? known[map] : { ...known[map], ...more[map] },
  ])
  return { ...Object.fromEntries(maps), ...(inPlace && { inPlace }) }
}
