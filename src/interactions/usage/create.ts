/** Creates the payload of a used command (clauses 2.11-01 to 2.11-03). */
import type { CommandBody } from '../../model/command-definition.ts'
import {
  withoutBuilders,
  type DefinitionBuilder,
  type DefinitionOf,
} from '../../commands/definition/builder.ts'
import type { ByFocus, InputOf, Rest, TypingOf, UseOf } from './usage.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { CommandType, IntegrationType, InteractionContext } from '../../model/command-types.ts'
import { newSecret } from '../../core/secrets.ts'
import { Report } from '../../core/rules/report.ts'
import { processIds, takeId, type IdSource } from '../../model/id-source.ts'
import { checkSnowflake } from '../../core/snowflake.ts'
import { describeValue } from '../../core/text.ts'
import { validation, type Validation } from '../../core/rules/validation.ts'
import type { Locale } from '../../model/locales.ts'
import {
  contextOf,
  explainAvailability,
  type AvailabilityRequest,
  type CommandPlace,
} from '../../commands/access/availability.ts'
import { demandObject } from '../../core/rules/arguments.ts'
import type { GuildChannel, MemberInput, Partly } from '../../model/server.ts'
import {
  completeChannel,
  completeMember,
  completeMessage,
  completeUser,
  objectMaps,
  ResolvedObjects,
  type KnownObjects,
} from './complete.ts'
import { matchOptions, commandTypeOf, type CommandInput, type TypedInput } from './match.ts'
import type {
  AutocompleteInteraction,
  CommandInteraction,
  InteractionUser,
  PingInteraction,
  ResolvedChannel,
} from '../../model/interaction-payload.ts'
import { InteractionType } from '../../model/interaction-types.ts'

/** A registered command, or a definition. Missing ids are generated. */
export type UsableCommand = CommandBody & {
  readonly [Key in 'id' | 'application_id' | 'guild_id' | 'version']?: string
}

/** Where ids and tokens come from. */
export interface InteractionSources {
  /** Ids, which contain the time of the interaction. Default: one source for the whole process. */
  readonly ids?: IdSource
  /** The token of an interaction, a secret that answers need. Default: 32 random bytes as hex. */
  readonly tokens?: (interactionId: string) => string
}

/** How a command is used, where, and by whom. */
export interface InteractionRequest extends TypedInput, InteractionSources {
  /** The guild. Absent: a DM. */
  readonly guildId?: string
  /** The context. Default: GUILD with a `guildId`, PRIVATE_CHANNEL in a group DM, else BOT_DM. */
  readonly context?: InteractionContext
  /** The channel. Default: a text channel, or a DM outside of guilds. */
  readonly channel?: GuildChannel
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

/** The largest size of a file of an answer, in bytes. */
export const ATTACHMENT_SIZE_LIMIT = 10_485_760

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
  const Command extends UsableCommand | DefinitionBuilder,
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
  const { ids = processIds(), tokens, guildId, locale = 'en-US', guildLocale = 'en-US' } = request
  const { focused, target, resolved } = request
  const id = takeId(ids)
  const commandId = command.id ?? takeId(ids)
  const applicationId = command.application_id ?? takeId(ids)
  const { channel, user, member } = participantsOf(request, ids)
  const known = withParticipants(request, channel.id, user)
  const context = request.context ?? contextOf(guildId, request.channel)
  const { appPermissions = defaultAppPermissions[context] } = request
  const isHere = guildId === undefined || request.installed?.includes(IntegrationType.GUILD_INSTALL) !== false
  const ofApp = isHere ? String(appPermissions) : null
  const objects = new ResolvedObjects(known, guildId, member?.permissions, ofApp)
  const report = new Report()
  const options = matchOptions(report, command, request, objects) ?? []
  if (report.errors.length > 0) return validation<CommandInteraction>(undefined, report, request)
  if (target !== undefined && commandTypeOf(command) === CommandType.USER) objects.add(target, ['users'])
  else if (target !== undefined) {
    const message = { id: target, ...resolved?.messages?.[target] }
    objects.put('messages', target, completeMessage(message, channel.id, user))
  }
  const { APPLICATION_COMMAND, APPLICATION_COMMAND_AUTOCOMPLETE } = InteractionType
  const type = focused === undefined ? APPLICATION_COMMAND : APPLICATION_COMMAND_AUTOCOMPLETE
  const knownType = request.channel?.type ?? objects.get().resolved?.channels?.[channel.id]?.type
  const interaction = {
    ...envelope(type, id, applicationId, String(appPermissions), tokens),
    authorizing_integration_owners: ownersOf(command, request, context, user.id),
    context,
    entitlement_sku_ids: [],
    channel: { ...channel, ...(knownType !== undefined && { type: knownType }) },
    channel_id: channel.id,
    locale,
    ...(guildId === undefined
      ? { user }
      : {
          guild_id: guildId,
          guild: { id: guildId, features: [], locale: guildLocale },
          guild_locale: guildLocale,
          member,
        }),
    data: {
      id: commandId,
      name: command.name,
      type: commandTypeOf(command),
      ...(command.guild_id != null && { guild_id: command.guild_id }),
      ...(focused !== undefined && { version: command.version ?? commandId }),
      ...((options.length > 0 || focused !== undefined) && { options }),
      ...objects.get(),
      ...(target !== undefined && { target_id: target }),
    },
  }
  return validation(interaction as CommandInteraction | AutocompleteInteraction, report, request)
}

