import type { OptionValue } from '../command/define.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { CommandType } from '../command/kinds.ts'
import { snowflakes, type IdSource } from '../core/snowflake.ts'
import { isHandledByService } from '../interaction/callback.ts'
import { createInteraction, type InteractionRequest } from '../interaction/create.ts'
import type {
  AutocompleteInteraction,
  ChatInputInteraction,
  CommandInteraction,
  EntryPointInteraction,
  InteractionChannel,
  InteractionMessage,
  InteractionUser,
  MessageCommandInteraction,
  UserCommandInteraction,
} from '../interaction/payload.ts'
import { messageOf, userOf, type KnownThings, type MemberInput, type Partly } from '../interaction/things.ts'
import { isLocale } from '../locale/locales.ts'
import {
  pick,
  placeOf,
  type DirectViewer,
  type ExplainedPicker,
  type GuildViewer,
  type Picker,
  type PickerSource,
  type ShownCommand,
  type Viewer,
} from '../registry/picker.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import { globalScope, guildScope } from '../registry/scope.ts'
import { InvocationError, invalidOptions } from './error.ts'
import { meantCommand, meantOption, meantSlash, meantValues, type Meant } from './names.ts'
import { admit, permissionsOf, refusal } from './service.ts'

type AnyClientOptions = Pick<
  InteractionRequest,
  'ids' | 'tokens' | 'guildLocale' | 'appPermissions' | 'resolved'
>

/** What the app is told of the channel, beside what the service needs to know of it. */
type ShownChannel = Partial<Omit<InteractionChannel, 'id' | 'type'>>

/** A person in a guild, and their client. */
export type GuildClientOptions = AnyClientOptions &
  GuildViewer & { readonly member: MemberInput; readonly channel: ShownChannel }

/** A person in a DM or a group DM, and their client. */
export type DirectClientOptions = AnyClientOptions &
  DirectViewer & { readonly user?: Partly<InteractionUser>; readonly channel?: ShownChannel }

export type ChatClientOptions = GuildClientOptions | DirectClientOptions

/** Values by the name of their option, default or as the person sees it. Choices by value or by the name they see. */
export interface OptionValues {
  readonly [name: string]: OptionValue | undefined
}

/** What is known of the things that are named by their ids in one use. */
export interface UseOptions {
  readonly resolved?: KnownThings
}

/** What became of an entry point command (clause 2.3-03). */
export type Launched =
  /** The app got an interaction and decides what happens. */
  | { readonly handledBy: 'app'; readonly interaction: EntryPointInteraction; readonly message: null }
  /** The service launched the Activity and posted a message; the app got nothing. */
  | { readonly handledBy: 'service'; readonly interaction: null; readonly message: InteractionMessage }

type Values = { readonly [name: string]: OptionValue | undefined }

/**
 * The chat client of one person at one place, as a real one behaves.
 *
 * It has a copy of the commands with their versions, which is loaded by `refresh` or when it is first needed.
 * Global commands stay as they were loaded, so a copy can be stale: then the service refuses it, the client reloads
 * that one command, and the same call succeeds (2.11-06). Commands of the guild, and permissions, are up to date
 * at any time, because changes of them are effective at once (4.2-02, 4.2-04).
 *
 * Every refusal rejects with `InvocationError`; nothing has happened then. A failure of the registry itself rejects
 * with its `RegistryError`. What is used is told to the listeners of the registry.
 */
export class ChatClient {
  readonly #registry: CommandRegistry
  readonly #options: ChatClientOptions
  readonly #ids: IdSource
  /** The last that the client has heard of the service; its global commands are those of `#global`. */
  #source: PickerSource | undefined
  #global: ReadonlyMap<string, ApplicationCommand> = new Map()

