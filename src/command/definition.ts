/**
 * What a definition is after reading: wire names, defaults filled, nothing unknown, frozen. What a command is
 * once registered adds what only the service knows.
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

/** What a body has under the keys of a definition, before it is read; absent keys are `undefined`. */
export type Fields<T> = { -readonly [Key in keyof T]-?: unknown }

/** Texts by locale; any subset of the locales. */
export type Localizations = { readonly [Key in Locale]?: string }

export interface CommandChoice {
  readonly name: string
  readonly name_localizations: Localizations | null
  /** A string for STRING options, a number for INTEGER and NUMBER. */
  readonly value: string | number
}

/** An option, subcommand or group. Beside the texts it carries only the keys that were set to something. */
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
  /** Only in items of a bulk overwrite: the command this one replaces. */
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
  /** Deprecated; present only when it is false and so says something. */
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

/** A registered command, with the keys the service answers (clause 2.1-21). */
export interface ApplicationCommand extends Omit<CommandDefinition, 'id'> {
  readonly id: string
  readonly application_id: string
  /** Present exactly when the command is not global. */
  readonly guild_id?: string
  /** A snowflake that grows whenever the command changes. */
  readonly version: string
}
