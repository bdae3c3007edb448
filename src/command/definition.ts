/**
 * Definitions after reading: wire names, defaults filled, only known keys, frozen. Registered commands also have the
 * fields of the service.
 */
import type { Locale } from '../locale/locales.ts'
import type {
  ChannelType,
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
  OptionType,
} from './types.ts'

/** The values of a body under the keys of a definition, before they are read; absent ones are `undefined`. */
export type Fields<T> = { -readonly [Key in keyof T]-?: unknown }

/** Texts by locale; any subset of the locales. */
export type Localizations = { readonly [Key in Locale]?: string }

export interface CommandChoice {
  readonly name: string
  readonly name_localizations: Localizations | null
  /** A string for STRING options, a number for INTEGER and NUMBER. */
  readonly value: string | number
}

/** An option, subcommand or group. It has its texts, and of the other fields only those that were set. */
export interface CommandOption {
  readonly type: OptionType
  readonly name: string
  readonly name_localizations: Localizations | null
  readonly description: string
  readonly description_localizations: Localizations | null
  readonly required?: boolean
  readonly choices?: readonly CommandChoice[]
  readonly options?: readonly CommandOption[]
  readonly channel_types?: readonly ChannelType[]
  readonly min_value?: number
  readonly max_value?: number
  readonly min_length?: number
  readonly max_length?: number
  readonly autocomplete?: boolean
}

export interface CommandDefinition {
  /** The command to replace; only in items of a bulk overwrite. */
  readonly id?: string
  readonly type: CommandType
  readonly name: string
  readonly name_localizations: Localizations | null
  /** `''` for USER and MESSAGE commands. */
  readonly description: string
  readonly description_localizations: Localizations | null
  /** Absent when there are none. */
  readonly options?: readonly CommandOption[]
  /** A canonical decimal bit set; `'0'` for administrators only; null for everyone. */
  readonly default_member_permissions: string | null
  readonly nsfw: boolean
  /** Deprecated; present only when it is false, because true has no effect. */
  readonly default_permission?: false
  /** Deprecated; global commands only. */
  readonly dm_permission?: boolean
  /** Global commands only; null when never set, which behaves as GUILD and BOT_DM. */
  readonly contexts?: readonly InteractionContext[] | null
  /** Global commands only. */
  readonly integration_types?: readonly IntegrationType[]
  /** PRIMARY_ENTRY_POINT commands of apps that have an Activity only. */
  readonly handler?: HandlerType
}

/** A registered command, with the fields of a response (clause 2.1-21). */
export interface ApplicationCommand extends Omit<CommandDefinition, 'id'> {
  readonly id: string
  readonly application_id: string
  /** The guild; absent for a global command. */
  readonly guild_id?: string
  /** A snowflake that increases with every change of the command. */
  readonly version: string
}
