/** Creates the payload of a used command (clauses 2.11-01 to 2.11-03). */
import type { CommandBody, OptionBody } from '../command/definition.ts'
import { withoutBuilders, type Builder, type DefinitionOf } from '../command/builder.ts'
import type { ByFocus, InputOf, Rest, TypingOf, UseOf } from '../command/usage.ts'
import { CommandType, IntegrationType, InteractionContext, OptionType } from '../command/types.ts'
import { Report } from '../core/report.ts'
import { checkSnowflake, processIds, takeId } from '../core/snowflake.ts'
import { validation, type Validation } from '../core/validation.ts'
import type { Locale } from '../locale/locales.ts'
import {
  contextOf,
  explainAvailability,
  type AvailabilityRequest,
  type CommandPlace,
} from '../permission/availability.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import { checkObject } from '../permission/checks.ts'
import type { GuildChannel, MemberInput, Partly } from '../world/server.ts'
import {
  ResolvedMaps,
  completeAttachment,
  completeChannel,
  completeMember,
  completeMessage,
  resolvedChannel,
  resolvedMember,
  completeRole,
  completeUser,
  objectMaps,
  usualType,
  type KnownObjects,
} from './complete.ts'
import { ATTACHMENT_SIZE_LIMIT, takeToken, type InteractionSources } from './sources.ts'
import { InteractionType } from './types.ts'
import type { ObjectKind } from './argument-rules.ts'
import { matchOptions, typeOf, type KnownIds, type Reference, type CommandInput } from './match.ts'
import type {
  AutocompleteInteraction,
  CommandInteraction,
  InteractionChannel,
  InteractionMember,
  InteractionUser,
  PingInteraction,
  Resolved,
} from './payload.ts'

/** A registered command, or a definition. Missing ids are generated. */
export type UsableCommand = CommandBody & {
  readonly [Key in 'id' | 'application_id' | 'guild_id' | 'version']?: string
}

/** How a command is used, where, and by whom. Absent fields get default values. */
export interface InteractionRequest extends CommandInput, InteractionSources {
  /** The guild. Absent: a DM. */
  readonly guildId?: string
  /** The context. Default: GUILD with a `guildId`, PRIVATE_CHANNEL in a group DM, else BOT_DM. */
  readonly context?: InteractionContext
  /** The channel. Default: a text channel, or a DM outside of guilds. */
  readonly channel?: Partly<InteractionChannel> | GuildChannel
  /** The member who uses the command in a guild. Default: a member with the `user`. */
  readonly member?: MemberInput
  /** The user who uses the command. Default: a new user. */
  readonly user?: Partly<InteractionUser>
  /** The language of the user's client. Default `'en-US'`. */
  readonly locale?: Locale
  /** The language of the guild. Default `'en-US'`. */
  readonly guildLocale?: Locale
  /** The app's permissions in the channel, as a bit set. Default: those of a new app in that context. */
  readonly appPermissions?: string | bigint
  /** How the app is installed here. Default: in every way the command supports. */
  readonly installed?: readonly IntegrationType[]
  /** Known users, roles, channels, attachments and messages, by id. */
  readonly resolved?: KnownObjects
}

/** Where a person uses a command, and who they are; what they enter is in `InputOf` the command. */
export type InteractionPlace = Omit<InteractionRequest, keyof CommandInput>

type Request<Command, Focus> = InteractionPlace & { readonly focused?: Focus } & InputOf<
    Command,
    ByFocus<Focus, UseOf<Command>, TypingOf<Command>>,
    CommandInput
  >

const { ATTACH_FILES, EMBED_LINKS, MENTION_EVERYONE, USE_EXTERNAL_EMOJIS, VIEW_CHANNEL, SEND_MESSAGES } =
  PermissionFlag

/** An app's default permissions in a channel. */
const defaultAppPermissions: { readonly [Context in InteractionContext]: bigint } = {
  [InteractionContext.GUILD]:
    VIEW_CHANNEL | SEND_MESSAGES | ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE | USE_EXTERNAL_EMOJIS,
  [InteractionContext.BOT_DM]: ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE | USE_EXTERNAL_EMOJIS,
  [InteractionContext.PRIVATE_CHANNEL]: ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE,
}

/**
 * The interaction an app receives when a user uses a command or, with `focused`, types in an option with autocomplete.
 * Checks every value, the subcommand and the target against the command. The path of an issue is a path in the request.
 *
 * Does not check whether the user may use the command there; `ChatClient` does.
 *
 * @param command a registered command, a parsed definition, a body of `defineCommand`, or a builder with `toJSON`
 * @throws TypeError if an id of the guild, the channel or the user is not a snowflake
 */
