/**
 * What an app receives (clauses 2.11-01 to 2.11-03). These are the payloads as this library makes them. A service
 * may be newer than this library, so what is read from outside is taken as `AnyInteraction`: kinds that are not
 * known are kept, and the guards below tell the others.
 */
import type { ChannelType, CommandType, InteractionContext, OptionType } from '../command/kinds.ts'
import { isObject } from '../core/json.ts'
import type { Locale } from '../locale/locales.ts'
import { InteractionType } from './kinds.ts'

export interface InteractionUser {
  readonly id: string
  readonly username: string
  readonly discriminator: string
  readonly global_name: string | null
  readonly avatar: string | null
  readonly bot?: boolean
}

/** A member without the user it is, as `resolved` has it. */
export interface ResolvedMember {
  readonly roles: readonly string[]
  readonly nick: string | null
  readonly avatar: string | null
  /** ISO 8601. */
  readonly joined_at: string
  readonly premium_since: string | null
  readonly pending: boolean
  readonly communication_disabled_until: string | null
  readonly flags: number
  /** A decimal bit set: what the member may do in the channel. */
  readonly permissions: string
}

export interface InteractionMember extends ResolvedMember {
  readonly user: InteractionUser
  readonly is_pending: boolean
  readonly mute: boolean
  readonly deaf: boolean
}

export interface InteractionRole {
  readonly id: string
  readonly name: string
  readonly color: number
  readonly colors: {
    readonly primary_color: number
    readonly secondary_color: number | null
    readonly tertiary_color: number | null
  }
  readonly hoist: boolean
  readonly position: number
  readonly permissions: string
  readonly managed: boolean
  readonly mentionable: boolean
  readonly flags: number
}

/** The part of a channel that interactions carry; any other of its fields may come along. */
export interface InteractionChannel {
  readonly id: string
  readonly type: ChannelType
  readonly name?: string | null
  readonly nsfw?: boolean
  readonly parent_id?: string | null
  readonly guild_id?: string
  readonly topic?: string | null
  readonly position?: number
}

export interface ResolvedChannel extends InteractionChannel {
  readonly name: string
  /** What the person may do in it. */
  readonly permissions: string
}

export interface InteractionAttachment {
  readonly id: string
  readonly filename: string
  /** Bytes. */
  readonly size: number
  readonly url: string
  readonly proxy_url: string
  readonly content_type?: string
}

export interface InteractionMessage {
  readonly id: string
  readonly channel_id: string
  readonly type: 0
  readonly content: string
  readonly author: InteractionUser
  /** ISO 8601. */
  readonly timestamp: string
  readonly edited_timestamp: string | null
  readonly tts: boolean
  readonly mention_everyone: boolean
  readonly mentions: readonly InteractionUser[]
  readonly mention_roles: readonly string[]
  readonly attachments: readonly InteractionAttachment[]
  readonly embeds: readonly object[]
  readonly pinned: boolean
  readonly flags: number
}

/** What the ids in an interaction stand for. Only the maps that apply are there. */
export interface Resolved {
  readonly users?: { readonly [id: string]: InteractionUser }
  /** A member always has its user in `users`; a user who is no member is not here. */
  readonly members?: { readonly [id: string]: ResolvedMember }
  readonly roles?: { readonly [id: string]: InteractionRole }
  readonly channels?: { readonly [id: string]: ResolvedChannel }
  readonly messages?: { readonly [id: string]: InteractionMessage }
  readonly attachments?: { readonly [id: string]: InteractionAttachment }
}

// --- Options ------------------------------------------------------------------------------------------------

interface Valued<Type extends OptionType, Value> {
  readonly name: string
  readonly type: Type
  readonly value: Value
}

/** An option that was filled in. Users, channels, roles, mentionables and attachments are given by their ids. */
export type FilledOption =
  | Valued<typeof OptionType.STRING, string>
  | Valued<typeof OptionType.INTEGER, number>
  | Valued<typeof OptionType.BOOLEAN, boolean>
  | Valued<typeof OptionType.USER, string>
  | Valued<typeof OptionType.CHANNEL, string>
  | Valued<typeof OptionType.ROLE, string>
  | Valued<typeof OptionType.MENTIONABLE, string>
  | Valued<typeof OptionType.NUMBER, number>
  | Valued<typeof OptionType.ATTACHMENT, string>

/** The option that is being typed: what stands there so far, as text even when it is to become a number. */
export interface FocusedOption {
  readonly name: string
  readonly type: typeof OptionType.STRING | typeof OptionType.INTEGER | typeof OptionType.NUMBER
  readonly value: string
  readonly focused: true
}

export interface SubcommandOf<Value> {
  readonly name: string
  readonly type: typeof OptionType.SUB_COMMAND
  /** Absent when none were filled in. */
  readonly options?: readonly Value[]
}

