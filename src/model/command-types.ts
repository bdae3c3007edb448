/** The enumerations of commands, and the fields that each type of option allows. */
import type { Range } from '../core/rules/rule.ts'

/** The types of commands. */
export const CommandType = Object.freeze({
  /** A slash command, which the user types. */
  CHAT_INPUT: 1,
  /** A command in the context menu of a user. */
  USER: 2,
  /** A command in the context menu of a message. */
  MESSAGE: 3,
  /** The command that launches the app's Activity. */
  PRIMARY_ENTRY_POINT: 4,
})
export type CommandType = (typeof CommandType)[keyof typeof CommandType]

/** The types of options. */
export const OptionType = Object.freeze({
  /** A subcommand, which holds value options. */
  SUB_COMMAND: 1,
  /** A group, which holds subcommands. */
  SUB_COMMAND_GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  /** A user. */
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  /** A user or a role. */
  MENTIONABLE: 9,
  /** A number, also with decimals. */
  NUMBER: 10,
  ATTACHMENT: 11,
})
export type OptionType = (typeof OptionType)[keyof typeof OptionType]

/** Whether a type of option is SUB_COMMAND or SUB_COMMAND_GROUP. */
export function isNesting(type: unknown): boolean {
  return type === OptionType.SUB_COMMAND || type === OptionType.SUB_COMMAND_GROUP
}

/** What happens when an entry point command is used (clauses 2.3-01, 2.3-03). */
export const HandlerType = Object.freeze({
  /** The app gets an interaction and answers it. */
  APP_HANDLER: 1,
  /** The service launches the Activity without the app. */
  SERVICE_LAUNCH_ACTIVITY: 2,
})
export type HandlerType = (typeof HandlerType)[keyof typeof HandlerType]

/** The types of channels. */
export const ChannelType = Object.freeze({
  GUILD_TEXT: 0,
  /** A direct message between two users. */
  DM: 1,
  GUILD_VOICE: 2,
  /** A direct message between several users. */
  GROUP_DM: 3,
  /** A category, which holds other channels. */
  GUILD_CATEGORY: 4,
  /** A channel whose messages other servers can follow. */
  GUILD_ANNOUNCEMENT: 5,
  /** A thread in an announcement channel. */
  ANNOUNCEMENT_THREAD: 10,
  /** A thread in a text or forum channel. */
  PUBLIC_THREAD: 11,
  /** A thread that only invited members and moderators can view. */
  PRIVATE_THREAD: 12,
  /** A voice channel for events with an audience. */
  GUILD_STAGE_VOICE: 13,
  /** The list of servers of a hub. */
  GUILD_DIRECTORY: 14,
  /** A channel that can only hold threads. */
  GUILD_FORUM: 15,
  /** A channel that can only hold threads with media. */
  GUILD_MEDIA: 16,
})
export type ChannelType = (typeof ChannelType)[keyof typeof ChannelType]

/** Where an app is installed. */
export const IntegrationType = Object.freeze({
  GUILD_INSTALL: 0,
  /** The app is installed to a user, who takes it everywhere. */
  USER_INSTALL: 1,
})
export type IntegrationType = (typeof IntegrationType)[keyof typeof IntegrationType]

/** Where a command can be used. */
export const InteractionContext = Object.freeze({
  GUILD: 0,
  /** In a direct message with the app's bot. */
  BOT_DM: 1,
  /** In other direct messages and in groups. */
  PRIVATE_CHANNEL: 2,
})
export type InteractionContext = (typeof InteractionContext)[keyof typeof InteractionContext]

/** The words for the types of commands in messages. */
export const commandTypeNames: { readonly [Type in CommandType]: string } = {
  1: 'slash',
  2: 'user',
  3: 'message',
  4: 'entry point',
}

/** The fields that a type of option allows, besides name and description. */
export interface OptionTraits {
  /** The name in the specification. */
  readonly name: keyof typeof OptionType
  /** Nested options: the subcommands of a group, or the options of a subcommand. */
  readonly options: boolean
  /** A value of the user, which may be required. */
  readonly value: boolean
  /** Choices and autocomplete. */
  readonly choices: boolean
  readonly channelTypes: boolean
  readonly fileTypes: boolean
  /** `min_value` and `max_value` within this range; null if they are not allowed. */
  readonly range: Range | null
  /** `min_length` and `max_length`. */
  readonly length: boolean
}

const plain = {
  options: false,
  value: true,
  choices: false,
  channelTypes: false,
  fileTypes: false,
  range: null,
  length: false,
}
const nesting = { ...plain, options: true, value: false }

/** Clause 2.5-01: any integer from -2^53 + 1 to 2^53 - 1. */
export const integerRange: Range = { integer: true, min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }
/** Clause 2.5-02: any double from -2^53 to 2^53. */
export const numberRange: Range = { integer: false, min: -(2 ** 53), max: 2 ** 53 }

/** One row for each type of option. Rules use this table, so that a new type is one new row. */
const traitsByName: Readonly<Record<keyof typeof OptionType, Omit<OptionTraits, 'name'>>> = {
  SUB_COMMAND: nesting,
  SUB_COMMAND_GROUP: nesting,
  STRING: { ...plain, choices: true, length: true },
  INTEGER: { ...plain, choices: true, range: integerRange },
  BOOLEAN: plain,
  USER: plain,
  CHANNEL: { ...plain, channelTypes: true },
  ROLE: plain,
  MENTIONABLE: plain,
  NUMBER: { ...plain, choices: true, range: numberRange },
  ATTACHMENT: { ...plain, fileTypes: true },
}

/** The rows by type; undefined for an unknown type. */
export const optionTraits: readonly (OptionTraits | undefined)[] = /* @__PURE__ */ traitsByType()

function traitsByType(): readonly (OptionTraits | undefined)[] {
  const rows: (OptionTraits | undefined)[] = []
  for (const name of Object.keys(traitsByName) as (keyof typeof OptionType)[])
    rows[OptionType[name]] = Object.freeze({ name, ...traitsByName[name] })
  return Object.freeze(rows)
}