  /** @throws TypeError when there is a guild without a member or a channel, or an id that is none */
  constructor(registry: CommandRegistry, options: ChatClientOptions) {
    this.#registry = registry
    this.#options = options
    globalScope(options.applicationId)
    if (options.guildId !== undefined) guildScope(options.applicationId, options.guildId)
    // Looks at the viewer, and throws if it is not described as it has to be.
    pick(options, { application: {}, commands: [], permissions: [], now: 0 })
    this.#ids = options.ids ?? idsOf(registry)
  }

  /** Loads all commands anew. */
  async refresh(): Promise<void> {
    const source = await this.#hear()
    this.#global = new Map(source.commands.filter(isGlobal).map((command) => [command.id, command]))
  }

  /**
   * What the person can choose from, in their language, of the client's copy. Empty before the first `refresh`.
   */
  get picker(): Picker {
    return pick(this.#options, this.#copy())
  }

  /** The client's copy of the commands, hidden ones too. */
  get commands(): readonly ApplicationCommand[] {
    return Object.freeze([...this.#copy().commands])
  }

  /**
   * Uses a slash command: `invoke('permissions user get', { user: '…' })`. Names are default ones or those the
   * person sees; default ones are sent.
   *
   * @returns the interaction the app receives
   */
  async invoke(path: string, values: OptionValues = {}, use: UseOptions = {}): Promise<ChatInputInteraction> {
    const source = await this.#sync()
    const meant = this.#slash(path)
    const said = { ...subcommand(meant), options: meantValues(meant.options, values) }
    return this.#use(meant.command, source, said, use) as ChatInputInteraction
  }

  /**
   * Asks for suggestions while the person types in an option: `autocomplete('search', { query: 'par' }, 'query')`.
   * Options that were filled in already come along; required ones may be missing (2.11-05).
   *
   * @returns the interaction the app receives
   */
  async autocomplete(
    path: string,
    values: OptionValues,
    focused: string,
    use: UseOptions = {},
  ): Promise<AutocompleteInteraction> {
    const source = await this.#sync()
    const meant = this.#slash(path)
    const said = {
      ...subcommand(meant),
      options: typedValues(meant, values, focused),
      focused: meantOption(meant.options, focused),
    }
    return this.#use(meant.command, source, said, use) as AutocompleteInteraction
  }

  /** Uses a user command on a user, by its default name or the one the person sees. */
  async invokeOnUser(
    name: string,
    target: string | Partly<InteractionUser>,
    use: UseOptions = {},
  ): Promise<UserCommandInteraction> {
    const id = typeof target === 'string' ? target : target.id
    const known: KnownThings =
      typeof target === 'string' ? {} : { users: { ...use.resolved?.users, [id]: target } }
    return (await this.#useMenu(CommandType.USER, name, id, {
      ...use.resolved,
      ...known,
    })) as UserCommandInteraction
  }

  /** Uses a message command on a message, by its default name or the one the person sees. */
  async invokeOnMessage(
    name: string,
    target: string | Partly<InteractionMessage>,
    use: UseOptions = {},
  ): Promise<MessageCommandInteraction> {
    const id = typeof target === 'string' ? target : target.id
    const known: KnownThings =
      typeof target === 'string' ? {} : { messages: { ...use.resolved?.messages, [id]: target } }
    const resolved = { ...use.resolved, ...known }
    return (await this.#useMenu(CommandType.MESSAGE, name, id, resolved)) as MessageCommandInteraction
  }

  /** Uses the app's entry point command (2.3-03). */
  async launch(): Promise<Launched> {
    const source = await this.#sync()
    const isEntryPoint = ({ type }: { readonly type: CommandType }) =>
      type === CommandType.PRIMARY_ENTRY_POINT
    const { shown, hidden } = this.#explained()
    const entry = shown.find(isEntryPoint)
    if (entry === undefined) {
      const refused = hidden.find(({ command }) => isEntryPoint(command))
      throw refused === undefined ? unknownCommand('the app has no entry point command') : refusal(refused)
    }
    const command = this.#admit(entry, source)
    if (!isHandledByService(command)) {
      const interaction = this.#create(command, source, {}, {}) as EntryPointInteraction
      return Object.freeze({ handledBy: 'app', interaction, message: null })
    }
    const message = this.#post(command)
    this.#registry.publish({
      type: 'interaction_created',
      scope: scopeOf(command),
      command,
      handledBy: 'service',
      interaction: null,
      message,
    })
    return Object.freeze({ handledBy: 'service', interaction: null, message })
  }

