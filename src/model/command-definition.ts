/** The types of a command: as authors write it (a body), as it was read (a definition), and as it was registered. */
import { isObject } from '../core/json.ts'
import type { Locale } from './locales.ts'
import {
  CommandType,
  type ChannelType,
  type HandlerType,
  type IntegrationType,
  type InteractionContext,
  type OptionType,
} from './command-types.ts'

/** A definition while it is read. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Texts by locale; any subset of the locales. */
export type Localizations = { readonly [Key in Locale]?: string }

/** What a localized list has in place of the dictionary of a name. */
export interface ListedName {
  /** Absent if the dictionary lacks the locale: a list has no fallback. */
  readonly name_localized?: string
}

export interface ListedTexts extends ListedName {
  /** Absent if the dictionary lacks the locale. */
  readonly description_localized?: string
}

/** A choice of an option. */
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
  /** Whether the user must give a value. */
  readonly required?: boolean
  /** The only allowed values. */
  readonly choices?: readonly CommandChoice[]
  /** The options of a subcommand, or the subcommands of a group. */
  readonly options?: readonly CommandOption[]
  /** The allowed types of channels; absent for all. */
  readonly channel_types?: readonly ChannelType[]
  /** The allowed types of files, in lower case: `image`, `video`, `audio` and extensions; absent for all. */
  readonly file_types?: readonly string[]
  /** The smallest allowed number. */
  readonly min_value?: number
  /** The largest allowed number. */
  readonly max_value?: number
  /** The smallest allowed number of characters. */
  readonly min_length?: number
  /** The largest allowed number of characters. */
  readonly max_length?: number
  /** Whether the app suggests values. */
  readonly autocomplete?: boolean
}

/** A command as it was read, with defaults filled. */
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
  /** Whether the command is age-restricted. */
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

/** Texts by locale. Client libraries allow keys without a text. */
export type LocalizationsBody = { readonly [Key in Locale]?: string | null | undefined }

/** A choice, as the body of a create has it. */
export interface ChoiceBody {
  readonly name: string
  /** The translations of the name. */
  readonly name_localizations?: LocalizationsBody | null | undefined
  /** A string for STRING options, a number for INTEGER and NUMBER. */
  readonly value: string | number
}

/** An option, subcommand or group, as the body of a create has it. */
export interface OptionBody {
  readonly type: OptionType
  readonly name: string
  /** The translations of the name. */
  readonly name_localizations?: LocalizationsBody | null | undefined
  readonly description: string
  /** The translations of the description. */
  readonly description_localizations?: LocalizationsBody | null | undefined
  /** Default false. */
  readonly required?: boolean | undefined
  /** The only allowed values. */
  readonly choices?: readonly ChoiceBody[] | undefined
  /** The options of a subcommand, or the subcommands of a group. */
  readonly options?: readonly OptionBody[] | undefined
  /** The allowed types of channels. */
  readonly channel_types?: readonly ChannelType[] | undefined
  /** At most 10 of `image`, `video`, `audio` and extensions such as `.pdf`. */
  readonly file_types?: readonly string[] | undefined
  /** The smallest allowed number. */
  readonly min_value?: number | undefined
  /** The largest allowed number. */
  readonly max_value?: number | undefined
  /** In characters, 0 to 6000. */
  readonly min_length?: number | undefined
  /** In characters, 1 to 6000. */
  readonly max_length?: number | undefined
  /** Default false. */
  readonly autocomplete?: boolean | undefined
}

/** A command, as the body of a create has it. Read definitions and registered commands are such bodies too. */
export interface CommandBody {
  /** Default CHAT_INPUT. */
  readonly type?: CommandType | undefined
  readonly name: string
  /** The translations of the name. */
  readonly name_localizations?: LocalizationsBody | null | undefined
  /** The default description; empty or absent for user and message commands. */
  readonly description?: string | null | undefined
  /** The translations of the description. */
  readonly description_localizations?: LocalizationsBody | null | undefined
  /** The options of a slash command. */
  readonly options?: readonly OptionBody[] | undefined
  /** A bit set as decimal digits, as `permissions('BAN_MEMBERS')` gives it, or as a number; null for everyone. */
  readonly default_member_permissions?: string | number | bigint | null | undefined
  /** Whether the command is age-restricted. Default false. */
  readonly nsfw?: boolean | undefined
  /** Deprecated: use `default_member_permissions`. */
  readonly default_permission?: boolean | undefined
  /** Deprecated: use `contexts`. */
  readonly dm_permission?: boolean | null | undefined
  /** Null: not set, which behaves as GUILD and BOT_DM. */
  readonly contexts?: readonly InteractionContext[] | null | undefined
  /** How the app must be installed. Default: every way the app supports. */
  readonly integration_types?: readonly IntegrationType[] | undefined
  /** How an entry point command is handled. */
  readonly handler?: HandlerType | undefined
}

/** The type and the name of a command, which are unique in a scope (clause 4.2-07). @param body may be invalid */
export function commandKey(body: unknown): string {
  const { type, name } = isObject(body) ? body : {}
  return `${String(type ?? CommandType.CHAT_INPUT)} ${String(name)}`
}