export function createInteraction<
  const Command extends UsableCommand | Builder,
  const Focus extends string | undefined = undefined,
>(
  command: Command,
  ...request: Rest<Request<DefinitionOf<Command>, Focus>>
): Validation<ByFocus<Focus, CommandInteraction, AutocompleteInteraction>>
export function createInteraction(
  definition: unknown,
  input: unknown = {},
): Validation<CommandInteraction | AutocompleteInteraction> {
  const request = input as InteractionRequest
  const command = withoutBuilders<UsableCommand>(definition)
  checkRequest(command, request)
  const report = new Report()
  const scene = new Scene(command, request)
  const matched = matchOptions(report, command, request, scene)
  if (report.errors.length > 0) return validation<CommandInteraction>(undefined, report, request)
  const options = matched?.options ?? []
  const resolved = scene.resolve(matched?.references ?? [])
  const data = {
    id: scene.commandId,
    name: command.name,
    type: typeOf(command),
    ...(scene.commandGuildId !== undefined && { guild_id: scene.commandGuildId }),
    ...(request.focused !== undefined && { version: command.version ?? scene.commandId }),
    ...((options.length > 0 || request.focused !== undefined) && { options }),
    ...(resolved && { resolved }),
    ...(request.target !== undefined && { target_id: request.target }),
  }
  const type =
    request.focused === undefined
      ? InteractionType.APPLICATION_COMMAND
      : InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE
  const interaction = { ...scene.envelope(type), ...scene.place(resolved), data }
  return validation(interaction as CommandInteraction | AutocompleteInteraction, report, request)
}

const objectFields = ['options', 'channel', 'member', 'user', 'resolved'] as const

/** @throws TypeError, naming the field, for a value that must be an object and is not */
function checkRequest(command: unknown, request: unknown): void {
  checkObject(command, 'command')
  const fields = checkObject(request, 'request')
  for (const field of objectFields) {
    if (fields[field] !== undefined) checkObject(fields[field], `request.${field}`)
  }
  const maps = (fields.resolved ?? {}) as { readonly [map: string]: unknown }
  for (const map of objectMaps) {
    if (maps[map] !== undefined) checkObject(maps[map], `request.resolved.${map}`)
  }
}

/** A PING, which the service sends to check an endpoint. */
export function createPing(applicationId: string, sources: InteractionSources = {}): PingInteraction {
  const id = takeId(sources.ids ?? processIds)
  checkSnowflake(applicationId, 'applicationId')
  return envelope(InteractionType.PING, id, applicationId, '0', sources.tokens)
}

/** The fields of every interaction. */
function envelope<Type extends InteractionType>(
  type: Type,
  id: string,
  application_id: string,
  app_permissions: string,
  tokens: InteractionSources['tokens'],
) {
  return {
    id,
    application_id,
    type,
    token: takeToken(tokens, id),
    version: 1 as const,
    app_permissions,
    entitlements: [],
    authorizing_integration_owners: {},
    attachment_size_limit: ATTACHMENT_SIZE_LIMIT,
  }
}

/** The user, the place and the known objects of a request. */
class Scene implements KnownIds {
  readonly commandId: string
  readonly commandGuildId: string | undefined
  readonly #command: UsableCommand
  readonly #request: InteractionRequest
  /** The known objects. Ids are checked before they are looked up, so none names an inherited property. */
  readonly #resolved: KnownObjects
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
    this.#resolved = request.resolved ?? {}
    this.#id = takeId(ids)
    this.commandId = command.id ?? takeId(ids)
    this.commandGuildId = command.guild_id ?? undefined
    this.#applicationId = command.application_id ?? takeId(ids)
    if (guildId !== undefined) checkSnowflake(guildId, 'guildId')
    this.#context = request.context ?? contextOf(guildId, channel)
    this.#channel = completeChannel(channel ?? { id: takeId(ids) }, guildId === undefined)
    checkSnowflake(this.#channel.id, 'channel.id')
    const who = member?.user ?? user ?? { id: takeId(ids) }
    checkSnowflake(who.id, member === undefined ? 'user.id' : 'member.user.id')
    this.#user = completeUser({ ...user, ...who })
    this.#member = guildId === undefined ? undefined : completeMember({ ...member, user: this.#user })
  }

  // --- Known ids ---

