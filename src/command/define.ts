/** Definitions as authors write them, with their literal types kept, and the types of the values they ask for. */
import type { Localizations } from './definition.ts'
import type {
  ChannelType,
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
  OptionType,
} from './kinds.ts'

export interface ChoiceBody {
  readonly name: string
  readonly name_localizations?: Localizations | null
  readonly value: string | number
}

/** An option, subcommand or group, as the body of a create has it. */
export interface OptionBody {
  readonly type: OptionType
  readonly name: string
  readonly name_localizations?: Localizations | null
  readonly description: string
  readonly description_localizations?: Localizations | null
  readonly required?: boolean
  readonly choices?: readonly ChoiceBody[]
  readonly options?: readonly OptionBody[]
  readonly channel_types?: readonly ChannelType[]
  readonly min_value?: number
  readonly max_value?: number
  readonly min_length?: number
  readonly max_length?: number
  readonly autocomplete?: boolean
}

/** A command, as the body of a create has it. Read definitions and registered commands are such bodies too. */
export interface CommandBody {
  readonly type?: CommandType
  readonly name: string
  readonly name_localizations?: Localizations | null
  readonly description?: string
  readonly description_localizations?: Localizations | null
  readonly options?: readonly OptionBody[]
  readonly default_member_permissions?: string | null
  readonly nsfw?: boolean
  readonly default_permission?: boolean
  readonly dm_permission?: boolean
  readonly contexts?: readonly InteractionContext[] | null
  readonly integration_types?: readonly IntegrationType[]
  readonly handler?: HandlerType
}

/**
 * A definition with its literal types kept, so that `OptionsOf` and `readOptions` know its options. It is given
 * back as it is: `validateCommand` and the registry check it.
 */
export function defineCommand<const Command extends CommandBody>(definition: Command): Command {
  return definition
}

/** A value of an option. Users, channels, roles, mentionables and attachments are ids. */
export type OptionValue = string | number | boolean

// --- From a definition to the types of its values -------------------------------------------------------------

type Kinds = typeof OptionType

interface ValueByType {
  readonly 3: string
  readonly 4: number
  readonly 5: boolean
  readonly 6: string
  readonly 7: string
  readonly 8: string
  readonly 9: string
  readonly 10: number
  readonly 11: string
}

/** With choices, one of them (clause 2.6-03); else whatever the type takes. */
type ValueOf<Option extends OptionBody> = Option extends {
  readonly choices: readonly [infer First extends ChoiceBody, ...infer Rest extends readonly ChoiceBody[]]
}
  ? First['value'] | Rest[number]['value']
  : Option['type'] extends keyof ValueByType
    ? ValueByType[Option['type']]
    : OptionValue

type Flat<T> = { readonly [Key in keyof T]: T[Key] }

type Required<Option extends OptionBody> = Option extends { readonly required: true } ? Option : never
type Optional<Option extends OptionBody> = Option extends { readonly required: true } ? never : Option

/** The values of one list of options. Of a list whose items are not known: any values. */
type ValuesOf<Options> = Options extends readonly OptionBody[]
  ? number extends Options['length']
    ? { readonly [name: string]: OptionValue }
    : Flat<
        { readonly [Option in Required<Options[number]> as Option['name']]: ValueOf<Option> } & {
          readonly [Option in Optional<Options[number]> as Option['name']]?: ValueOf<Option>
        }
      >
  : {}

/** One way to use a command: by a subcommand, or, of a command without any, by itself (`null`). */
export interface Usage<Subcommand extends string | null, Path extends readonly string[], Values> {
  /** The names below the command, with spaces between: `'user get'`. Null for a command without subcommands. */
  readonly subcommand: Subcommand
  /** The same names as a list. */
  readonly path: Path
  /** By default name; what was not filled in is absent. Has no prototype. */
  readonly values: Values
}

type OptionsField<Holder> = Holder extends { readonly options?: infer Options }
  ? 'options' extends keyof Holder
    ? NonNullable<Options>
    : readonly []
  : readonly []

type SubcommandUsage<Option extends OptionBody> = Option extends { readonly type: Kinds['SUB_COMMAND'] }
  ? Usage<Option['name'], readonly [Option['name']], ValuesOf<OptionsField<Option>>>
  : Option extends { readonly type: Kinds['SUB_COMMAND_GROUP'] }
    ? GroupUsage<Option['name'], OptionsField<Option>>
    : never

type GroupUsage<Group extends string, Options> = Options extends readonly OptionBody[]
  ? { [Index in keyof Options]: GroupedUsage<Group, Options[Index]> }[number]
  : never

type GroupedUsage<Group extends string, Option> = Option extends OptionBody
  ? Usage<`${Group} ${Option['name']}`, readonly [Group, Option['name']], ValuesOf<OptionsField<Option>>>
  : never

type IsNested<Options> = Options extends readonly [infer First, ...unknown[]]
  ? First extends { readonly type: Kinds['SUB_COMMAND'] | Kinds['SUB_COMMAND_GROUP'] }
    ? true
    : false
  : false

/**
 * Every way to use a command, with the values each takes: a union to be told apart by `subcommand`. Of a
 * definition whose literal types are not known, any.
 */
export type UsageOf<Command extends CommandBody> =
  OptionsField<Command> extends infer Options
    ? Options extends readonly OptionBody[]
      ? number extends Options['length']
        ? Usage<string | null, readonly string[], { readonly [name: string]: OptionValue }>
        : IsNested<Options> extends true
          ? {
              [Index in keyof Options]: Options[Index] extends OptionBody
                ? SubcommandUsage<Options[Index]>
                : never
            }[number]
          : Usage<null, readonly [], ValuesOf<Options>>
      : Usage<null, readonly [], {}>
    : never

/**
 * The values of a command's options, by name: choices as a union of their values, options that are not required
 * as optional keys. Of a command with subcommands, the union of what each of them takes.
 */
export type OptionsOf<Command extends CommandBody> = UsageOf<Command>['values']
