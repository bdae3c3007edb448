/** From a command and what a person does with it to the payload an app receives (clauses 2.11-01 to 2.11-03). */
import type { CommandBody, OptionBody } from '../command/define.ts'
import {
  ChannelType,
  CommandType,
  IntegrationType,
  InteractionContext,
  OptionType,
} from '../command/kinds.ts'
import { Report } from '../core/report.ts'
import { isSnowflake, processIds, type IdSource } from '../core/snowflake.ts'
import { described } from '../core/text.ts'
import { validation, type Validation } from '../core/validation.ts'
import type { Locale } from '../locale/locales.ts'
import {
  contextOf,
  explainAvailability,
  type AvailabilityRequest,
  type CommandPlace,
} from '../permission/availability.ts'
import { PermissionFlag } from '../permission/kinds.ts'
import type { GuildChannel } from '../permission/member.ts'
import { InteractionType } from './kinds.ts'
import { matchOptions, typeOf, type Known, type Reference, type Said, type ThingKind } from './match.ts'
import type {
  AutocompleteInteraction,
  CommandInteraction,
  InteractionChannel,
  InteractionMember,
  InteractionUser,
  PingInteraction,
  Resolved,
  ResolvedMember,
} from './payload.ts'
import {
  attachmentOf,
  channelOf,
  memberOf,
  messageOf,
  resolvedChannel,
  resolvedMember,
  roleOf,
  userOf,
  type KnownThings,
  type MemberInput,
  type Partly,
} from './things.ts'

/** Where the ids and tokens of interactions come from. */
export interface InteractionSources {
  /** Default: one source for the whole process. The id tells when the interaction was made. */
  readonly ids?: IdSource
  /** The token of an interaction; whoever has it can answer. Default: 32 random bytes as hex. */
  readonly tokens?: (interactionId: string) => string
}

/** A command, registered or only defined: then it gets ids of its own. */
export type UsableCommand = CommandBody & {
  readonly [Key in 'id' | 'application_id' | 'guild_id' | 'version']?: string
}

/** What a person does with a command, where, and who they are. Whatever is left out is made up. */
export interface InteractionRequest extends Said, InteractionSources {
  /** Absent: outside of any guild. */
  readonly guildId?: string
  /** Default: GUILD with a `guildId`, PRIVATE_CHANNEL in a group DM, else BOT_DM. */
  readonly context?: InteractionContext
  readonly channel?: Partly<InteractionChannel> | GuildChannel
  /** Who uses the command, in a guild. Default there: a member with the `user`. */
  readonly member?: MemberInput
  /** Who uses the command. */
  readonly user?: Partly<InteractionUser>
  /** The language of the person's client. Default `'en-US'`. */
  readonly locale?: Locale
  /** The guild's own language. Default `'en-US'`. */
  readonly guildLocale?: Locale
  /** What the app may do in the channel. */
  readonly appPermissions?: string | bigint
  /** How the app is installed, seen from here. Default: in every way the command comes with. */
  readonly installed?: readonly IntegrationType[]
  /** What is known of the users, roles, channels, attachments and messages that are named by their ids. */
  readonly resolved?: KnownThings
}

const { ATTACH_FILES, EMBED_LINKS, MENTION_EVERYONE, USE_EXTERNAL_EMOJIS, VIEW_CHANNEL, SEND_MESSAGES } =
  PermissionFlag

/** What an app may do where nothing else is said (service facts 7.1). */
const appPermissions: { readonly [Context in InteractionContext]: bigint } = {
  [InteractionContext.GUILD]:
    VIEW_CHANNEL | SEND_MESSAGES | ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE | USE_EXTERNAL_EMOJIS,
  [InteractionContext.BOT_DM]: ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE | USE_EXTERNAL_EMOJIS,
  [InteractionContext.PRIVATE_CHANNEL]: ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE,
}

/** Bytes a file of an answer may have. */
export const ATTACHMENT_SIZE_LIMIT = 10_485_760

/**
 * The interaction an app receives when a person uses a command, or, with `focused`, while they type in an option
 * that has autocomplete. What they say is held against the command: every value, the subcommand, the target. An
 * issue's path is into the request.
 *
 * Whether they may use the command there is not asked; `ChatClient` does that.
 *
 * @param command a registered command, a definition that was read, or a body as `defineCommand` has it
 * @throws TypeError when an id of the place or the person is no snowflake
 */