  kindsOf(id: string): readonly ObjectKind[] {
    const kinds = (['users', 'roles', 'channels', 'messages', 'attachments'] as const).filter(
      (kind) => this.#resolved[kind]?.[id] !== undefined,
    )
    if (!kinds.includes('users') && (this.#resolved.members?.[id] !== undefined || id === this.#user.id)) {
      kinds.push('users')
    }
    if (!kinds.includes('channels') && id === this.#channel.id) kinds.push('channels')
    // The guild's own id is that of @everyone.
    if (!kinds.includes('roles') && id === this.#request.guildId) kinds.push('roles')
    return kinds
  }

  channelType(id: string): number | undefined {
    return (
      this.#resolved.channels?.[id]?.type ??
      // The default type of the channel does not count.
      (id === this.#channel.id ? this.#request.channel?.type : undefined)
    )
  }

  // --- The payload ---

  envelope(type: InteractionType) {
    const { tokens, appPermissions = defaultAppPermissions[this.#context] } = this.#request
    return {
      ...envelope(type, this.#id, this.#applicationId, String(appPermissions), tokens),
      authorizing_integration_owners: this.#owners(),
    }
  }

  /** @param resolved the resolved objects of the same payload */
  place(resolved: Resolved | undefined) {
    const { guildId, channel, locale = 'en-US', guildLocale = 'en-US' } = this.#request
    // Without a given type, `resolved` may have another default; the payload must have one.
    const type = channel?.type ?? resolved?.channels?.[this.#channel.id]?.type ?? this.#channel.type
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

  /** Authorizing integration owners. */
  #owners(): { '0'?: string; '1'?: string } {
    const { guildId, installed } = this.#request
    const context = this.#context
    const place = { context, guildId, ...(installed && { installed }) } as CommandPlace
    // A body may lack `default_permission`; only false has an effect.
    const command = { ...this.#command, guild_id: this.commandGuildId } as AvailabilityRequest['command']
    const { installations } = explainAvailability({ command, place })
    const owners: { '0'?: string; '1'?: string } = {}
    if (installations.includes(IntegrationType.GUILD_INSTALL)) owners[0] = guildId ?? '0'
    if (installations.includes(IntegrationType.USER_INSTALL)) owners[1] = this.#user.id
    return owners
  }

  resolve(references: readonly Reference[]): Resolved | undefined {
    const { target } = this.#request
    const objects = new ResolvedMaps()
    for (const { id, option } of references) this.#add(objects, id, option)
    if (target !== undefined) {
      if (typeOf(this.#command) === CommandType.USER) this.#addUser(objects, target)
      else objects.put('messages', target, this.#message(target))
    }
    return objects.get()
  }

  #add(objects: ResolvedMaps, id: string, option: OptionBody): void {
    switch (option.type) {
      case OptionType.CHANNEL:
        return objects.put('channels', id, this.#resolvedChannel(id, option))
      case OptionType.ATTACHMENT:
        return objects.put('attachments', id, completeAttachment({ id, ...this.#resolved.attachments?.[id] }))
      case OptionType.ROLE:
        return objects.put('roles', id, this.#role(id))
      case OptionType.MENTIONABLE: {
        const isRole = this.kindsOf(id).includes('roles') && !this.kindsOf(id).includes('users')
        return isRole ? objects.put('roles', id, this.#role(id)) : this.#addUser(objects, id)
      }
      default:
        return this.#addUser(objects, id)
    }
  }

  #addUser(objects: ResolvedMaps, id: string): void {
    const { guildId } = this.#request
    const known = this.#resolved.users?.[id]
    const user = id === this.#user.id ? { ...this.#user, ...known } : completeUser({ id, ...known })
    objects.put('users', id, user)
    const member = this.#resolved.members?.[id]
    if (guildId === undefined || member === null) return
    const self = id === this.#user.id ? this.#request.member : undefined
    objects.put('members', id, resolvedMember(id, member ?? self ?? {}))
  }

  #role(id: string) {
    const isEveryone = id === this.#request.guildId
    return completeRole({
      id,
      ...(isEveryone && { name: '@everyone', position: 0 }),
      ...this.#resolved.roles?.[id],
    })
  }

  #resolvedChannel(id: string, { channel_types }: OptionBody) {
    const known = this.#resolved.channels?.[id] ?? (id === this.#channel.id ? this.#channel : { id })
    // An unknown type is assumed to be one that the client offered.
    const type = this.channelType(id) ?? channel_types?.[0] ?? usualType(this.#member === undefined)
    return resolvedChannel({ ...known, id, type }, this.#member?.permissions)
  }

  #message(id: string) {
    return completeMessage({ id, ...this.#resolved.messages?.[id] }, this.#channel.id, this.#user)
  }
}
