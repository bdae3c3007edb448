/** Definitions for tests: the smallest of every kind, with the given fields, and a set of sample commands. */
import { demandObject } from '../../core/rules/arguments.ts'
import { defineCommand } from '../../commands/definition/define.ts'
import type { CommandBody, OptionBody } from '../../model/command-definition.ts'
import {
  ChannelType,
  CommandType,
  HandlerType,
  InteractionContext,
  OptionType,
} from '../../model/command-types.ts'
import { deepFreeze } from '../../core/freeze.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'

const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType
const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, BOOLEAN, CHANNEL, ROLE } = OptionType

type Some<Body, Without extends keyof Body> = { readonly [Key in Exclude<keyof Body, Without>]?: Body[Key] }

/** The fields of a slash command besides its type. */
export type SlashFields = Some<CommandBody, 'type' | 'handler'>
/** The fields of a user or message command besides its type. */
export type ContextMenuFields = Some<
  CommandBody,
  'type' | 'handler' | 'options' | 'description' | 'description_localizations'
>
/** The fields of an entry point command besides its type. */
export type EntryPointFields = Some<CommandBody, 'type' | 'options'>
/** The fields of an option besides its type. */
export type OptionFields = Some<OptionBody, 'type'>

type Flat<T> = { readonly [Key in keyof T]: T[Key] }

/** The defaults, replaced by the given fields with their literal types. */
export type With<Defaults, Given> = Flat<
  Omit<Defaults, keyof Given> &
    Pick<Given, Exclude<keyof Given, keyof Defaults>> & {
      readonly [Key in keyof Defaults & keyof Given]: {} extends Pick<Given, Key>
        ? Defaults[Key] | Exclude<Given[Key], undefined>
        : Given[Key]
    }
>

/** A function that creates a valid object; given fields replace its defaults and keep their literal types. */
export interface Builder<Defaults, Fields> {
  (): Defaults
  <const Given extends Fields>(given: Given): With<Defaults, Given>
}

/* @__NO_SIDE_EFFECTS__ */
function builder<const Defaults extends object, Fields>(defaults: Defaults): Builder<Defaults, Fields> {
  deepFreeze(defaults)
  const build = (given?: Fields) => {
    if (given !== undefined) demandObject(given, 'given')
    return { ...defaults, ...given }
  }
  return build as Builder<Defaults, Fields>
}

// --- Commands -------------------------------------------------------------------------------------------------

const slash = { type: CHAT_INPUT, name: 'command', description: 'A command' } as const
const user = { type: USER, name: 'User command' } as const
const message = { type: MESSAGE, name: 'Message command' } as const
const launch = { type: PRIMARY_ENTRY_POINT, name: 'Launch', handler: HandlerType.APP_HANDLER } as const

/**
 * A slash command.
 *
 * @example slashCommand({ name: 'roll', options: [option.integer({ name: 'sides', required: true })] })
 */
export const slashCommand: Builder<typeof slash, SlashFields> = /* @__PURE__ */ builder(slash)

/** A user command. */
export const userCommand: Builder<typeof user, ContextMenuFields> = /* @__PURE__ */ builder(user)

/** A message command. */
export const messageCommand: Builder<typeof message, ContextMenuFields> = /* @__PURE__ */ builder(message)

/** An entry point command that the app handles. */
export const entryPoint: Builder<typeof launch, EntryPointFields> = /* @__PURE__ */ builder(launch)

// --- Options --------------------------------------------------------------------------------------------------

/* @__NO_SIDE_EFFECTS__ */
function optionDefaults<const Type extends OptionType, const Name extends string>(type: Type, name: Name) {
  return { type, name, description: 'An option' } as const
}

/* @__NO_SIDE_EFFECTS__ */
function optionBuilder<const Defaults extends object>(defaults: Defaults): Builder<Defaults, OptionFields> {
  return builder(defaults)
}

const subcommand = /* @__PURE__ */ optionDefaults(SUB_COMMAND, 'subcommand')

/**
 * An option of each type, named after it. Give two options of one type different names to use them in one list.
 *
 * @example option.string({ name: 'query', required: true, autocomplete: true })
 */