export function createInteraction(
  command: UsableCommand,
  request: InteractionRequest & { readonly focused: string },
): Validation<AutocompleteInteraction>
export function createInteraction(
  command: UsableCommand,
  request?: InteractionRequest & { readonly focused?: undefined },
): Validation<CommandInteraction>
export function createInteraction(
  command: UsableCommand,
  request?: InteractionRequest,
): Validation<CommandInteraction | AutocompleteInteraction>
export function createInteraction(
  command: UsableCommand,
  request: InteractionRequest = {},
): Validation<CommandInteraction | AutocompleteInteraction> {
  const report = new Report()
  const scene = new Scene(command, request)
  const matched = matchOptions(report, command, request, scene)
  if (report.issues !== null) return validation<CommandInteraction>(undefined, report, request)
  const options = matched?.options ?? []
  const resolved = scene.resolve(matched?.references ?? [])
  const data = {
    id: scene.commandId,
    name: command.name,
    type: typeOf(command),
    ...(scene.commandGuildId !== undefined && { guild_id: scene.commandGuildId }),
    ...(request.focused !== undefined && { version: command.version ?? scene.commandId }),
    ...((options.length > 0 || request.focused !== undefined) && { options }),
    ...(Object.keys(resolved).length > 0 && { resolved }),
    ...(request.target !== undefined && { target_id: request.target }),
  }
  const type =
    request.focused === undefined
      ? InteractionType.APPLICATION_COMMAND
      : InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE
  const interaction = { ...scene.envelope(type), ...scene.place(resolved), data }
  return validation(interaction as CommandInteraction | AutocompleteInteraction, report, request)
}

/** What a service sends to see whether an endpoint answers. */
export function createPing(applicationId: string, sources: InteractionSources = {}): PingInteraction {
  const id = (sources.ids ?? processIds).next()
  return {
    id,
    application_id: snowflake('applicationId', applicationId),
    type: InteractionType.PING,
    token: (sources.tokens ?? randomToken)(id),
    version: 1,
    app_permissions: '0',
    entitlements: [],
    authorizing_integration_owners: {},
    attachment_size_limit: ATTACHMENT_SIZE_LIMIT,
  }
}

function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Who does something, and where, with everything that is known around them. */
class Scene implements Known {
  readonly commandId: string
  /** Of a command that is not global, its guild. */
  readonly commandGuildId: string | undefined
  readonly #command: UsableCommand
  readonly #request: InteractionRequest
  readonly #id: string
  readonly #applicationId: string
  readonly #context: InteractionContext
  readonly #channel: InteractionChannel
  readonly #member: InteractionMember | undefined
  readonly #user: InteractionUser