export interface SubcommandGroupOf<Value> {
  readonly name: string
  readonly type: typeof OptionType.SUB_COMMAND_GROUP
  readonly options: readonly SubcommandOf<Value>[]
}

export type OptionsTree<Value> = readonly (Value | SubcommandOf<Value> | SubcommandGroupOf<Value>)[]

// --- Data -----------------------------------------------------------------------------------------------------

interface CommandData<Type extends CommandType> {
  /** The command. */
  readonly id: string
  /** The default name, in whatever language the person used it (clause 2.10-07). */
  readonly name: string
  readonly type: Type
  /** Of a command that is not global, its guild. */
  readonly guild_id?: string
}

export interface ChatInputData extends CommandData<typeof CommandType.CHAT_INPUT> {
  /** Absent when there are none. */
  readonly options?: OptionsTree<FilledOption>
  readonly resolved?: Resolved
}

export interface UserCommandData extends CommandData<typeof CommandType.USER> {
  readonly target_id: string
  readonly resolved: Resolved & { readonly users: { readonly [id: string]: InteractionUser } }
}

export interface MessageCommandData extends CommandData<typeof CommandType.MESSAGE> {
  readonly target_id: string
  readonly resolved: { readonly messages: { readonly [id: string]: InteractionMessage } }
}

export type EntryPointData = CommandData<typeof CommandType.PRIMARY_ENTRY_POINT>

export interface AutocompleteData extends CommandData<typeof CommandType.CHAT_INPUT> {
  /** The version of the command the person has. */
  readonly version: string
  readonly options: OptionsTree<FilledOption | FocusedOption>
  readonly resolved?: Resolved
}

// --- Envelope -------------------------------------------------------------------------------------------------

interface Envelope<Type extends InteractionType> {
  readonly id: string
  readonly application_id: string
  readonly type: Type
  /** Good for 15 minutes; whoever has it can answer. */
  readonly token: string
  /** Always 1. */
  readonly version: 1
  readonly app_permissions: string
  readonly entitlements: readonly never[]
  /** `'0'`: the guild, or `'0'` in the DM with the app; `'1'`: the user who installed the app. */
  readonly authorizing_integration_owners: { readonly '0'?: string; readonly '1'?: string }
  /** Bytes. */
  readonly attachment_size_limit: number
}

interface Placed<Type extends InteractionType, Data> extends Envelope<Type> {
  readonly data: Data
  readonly context: InteractionContext
  /** Deprecated, and still sent. */
  readonly entitlement_sku_ids: readonly never[]
  readonly channel: InteractionChannel
  readonly channel_id: string
  /** The language of the person's client. */
  readonly locale: Locale
  /** In a guild only, as are `guild`, `guild_locale` and `member`. */
  readonly guild_id?: string
  readonly guild?: { readonly id: string; readonly features: readonly never[]; readonly locale: Locale }
  readonly guild_locale?: Locale
  readonly member?: InteractionMember
  /** Outside of guilds only, in place of `member`. */
  readonly user?: InteractionUser
}

export type PingInteraction = Envelope<typeof InteractionType.PING>
export type ChatInputInteraction = Placed<typeof InteractionType.APPLICATION_COMMAND, ChatInputData>
export type UserCommandInteraction = Placed<typeof InteractionType.APPLICATION_COMMAND, UserCommandData>
export type MessageCommandInteraction = Placed<typeof InteractionType.APPLICATION_COMMAND, MessageCommandData>
export type EntryPointInteraction = Placed<typeof InteractionType.APPLICATION_COMMAND, EntryPointData>

/** Somebody used a command (clause 6-02). */
export type CommandInteraction =
  ChatInputInteraction | UserCommandInteraction | MessageCommandInteraction | EntryPointInteraction

/** Somebody is typing in an option that has autocomplete (clause 6-03). */
export type AutocompleteInteraction = Placed<
  typeof InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE,
  AutocompleteData
>

/** What this library makes. */
export type Interaction = PingInteraction | CommandInteraction | AutocompleteInteraction

/** What may come from outside: a kind of interaction, a type of command or fields this library does not know. */
export interface AnyInteraction {
  readonly id: string
  readonly application_id: string
  readonly type: number
  readonly token: string
  readonly data?: unknown
}

/** Whether this is the service asking whether an endpoint is there. */
export function isPing(interaction: AnyInteraction): interaction is PingInteraction {
  return interaction.type === InteractionType.PING
}

/** Whether somebody used a command. Its type may be one this library does not know. */
export function isCommandInteraction(interaction: AnyInteraction): interaction is CommandInteraction {
  return interaction.type === InteractionType.APPLICATION_COMMAND && isObject(interaction.data)
}

/** Whether somebody is typing in an option that has autocomplete. */
export function isAutocompleteInteraction(
  interaction: AnyInteraction,
): interaction is AutocompleteInteraction {
  return interaction.type === InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE && isObject(interaction.data)
}