export const option = /* @__PURE__ */ Object.freeze({
  string: /* @__PURE__ */ optionBuilder(optionDefaults(STRING, 'string')),
  integer: /* @__PURE__ */ optionBuilder(optionDefaults(INTEGER, 'integer')),
  number: /* @__PURE__ */ optionBuilder(optionDefaults(OptionType.NUMBER, 'number')),
  boolean: /* @__PURE__ */ optionBuilder(optionDefaults(BOOLEAN, 'boolean')),
  user: /* @__PURE__ */ optionBuilder(optionDefaults(OptionType.USER, 'user')),
  channel: /* @__PURE__ */ optionBuilder(optionDefaults(CHANNEL, 'channel')),
  role: /* @__PURE__ */ optionBuilder(optionDefaults(ROLE, 'role')),
  mentionable: /* @__PURE__ */ optionBuilder(optionDefaults(OptionType.MENTIONABLE, 'mentionable')),
  attachment: /* @__PURE__ */ optionBuilder(optionDefaults(OptionType.ATTACHMENT, 'attachment')),
  /** A subcommand without options. */
  subcommand: /* @__PURE__ */ optionBuilder(subcommand),
  /** Has one subcommand, because clients do not show empty groups. */
  subcommandGroup: /* @__PURE__ */ optionBuilder({
    ...optionDefaults(SUB_COMMAND_GROUP, 'group'),
    options: [subcommand],
  }),
})

// --- A set ----------------------------------------------------------------------------------------------------

const role = { type: ROLE, name: 'role', description: 'Which one', required: true } as const

/* @__NO_SIDE_EFFECTS__ */
function createSampleCommands() {
  return [
    defineCommand({
      name: 'search',
      name_localizations: { de: 'suche', fr: 'recherche' },
      description: 'Searches the messages of a channel',
      description_localizations: { de: 'Durchsucht die Nachrichten eines Kanals' },
      options: [
        {
          type: STRING,
          name: 'query',
          name_localizations: { de: 'anfrage' },
          description: 'What to look for',
          required: true,
          min_length: 2,
          autocomplete: true,
        },
        {
          type: CHANNEL,
          name: 'channel',
          name_localizations: { de: 'kanal' },
          description: 'Where to look, if not here',
          channel_types: [ChannelType.GUILD_TEXT, ChannelType.GUILD_ANNOUNCEMENT],
        },
        {
          type: STRING,
          name: 'order',
          description: 'Which come first',
          choices: [
            { name: 'Latest first', name_localizations: { de: 'Neueste zuerst' }, value: 'latest' },
            { name: 'Best match first', value: 'best' },
          ],
        },
        { type: INTEGER, name: 'limit', description: 'How many to show', min_value: 1, max_value: 25 },
      ],
    }),
    defineCommand({
      name: 'settings',
      description: 'What the bot does on this server',
      default_member_permissions: String(PermissionFlag.MANAGE_GUILD),
      contexts: [InteractionContext.GUILD],
      options: [
        {
          type: SUB_COMMAND_GROUP,
          name: 'helpers',
          description: 'The roles that may help',
          options: [
            { type: SUB_COMMAND, name: 'add', description: 'Lets a role help', options: [role] },
            { type: SUB_COMMAND, name: 'remove', description: 'Lets a role help no longer', options: [role] },
          ],
        },
        {
          type: SUB_COMMAND,
          name: 'welcome',
          description: 'Greets those who join',
          options: [
            { type: BOOLEAN, name: 'enabled', description: 'Whether to greet', required: true },
            { type: STRING, name: 'text', description: 'What to say', max_length: 200 },
          ],
        },
      ],
    }),
    defineCommand({ type: USER, name: 'Report', name_localizations: { de: 'Melden' } }),
    defineCommand({
      type: MESSAGE,
      name: 'Pin for later',
      default_member_permissions: String(PermissionFlag.MANAGE_MESSAGES),
    }),
    defineCommand({ type: PRIMARY_ENTRY_POINT, name: 'Launch', handler: HandlerType.APP_HANDLER }),
  ] as const
}

/**
 * The global commands of a small bot, valid together: `/search` with localizations, autocomplete and choices,
 * `/settings` with a group and subcommands for those who manage the guild, a user command, a message command and
 * an entry point. Future versions keep the first five and may add others.
 */
export const sampleCommands = /* @__PURE__ */ deepFreeze(/* @__PURE__ */ createSampleCommands())