  constructor(command: UsableCommand, request: InteractionRequest) {
    const { ids = processIds, guildId, channel, member, user } = request
    this.#command = command
    this.#request = request
    this.#id = ids.next()
    this.commandId = command.id ?? ids.next()
    this.commandGuildId = command.guild_id ?? undefined
    this.#applicationId = command.application_id ?? ids.next()
    if (guildId !== undefined) snowflake('guildId', guildId)
    this.#context = request.context ?? contextOf(guildId, channel)
    this.#channel = channelOf(channel ?? { id: ids.next() }, guildId === undefined)
    snowflake('channel.id', this.#channel.id)
    const who = member?.user ?? user ?? { id: ids.next() }
    snowflake(member === undefined ? 'user.id' : 'member.user.id', who.id)
    this.#user = userOf({ ...user, ...who })
    this.#member = guildId === undefined ? undefined : memberOf({ ...member, user: this.#user })
  }

  // --- What is known of ids ---

  kinds(id: string): readonly ThingKind[] {
    const { resolved = {} } = this.#request
    const kinds = (['users', 'roles', 'channels', 'messages', 'attachments'] as const).filter(
      (kind) => own(resolved[kind], id) !== undefined,
    )
    if (!kinds.includes('users') && (own(resolved.members, id) !== undefined || id === this.#user.id)) {
      kinds.push('users')
    }
    if (!kinds.includes('channels') && id === this.#channel.id) kinds.push('channels')
    // The guild's own id stands for everyone in it.
    if (!kinds.includes('roles') && id === this.#request.guildId) kinds.push('roles')
    return kinds
  }

  channelType(id: string): number | undefined {
    return (
      own(this.#request.resolved?.channels, id)?.type ??
      // Not the type that was made up for it.
      (id === this.#channel.id ? this.#request.channel?.type : undefined)
    )
  }

  // --- The payload ---

  envelope<Type extends InteractionType>(type: Type) {
    const { tokens = randomToken, appPermissions: given } = this.#request
    return {
      id: this.#id,
      application_id: this.#applicationId,
      type,
      token: tokens(this.#id),
      version: 1 as const,
      app_permissions: String(given ?? appPermissions[this.#context]),
      entitlements: [],
      authorizing_integration_owners: this.#owners(),
      attachment_size_limit: ATTACHMENT_SIZE_LIMIT,
    }
  }

  /** @param resolved what the ids stand for, as the app is told */
  place(resolved: Resolved) {
    const { guildId, channel, locale = 'en-US', guildLocale = 'en-US' } = this.#request
    // Where no type was given, an option may have made up another one; the app is told one.
    const type = channel?.type ?? resolved.channels?.[this.#channel.id]?.type ?? this.#channel.type
    return {
      context: this.#context,
      entitlement_sku_ids: [],
      channel: { ...this.#channel, type },
      channel_id: this.#channel.id,
      locale,
      ...(guildId === undefined
        ? { user: this.#user }
        : {
            guild_id: guildId,
            guild: { id: guildId, features: [], locale: guildLocale },
            guild_locale: guildLocale,
            member: this.#member!,
          }),
    }
  }

  /** By whose leave the command is here (service facts 7.1). */
  #owners(): { '0'?: string; '1'?: string } {
    const { guildId, installed } = this.#request
    const context = this.#context
    const place = { context, guildId, ...(installed && { installed }) } as CommandPlace
    // Everywhere that `default_permission` is asked it only counts when it is false.
    const command = { ...this.#command, guild_id: this.commandGuildId } as AvailabilityRequest['command']
    const { installations } = explainAvailability({ command, place })
    const owners: { '0'?: string; '1'?: string } = {}
    if (installations.includes(IntegrationType.GUILD_INSTALL)) owners[0] = guildId ?? '0'
    if (installations.includes(IntegrationType.USER_INSTALL)) owners[1] = this.#user.id
    return owners
  }

  resolve(references: readonly Reference[]): Resolved {
    const { target } = this.#request
    const things = new Things()
    for (const { id, option } of references) this.#add(things, id, option)
    if (target !== undefined) {
      if (typeOf(this.#command) === CommandType.USER) this.#addUser(things, target)
      else things.put('messages', target, this.#message(target))
    }
    return things.maps as Resolved
  }

  #add(things: Things, id: string, option: OptionBody): void {
    const { resolved } = this.#request
    switch (option.type) {
      case OptionType.CHANNEL:
        return things.put('channels', id, this.#resolvedChannel(id, option))
      case OptionType.ATTACHMENT:
        return things.put('attachments', id, attachmentOf({ id, ...own(resolved?.attachments, id) }))
      case OptionType.ROLE:
        return things.put('roles', id, this.#role(id))
      case OptionType.MENTIONABLE: {
        const isRole = this.kinds(id).includes('roles') && !this.kinds(id).includes('users')
        return isRole ? things.put('roles', id, this.#role(id)) : this.#addUser(things, id)
      }
      default:
        return this.#addUser(things, id)
    }
  }

  #addUser(things: Things, id: string): void {
    const { guildId, resolved } = this.#request
    const known = own(resolved?.users, id)
    things.put('users', id, id === this.#user.id ? { ...this.#user, ...known } : userOf({ id, ...known }))
    const member = own(resolved?.members, id)
    if (guildId === undefined || member === null) return
    things.put(
      'members',
      id,
      member === undefined && id === this.#user.id ? this.#self() : resolvedMember(id, member ?? {}),
    )
  }

  #self(): ResolvedMember {
    const { user: _user, is_pending: _pending, mute: _mute, deaf: _deaf, ...member } = this.#member!
    return member
  }

  #role(id: string) {
    const isEveryone = id === this.#request.guildId
    return roleOf({
      id,
      ...(isEveryone && { name: '@everyone', position: 0 }),
      ...own(this.#request.resolved?.roles, id),
    })
  }

  #resolvedChannel(id: string, { channel_types }: OptionBody) {
    const known =
      own(this.#request.resolved?.channels, id) ?? (id === this.#channel.id ? this.#channel : { id })
    const usual = this.#member === undefined ? ChannelType.DM : ChannelType.GUILD_TEXT
    // Of a type that nobody knows it is taken that the client offered it.
    const type = this.channelType(id) ?? channel_types?.[0] ?? usual
    return resolvedChannel({ ...known, id, type }, this.#member?.permissions ?? '0')
  }

  #message(id: string) {
    return messageOf({ id, ...own(this.#request.resolved?.messages, id) }, this.#channel.id, this.#user)
  }
}

/** The maps of `resolved`; ids are digits, so nothing of theirs can be mistaken for what objects inherit. */
class Things {
  readonly maps: { [Kind in keyof Resolved]?: { [id: string]: object } } = {}

  put<Kind extends keyof Resolved>(kind: Kind, id: string, thing: NonNullable<Resolved[Kind]>[string]): void {
    const map: { [id: string]: object } = (this.maps[kind] ??= {})
    map[id] = thing
  }
}

function own<T>(map: { readonly [id: string]: T } | undefined, id: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, id) ? map[id] : undefined
}

function snowflake(label: string, value: unknown): string {
  if (isSnowflake(value)) return value
  throw new TypeError(`${label}: expected a snowflake such as "1029384756", got ${described(value)}`)
}