/** @throws TypeError, naming the field, for a value that must be an object and is not */
function checkRequest(command: unknown, request: unknown): void {
  demandObject(command, 'command')
  const fields = demandObject(request, 'request')
  const maps = (fields.resolved ?? {}) as { readonly [map: string]: unknown }
  for (const field of ['options', 'channel', 'member', 'user', 'resolved'])
    if (fields[field] !== undefined) demandObject(fields[field], `request.${field}`)
  for (const map of objectMaps)
    if (maps[map] !== undefined) demandObject(maps[map], `request.resolved.${map}`)
}

/** The user, in a guild also the member, and the channel of a request. */
function participantsOf(request: InteractionRequest, ids: IdSource) {
  const { guildId, member } = request
  if (guildId !== undefined) checkSnowflake(guildId, 'guildId')
  const channel = completeChannel(request.channel ?? { id: takeId(ids) }, guildId === undefined)
  checkSnowflake(channel.id, 'channel.id')
  const who = member?.user ?? request.user ?? { id: takeId(ids) }
  checkSnowflake(who.id, member === undefined ? 'user.id' : 'member.user.id')
  const user = completeUser({ ...request.user, ...who })
  return { channel, user, member: guildId === undefined ? undefined : completeMember({ ...member, user }) }
}

/** The known objects of a request, with its user, its channel and `@everyone`, whose id is that of the guild. */
function withParticipants(
  { guildId, channel, member, resolved = {} }: InteractionRequest,
  channelId: string,
  user: InteractionUser,
): KnownObjects {
  const { users, members, roles, channels } = resolved
  return {
    ...resolved,
    users: withEntry(users, user.id, { ...user, ...users?.[user.id] }),
    members: withEntry(members, user.id, { ...members?.[user.id], ...member }),
    ...(guildId !== undefined && {
      roles: withEntry(roles, guildId, {
        ...{ id: guildId, name: '@everyone', position: 0 },
        ...roles?.[guildId],
      }),
    }),
    channels: withEntry(channels, channelId, {
      id: channelId,
      ...channel,
      ...channels?.[channelId],
    } as Partly<ResolvedChannel>),
  }
}

/** A map with another entry. The entries of the map are inherited instead of copied: there may be thousands. */
function withEntry<Value>(
  map: { readonly [id: string]: Value } | undefined,
  id: string,
  value: Value,
): { readonly [id: string]: Value } {
  return Object.assign(Object.create(map ?? null), { [id]: value })
}

/** Why the command is available: the guild, `'0'` in a DM, or the user who installed the app. */
function ownersOf(
  command: UsableCommand,
  { guildId, installed }: InteractionRequest,
  context: InteractionContext,
  userId: string,
): { '0'?: string; '1'?: string } {
  const { installations } = explainAvailability({
    // A body may lack `default_permission`; only false has an effect.
    command: { ...command, guild_id: command.guild_id ?? undefined } as AvailabilityRequest['command'],
    place: { context, guildId, installed } as CommandPlace,
  })
  return {
    ...(installations.includes(IntegrationType.GUILD_INSTALL) && { '0': guildId ?? '0' }),
    ...(installations.includes(IntegrationType.USER_INSTALL) && { '1': userId }),
  }
}

/** A PING, which the service sends to check an endpoint. */
export function createPing(applicationId: string, sources: InteractionSources = {}): PingInteraction {
  demandObject(sources, 'sources')
  const id = takeId(sources.ids ?? processIds())
  checkSnowflake(applicationId, 'applicationId')
  return envelope(InteractionType.PING, id, applicationId, '0', sources.tokens)
}

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

/** @throws TypeError if the source yields anything but a text */
export function takeToken(tokens: InteractionSources['tokens'] = newToken, interactionId: string): string {
  const token: unknown = tokens(interactionId)
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError(`tokens: expected a function that returns a text, got ${describeValue(token)}`)
}

const newToken = () => newSecret(32)
