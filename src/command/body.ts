/** Bodies of commands, as authors and client libraries write them, before they are read. */
import type { Locale } from '../locale/locales.ts'
import type {
  ChannelType,
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
  OptionType,
} from './types.ts'

/** Texts by locale. Client libraries allow keys without a text. */
export type LocalizationsBody = { readonly [Key in Locale]?: string | null | undefined }

/** A choice, as the body of a create has it. */
export interface ChoiceBody {
  /** The name that users see by default. */
  readonly name: string
  /** The translations of the name. */
  readonly name_localizations?: LocalizationsBody | null | undefined
  /** A string for STRING options, a number for INTEGER and NUMBER. */
  readonly value: string | number
}

/** An option, subcommand or group, as the body of a create has it. */
export interface OptionBody {
  /** The type of the option. */
  readonly type: OptionType
  /** The default name. */
  readonly name: string
  /** The translations of the name. */
  readonly name_localizations?: LocalizationsBody | null | undefined
  /** The default description. */
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
  /** The default name. */
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