  // --- The client's half --------------------------------------------------------------------------------------

  /** What the client knows: its own global commands, and everything else as it is. */
  #copy(): PickerSource {
    const source = this.#source ?? { application: {}, commands: [], permissions: [], now: 0 }
    const own = source.commands.filter((command) => !isGlobal(command))
    return { ...source, commands: [...this.#global.values(), ...own] }
  }

  /** Hears of everything that is effective at once, and returns the service's own present state. */
  async #sync(): Promise<PickerSource> {
    if (this.#source !== undefined) return this.#hear()
    await this.refresh()
    return this.#source!
  }

  async #hear(): Promise<PickerSource> {
    const source = await this.#registry.pickerSource(this.#options)
    idsOf(this.#registry).now = source.now
    return (this.#source = source)
  }

  #explained(): { readonly shown: readonly ShownCommand[]; readonly hidden: ExplainedPicker['hidden'] } {
    const { commands, hidden } = pick(this.#options, this.#copy(), { explain: true })
    return { shown: commands, hidden }
  }

  #slash(text: string): Meant {
    const { shown, hidden } = this.#explained()
    const meant = meantSlash(shown, text)
    if (meant !== undefined) return meant
    const other = meantSlash(
      hidden.map(({ command }) => command),
      text,
    )
    const refused = hidden.find(({ command }) => command === other?.command)
    throw refused === undefined ? unknownCommand(`there is no slash command ${text}`) : refusal(refused)
  }

  async #useMenu(
    type: typeof CommandType.USER | typeof CommandType.MESSAGE,
    name: string,
    target: string,
    resolved: KnownThings,
  ): Promise<CommandInteraction> {
    const source = await this.#sync()
    const { shown, hidden } = this.#explained()
    const command = meantCommand(shown, type, name)
    if (command !== undefined) {
      return this.#use(command, source, { target }, { resolved }) as CommandInteraction
    }
    const other = meantCommand(
      hidden.map((one) => one.command),
      type,
      name,
    )
    const refused = hidden.find((one) => one.command === other)
    throw refused === undefined ? unknownCommand(`there is no such command: ${name}`) : refusal(refused)
  }

