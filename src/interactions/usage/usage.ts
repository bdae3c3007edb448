/** The types of the input of a command, computed from its definition. */
import type { ChoiceBody, CommandBody, OptionBody } from '../../model/command-definition.ts'
import type { OptionType } from '../../model/command-types.ts'

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

/** With choices, one of their values (clause 2.6-03); otherwise any value of the type. */
type ValueOf<Option extends OptionBody> = Option extends {
  readonly choices: readonly [infer First extends ChoiceBody, ...infer Rest extends readonly ChoiceBody[]]
}
  ? First['value'] | Rest[number]['value']
  : Option['type'] extends keyof ValueByType
    ? ValueByType[Option['type']]
    : OptionValue

type Flat<T> = { readonly [Key in keyof T]: T[Key] }

type Required = { readonly required: true }

/** The values of one list of options; any values if the items are unknown. */
type ValuesOf<Options> = Options extends readonly OptionBody[]
  ? number extends Options['length']
    ? { readonly [name: string]: OptionValue }
    : Flat<
        { readonly [Option in Extract<Options[number], Required> as Option['name']]: ValueOf<Option> } & {
          readonly [Option in Exclude<Options[number], Required> as Option['name']]?: ValueOf<Option>
        }
      >
  : {}

/** One way to use a command: a subcommand, or `null` for a command without subcommands. */
export interface Usage<Subcommand extends string | null, Path extends readonly string[], Values> {
  /** The names below the command, with spaces between: `'user get'`. Null for a command without subcommands. */
  readonly subcommand: Subcommand
  /** The same names as a list. */
  readonly path: Path
  /** The values by default name; absent options are missing. The object has no prototype. */
  readonly values: Values
}

type OptionsField<Holder> = Holder extends { readonly options?: infer Options }
  ? 'options' extends keyof Holder
    ? NonNullable<Options>
    : readonly []
  : readonly []

/** One way to use a command, with its list of options. */
interface Way<Path extends readonly string[], Options> {
  readonly path: Path
  readonly options: Options
}

/** Every way to use a command; any if the literal types are unknown. */
type WaysOf<Command> =
  OptionsField<Command> extends infer Options extends readonly OptionBody[]
    ? number extends Options['length']
      ? Way<readonly string[], readonly OptionBody[]>
      : Options extends readonly [
            { readonly type: Kinds['SUB_COMMAND'] | Kinds['SUB_COMMAND_GROUP'] },
            ...unknown[],
          ]
        ? WaysBelow<[], Options>
        : Way<readonly [], Options>
    : never

/** The subcommands in a list of options, and in its groups. */
type WaysBelow<Above extends readonly string[], Options extends readonly unknown[]> = {
  [Index in keyof Options]: Options[Index] extends OptionBody
    ? Options[Index] extends { readonly type: Kinds['SUB_COMMAND'] }
      ? Way<readonly [...Above, Options[Index]['name']], OptionsField<Options[Index]>>
      : OptionsField<Options[Index]> extends infer Inner extends readonly unknown[]
        ? WaysBelow<[...Above, Options[Index]['name']], Inner>
        : never
    : never
}[number]

/** A path as text; null for none or if it is unknown. */
type Joined<Path extends readonly string[]> = Path extends readonly []
  ? null
  : Path extends readonly [infer Only extends string]
    ? Only
    : Path extends readonly [infer Group extends string, infer Subcommand extends string]
      ? `${Group} ${Subcommand}`
      : string | null

type UsageOfWay<One> =
  One extends Way<infer Path, infer Options> ? Usage<Joined<Path>, Path, ValuesOf<Options>> : never

/** Every way to use a command, with its values: a union, discriminated by `subcommand`. */
export type UsageOf<Command extends CommandBody> = UsageOfWay<WaysOf<Command>>

/**
 * The values of a command's options by name: choices as a union of their values, options that are not required as
 * optional keys. For a command with subcommands, the union of their values.
 */
export type OptionsOf<Command extends CommandBody> = UsageOf<Command>['values']

// --- From a definition to what a person can enter -------------------------------------------------------------

/** The names of the options with autocomplete. */
type Suggesting<Options> = Options extends readonly OptionBody[]
  ? number extends Options['length']
    ? string
    : Extract<Options[number], { readonly autocomplete: true }>['name']
  : never

type SubcommandField<Path extends readonly string[]> =
  Joined<Path> extends infer Subcommand extends string
    ? { readonly subcommand: Subcommand }
    : { readonly subcommand?: Exclude<Joined<Path>, null> }

/** Values of a use: those that are not required may also be undefined. */
type Entered<Values> = {
  readonly [Key in keyof Values]: {} extends Pick<Values, Key> ? Values[Key] | undefined : Values[Key]
}

type OptionsToUse<Values> = [keyof Values] extends [never]
  ? { readonly options?: { readonly [name: string]: never } }
  : {} extends Values
    ? { readonly options?: Entered<Values> }
    : { readonly options: Entered<Values> }

type UseOfWay<One> =
  One extends Way<infer Path, infer Options>
    ? Flat<SubcommandField<Path> & OptionsToUse<ValuesOf<Options>> & { readonly focused?: undefined }>
    : never

/** Values in autocomplete: any may be missing, and that of the focused option is a text. */
type Typed<Values, Names> = {
  readonly [Key in keyof Values]?: Values[Key] | (Key extends Names ? string : never) | undefined
}

type TypingOfWay<One> =
  One extends Way<infer Path, infer Options>
    ? Flat<
        SubcommandField<Path> & {
          readonly options?: Typed<ValuesOf<Options>, Suggesting<Options>>
          readonly focused: Suggesting<Options>
        }
      >
    : never

/** The target: a command of unknown type may have a user or a message. */
type TargetField<Command> = 'type' extends keyof Command
  ? Command extends { readonly type: 1 }
    ? { readonly target?: undefined }
    : { readonly target?: string }
  : { readonly target?: undefined }

/** The input of a command: its subcommand and values, or the id of the target. */
export type UseOf<Command> = Command extends { readonly type: 2 | 3 }
  ? {
      readonly target: string
      readonly subcommand?: undefined
      readonly options?: undefined
      readonly focused?: undefined
    }
  : Command extends { readonly type: 4 }
    ? { readonly subcommand?: undefined; readonly options?: undefined; readonly focused?: undefined }
    : UseOfWay<WaysOf<Command>> & TargetField<Command>

/** The input of a slash command in autocomplete. */
export type TypingOf<Command> = TypingOfWay<WaysOf<Command>>

// --- The arguments of functions that take a use -----------------------------------------------------------------

/** The input of a definition; `Any` for one of which the compiler does not know the literal types. */
export type InputOf<Command, Use, Any> = [Command] extends [never]
  ? Any
  : Command extends { readonly name: infer Name }
    ? string extends Name
      ? Any
      : Use
    : Any

/** By the name of the option that a person is typing in: undefined for a use, `string` for both. */
export type ByFocus<Focus, Used, Typed> = [Focus] extends [undefined]
  ? Used
  : string extends Focus
    ? Used | Typed
    : Typed

/** The last argument of a function, which may be absent if nothing in it is required. */
export type Rest<Request> = {} extends Request ? [request?: Request] : [request: Request]
