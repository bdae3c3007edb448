/**
 * The payloads that an app receives (clauses 2.11-01 to 2.11-03). Functions that read payloads of a service take
 * `AnyInteraction`, because the service may be newer than this library.
 */
import { describeValue } from '../core/text.ts'
import type { ChannelType, CommandType, InteractionContext, OptionType } from './command-types.ts'
import { hasFields, isObject, type JsonObject } from '../core/json.ts'
import type { Locale } from './locales.ts'
import { isPermissionBits } from './permission-bits.ts'
import { PermissionFlag } from './permission-flags.ts'
import type { GuildChannel, ServerMember, ServerRole, ServerUser } from './server.ts'
import { InteractionType, type ComponentType } from './interaction-types.ts'

/** A user. */
export interface InteractionUser
  extends Required<Omit<ServerUser, 'bot' | 'premium_type'>>, Pick<ServerUser, 'bot'> {}

/** A member without its user, as in `resolved`. */
export interface ResolvedMember extends Required<
  Omit<ServerMember, 'user' | 'permissions' | 'mute' | 'deaf' | 'voice_channel_id'>
> {
  /** The member's permissions in the channel, as a decimal bit set. */
  readonly permissions: string
}

/** A member of a guild with its user. */
export interface InteractionMember extends ResolvedMember, Required<Pick<ServerMember, 'mute' | 'deaf'>> {
  readonly user: InteractionUser
  /** The same as `pending`. */
  readonly is_pending: boolean
}

/** The `color` is deprecated: use `colors`, whose second and third are those of a gradient. */
export interface InteractionRole extends Required<Omit<ServerRole, 'tags'>> {
  readonly colors: {
    readonly primary_color: number
    readonly secondary_color: number | null
    readonly tertiary_color: number | null
  }
  readonly flags: number
}

/** A channel. Other fields of the channel may be present. */
export interface InteractionChannel extends Omit<GuildChannel, 'type' | 'parent' | 'permission_overwrites'> {
  readonly type: ChannelType
}

export interface ResolvedChannel extends InteractionChannel {
  readonly name: string
  /** The user's permissions in the channel, as a decimal bit set. */
  readonly permissions: string
  /** The app's permissions in the channel, as a decimal bit set. Absent: the app is not in the server. */
  readonly app_permissions?: string
  /** The server of the channel; absent in DMs, as the fields below. */
  readonly guild_id?: string
  readonly parent_id?: string | null
  readonly position?: number
  readonly nsfw?: boolean
  readonly flags?: number
  /** The subject of the channel; absent, as the two below, for categories. */
  readonly topic?: string | null
  readonly last_message_id?: string | null
  /** Slow mode, in seconds. */
  readonly rate_limit_per_user?: number
}

export interface InteractionAttachment {
  readonly id: string
  readonly filename: string
  /** Bytes. */
  readonly size: number
  readonly url: string
  readonly proxy_url: string
  readonly content_type?: string
  /** What it shows, for people who do not see it. */
  readonly description?: string
  /** Bits: 8 for a spoiler. */
  readonly flags?: number
}

/** A message. */
export interface InteractionMessage {
  readonly id: string
  readonly channel_id: string
  /** 0 for an ordinary message; see `MessageType`. */
  readonly type: number
  readonly content: string
  readonly author: InteractionUser
  /** ISO 8601. */
  readonly timestamp: string
  /** The time of the last edit, as ISO 8601; null for none. */
  readonly edited_timestamp: string | null
  /** Whether the message is read aloud. */
  readonly tts: boolean
  readonly mention_everyone: boolean
  readonly mentions: readonly InteractionUser[]
  readonly mention_roles: readonly string[]
  readonly attachments: readonly InteractionAttachment[]
  readonly embeds: readonly object[]
  readonly pinned: boolean
  /** The bits of the message; see `MessageFlag`. */
  readonly flags: number
}

/** The objects of the ids in an interaction, by id. Maps without entries are absent. */
export interface Resolved {
  /** Users by id. */
  readonly users?: { readonly [id: string]: InteractionUser }
  /** Members by user id. Each has its user in `users`; users who are not members are absent. */
  readonly members?: { readonly [id: string]: ResolvedMember }
  /** Roles by id. */
  readonly roles?: { readonly [id: string]: InteractionRole }
  /** Channels by id. */
  readonly channels?: { readonly [id: string]: ResolvedChannel }
  /** Messages by id. */
  readonly messages?: { readonly [id: string]: InteractionMessage }
  /** Attachments by id. */
  readonly attachments?: { readonly [id: string]: InteractionAttachment }
}

// --- Data -----------------------------------------------------------------------------------------------------

interface Option<Type extends OptionType, Value> {
  readonly name: string
  readonly type: Type
  readonly value: Value
}

type Types = typeof OptionType