  /** Validates as a client does, by the client's copy; then the service has its say. */
  #use(
    shown: ShownCommand,
    source: PickerSource,
    said: Said,
    use: UseOptions,
  ): CommandInteraction | AutocompleteInteraction {
    const copy = this.#copy().commands.find(({ id }) => id === shown.id)!
    const request = this.#request(source, said, use)
    // The client only looks; what the service makes has the ids.
    const checked = createInteraction(copy, { ...request, ids: noIds, tokens: () => '' })
    if (!checked.ok) throw invalidOptions(checked.issues, request, copy.id)
    return this.#create(this.#admit(shown, source), source, said, use)
  }

  // --- The service's half --------------------------------------------------------------------------------------

  /** Lets the service look; a copy that is stale, or of a command that is gone, is mended before the refusal. */
  #admit({ id, version, name_default }: ShownCommand, source: PickerSource): ApplicationCommand {
    try {
      return admit({ id, version, name: name_default }, this.#options, source)
    } catch (error) {
      const isOutdated =
        error instanceof InvocationError &&
        (error.code === 'stale_command' || error.code === 'unknown_command')
      if (isOutdated) this.#reload(id, source)
      throw error
    }
  }

  #reload(id: string, source: PickerSource): void {
    const current = source.commands.find((command) => command.id === id)
    const global = new Map(this.#global)
    if (current !== undefined && isGlobal(current)) global.set(id, current)
    else global.delete(id)
    this.#global = global
  }

  #create(
    command: ApplicationCommand,
    source: PickerSource,
    said: Said,
    use: UseOptions,
  ): CommandInteraction | AutocompleteInteraction {
    const request = this.#request(source, said, use)
    const created = createInteraction(command, request)
    if (!created.ok) throw invalidOptions(created.issues, request, command.id)
    const interaction = created.value
    const scope = scopeOf(command)
    this.#registry.publish({
      type: 'interaction_created',
      scope,
      command,
      handledBy: 'app',
      interaction,
      message: null,
    })
    return interaction
  }

  #request(source: PickerSource, said: Said, use: UseOptions): InteractionRequest {
    const viewer = this.#options
    const { tokens, guildLocale, appPermissions, locale } = viewer
    const { context, installed } = placeOf(viewer, source.application)
    const permissions = permissionsOf(viewer, source.now)
    return {
      ...said,
      ...(viewer.guildId === undefined
        ? { ...(viewer.user && { user: viewer.user }) }
        : {
            guildId: viewer.guildId,
            member: { ...viewer.member, ...(permissions !== undefined && { permissions }) },
          }),
      ...(viewer.channel?.id !== undefined && { channel: { ...viewer.channel, id: viewer.channel.id } }),
      context,
      ...(installed && { installed }),
      ...(isLocale(locale) && { locale }),
      ...(guildLocale && { guildLocale }),
      ...(appPermissions !== undefined && { appPermissions }),
      ...(tokens && { tokens }),
      ids: this.#ids,
      resolved: merged(viewer.resolved, use.resolved),
    } as InteractionRequest
  }

  /** The message the service posts when it launches an Activity itself. */
  #post({ name }: ApplicationCommand): InteractionMessage {
    const viewer: Viewer = this.#options
    const id = this.#ids.next()
    const who = viewer.guildId === undefined ? viewer.user : viewer.member.user
    const author = userOf(who ?? { id: this.#ids.next() })
    const content = `${author.global_name ?? author.username} used ${name}`
    return Object.freeze(messageOf({ id, content }, viewer.channel?.id ?? '0', author))
  }
}

interface Said {
  readonly subcommand?: string
  readonly options?: Values
  readonly focused?: string
  readonly target?: string
}

function isGlobal({ guild_id }: ApplicationCommand): boolean {
  return guild_id === undefined
}

function scopeOf({ application_id, guild_id }: ApplicationCommand) {
  return guild_id === undefined ? globalScope(application_id) : guildScope(application_id, guild_id)
}

function subcommand({ path }: Meant): { subcommand?: string } {
  return path.length === 0 ? {} : { subcommand: path.join(' ') }
}

function unknownCommand(message: string): InvocationError {
  return new InvocationError('unknown_command', { message })
}

/** What is being typed is what stands there, even when it is the name of a choice. */
function typedValues({ options }: Meant, values: OptionValues, focused: string): Values {
  const sent = meantValues(options, values)
  const name = meantOption(options, focused)
  return Object.hasOwn(values, focused) ? { ...sent, [name]: values[focused] } : sent
}

const kinds = ['users', 'members', 'roles', 'channels', 'messages', 'attachments'] as const

function merged(known: KnownThings = {}, more: KnownThings = {}): KnownThings {
  return Object.fromEntries(kinds.map((kind) => [kind, { ...known[kind], ...more[kind] }]))
}

const noIds: IdSource = { next: () => '0' }

/** Ids by the clock of a registry. Its clients count together, so that no two interactions have the same. */
class RegistryIds implements IdSource {
  /** Milliseconds since 1970, as the registry said last. */
  now = 0
  readonly #ids = snowflakes({ clock: { now: () => this.now }, worker: 1 })

  next(): string {
    return this.#ids.next()
  }
}

const registryIds = new WeakMap<CommandRegistry, RegistryIds>()

function idsOf(registry: CommandRegistry): RegistryIds {
  let ids = registryIds.get(registry)
  if (ids === undefined) registryIds.set(registry, (ids = new RegistryIds()))
  return ids
}