/** An option with its value. The value of a user, channel, role, mentionable or attachment option is an id. */
export type FilledOption =
  | Option<Types['STRING'], string>
  | Option<Types['INTEGER'], number>
  | Option<Types['BOOLEAN'], boolean>
  | Option<Types['USER'], string>
  | Option<Types['CHANNEL'], string>
  | Option<Types['ROLE'], string>
  | Option<Types['MENTIONABLE'], string>
  | Option<Types['NUMBER'], number>
  | Option<Types['ATTACHMENT'], string>

/** The value is the text so far, also for a number. */
export interface FocusedOption extends Option<Types['STRING' | 'INTEGER' | 'NUMBER'], string> {
  readonly focused: true
}

/** A used subcommand with its options; absent if there are none. */
export interface SubcommandOf<Value> {
  readonly name: string
  readonly type: Types['SUB_COMMAND']
  readonly options?: readonly Value[]
}

/** The group of a used subcommand, which is its only option. */
export interface SubcommandGroupOf<Value> {
  readonly name: string
  readonly type: Types['SUB_COMMAND_GROUP']
  readonly options: readonly SubcommandOf<Value>[]
}

/** The options of a used command, below its subcommand. */
export type OptionsTree<Value> = readonly (Value | SubcommandOf<Value> | SubcommandGroupOf<Value>)[]

interface CommandData<Type extends CommandType> {
  readonly id: string
  /** The default name, regardless of the user's language (clause 2.10-07). */
  readonly name: string
  readonly type: Type
  readonly guild_id?: string
}

/** The data of a slash command. `options` and `resolved` are absent if they are empty. */
export interface ChatInputData extends CommandData<typeof CommandType.CHAT_INPUT> {
  readonly options?: OptionsTree<FilledOption>
  readonly resolved?: Resolved
}

interface UserCommandData extends CommandData<typeof CommandType.USER> {
  readonly target_id: string
  readonly resolved: Resolved & Required<Pick<Resolved, 'users'>>
}

interface MessageCommandData extends CommandData<typeof CommandType.MESSAGE> {
  readonly target_id: string
  readonly resolved: Required<Pick<Resolved, 'messages'>>
}

interface AutocompleteData extends CommandData<typeof CommandType.CHAT_INPUT> {
  /** The version of the command in the user's client. */
  readonly version: string
  readonly options: OptionsTree<FilledOption | FocusedOption>
  readonly resolved?: Resolved
}

export interface ComponentData {
  readonly custom_id: string
  readonly component_type: ComponentType
  /** The number of the component in its message. */
  readonly id?: number
  /** Of a select menu: values or ids, whose objects are in `resolved`. */
  readonly values?: readonly string[]
  readonly resolved?: Resolved
}

/** A submitted component of a modal. */
export interface SubmittedComponent extends Pick<ComponentData, 'id'> {
  readonly type: ComponentType
  readonly custom_id?: string
  /** Of a text input, a radio group (null for no choice) or a checkbox. */
  readonly value?: string | boolean | null
  /** Of a select menu, a checkbox group or a file upload: values or ids, whose objects are in `resolved`. */
  readonly values?: readonly string[]
  /** Of a row. */
  readonly components?: readonly SubmittedComponent[]
  /** Of a label. */
  readonly component?: SubmittedComponent
}

export interface ModalData {
  readonly custom_id: string
  readonly components: readonly SubmittedComponent[]
  readonly resolved?: Resolved
}

// --- Interactions ---------------------------------------------------------------------------------------------

/** What every interaction has. */
interface Envelope<Type extends InteractionType> {
  /** The id of the interaction, which contains its time. */
  readonly id: string
  readonly application_id: string
  readonly type: Type
  /** The secret that answers and follow-ups use. Valid for 15 minutes. */
  readonly token: string
  readonly version: 1
  /** The app's permissions in the channel, as a decimal bit set. */
  readonly app_permissions: string
  /** The entitlements of the user; always empty here. */
  readonly entitlements: readonly never[]
  /** Why the command is available: `'0'` is the guild, or `'0'` in a DM; `'1'` is the user who installed the app. */
  readonly authorizing_integration_owners: { readonly '0'?: string; readonly '1'?: string }
  /** Bytes. */
  readonly attachment_size_limit: number
}

/** The user, the guild and the channel; in a guild `member` is there instead of `user`. */
interface Place {
  /** Absent in DMs. */
  readonly guild_id?: string
  readonly channel_id: string
  /** Absent in DMs, where `user` has the person. */
  readonly member?: InteractionMember
  /** Absent in guilds. */
  readonly user?: InteractionUser
}

/** What an interaction with data has, whatever its type. */
interface WithData<Type extends InteractionType, Data> extends Envelope<Type>, Place {
  readonly data: Data
  readonly context: InteractionContext
  /** Deprecated; still sent. */
  readonly entitlement_sku_ids: readonly never[]
  readonly channel: InteractionChannel
  /** The language of the user's client. */
  readonly locale: Locale
  /** Absent in DMs. */
  readonly guild?: { readonly id: string; readonly features: readonly never[]; readonly locale: Locale }
  /** The language of the guild. Absent in DMs. */
  readonly guild_locale?: Locale
}

type Used<Data> = WithData<typeof InteractionType.APPLICATION_COMMAND, Data>

/** A PING, which checks an endpoint. */
export type PingInteraction = Envelope<typeof InteractionType.PING>
/** The interaction of a slash command. */
export type ChatInputInteraction = Used<ChatInputData>
/** The interaction of a user command. */
export type UserCommandInteraction = Used<UserCommandData>
/** The interaction of a message command. */
export type MessageCommandInteraction = Used<MessageCommandData>
/** The interaction of an entry point command. */
export type EntryPointInteraction = Used<CommandData<typeof CommandType.PRIMARY_ENTRY_POINT>>

/** The interaction of a used command (clause 6-02). */
export type CommandInteraction =
  ChatInputInteraction | UserCommandInteraction | MessageCommandInteraction | EntryPointInteraction

/** The interaction of a user who is typing in an option with autocomplete (clause 6-03). */
export type AutocompleteInteraction = WithData<
  typeof InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE,
  AutocompleteData
>

/** A message whose component was used. Its other fields are present too. */
export interface ComponentMessage {
  readonly id: string
  readonly flags?: number
  readonly components?: readonly object[]
}

/** The interaction of a pressed button or a select menu. */
export interface ComponentInteraction extends WithData<
  typeof InteractionType.MESSAGE_COMPONENT,
  ComponentData
> {
  readonly message: ComponentMessage
}

/** The interaction of a submitted modal. */
export interface ModalInteraction extends WithData<typeof InteractionType.MODAL_SUBMIT, ModalData> {
  /** The message of the component that opened the modal; absent for a modal that a command opened. */
  readonly message?: ComponentMessage
}

/** Every interaction that this library creates. */
export type Interaction =
  PingInteraction | CommandInteraction | AutocompleteInteraction | ComponentInteraction | ModalInteraction

/** Any interaction of the service, including types and fields that this library does not know. */
export interface AnyInteraction extends Pick<Envelope<InteractionType>, 'id' | 'application_id' | 'token'> {
  /** See `InteractionType`. */
  readonly type: number
  /** Depends on the type. */
  readonly data?: unknown
}

/** Whether an interaction is the PING that checks an endpoint. */
export function isPing(interaction: AnyInteraction): interaction is PingInteraction {
  return fieldsOf(interaction).type === InteractionType.PING
}

/** @throws TypeError for a value that is not an object */
function fieldsOf(interaction: unknown): JsonObject {
  if (hasFields(interaction)) return interaction
  throw new TypeError(`interaction: expected an interaction, got ${describeValue(interaction)}`)
}

/** Whether an interaction is that of a used command. The type of the command may be unknown to this library. */
export function isCommandInteraction(interaction: AnyInteraction): interaction is CommandInteraction {
  const { type, data } = fieldsOf(interaction)
  return type === InteractionType.APPLICATION_COMMAND && isObject(data)
}

/** Whether an interaction is that of a user who is typing in an option with autocomplete. */
export function isAutocompleteInteraction(
  interaction: AnyInteraction,
): interaction is AutocompleteInteraction {
  const { type, data } = fieldsOf(interaction)
  return type === InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE && isObject(data)
}

/** The fields that this library reads from interactions of any type. */
export interface KnownFields extends Partial<Place> {
  readonly locale?: string
  readonly authorizing_integration_owners?: { readonly [installation: string]: string }
  readonly app_permissions?: string
}

export function knownFields(interaction: AnyInteraction): KnownFields {
  return interaction as KnownFields
}

/** Whether only the user installed the app, who takes it along (clause 2.8-07). */
export function comesWithUser(interaction: AnyInteraction): boolean {
  const { authorizing_integration_owners: owners = {} } = knownFields(interaction)
  return Object.hasOwn(owners, '1') && !Object.hasOwn(owners, '0')
}

/** Whether answers are for the user alone, whatever their flags: in a server that does not let user-installed apps speak. */
export function isAnsweredInPrivate(interaction: AnyInteraction): boolean {
  const { guild_id: guildId, member } = knownFields(interaction)
  const { permissions }: { readonly permissions?: unknown } = member ?? {}
  if (guildId === undefined || !isPermissionBits(permissions) || !comesWithUser(interaction)) return false
  return (BigInt(permissions as string) & PermissionFlag.USE_EXTERNAL_APPS) === 0n
}

export function userOf(interaction: AnyInteraction): InteractionUser | undefined {
  const { member, user } = knownFields(interaction)
  return member?.user ?? user
}
