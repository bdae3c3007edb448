/**
 * `defineCommand`: the compiler reports mistakes at the property that has them.
 *
 * The definition is inferred through the branch of the parameter's type that is never taken, so that the parameter
 * resolves to plain interfaces such as `SlashCommand<[StringOption, IntegerOption]>`, and the compiler's own check
 * of unknown keys works at every depth.
 */
import { demandObject } from '../../core/rules/arguments.ts'
import type { Locale } from '../../model/locales.ts'
import type { CommandBody } from '../../model/command-definition.ts'
import type {
  ChannelType,
  HandlerType,
  IntegrationType,
  InteractionContext,
} from '../../model/command-types.ts'

/**
 * Keeps the literal types of a definition, so that `readOptions`, `interactionFor` and `ChatClient.invoke` know its
 * options, and refuses at compile time what types can express. Lengths, counts and ranges are for `validateCommand`.
 */
export function defineCommand<const Command extends Skeleton>(
  definition: [Command] extends [never] ? Command : Fit<Command>,
): Command {
  demandObject(definition, 'definition')
  return definition as Command
}

// --- The shape of a definition ----------------------------------------------------------------------------------

/** The inferred type. Only the lists are named, so that they become tuples. */
interface Skeleton {
  readonly name?: unknown
  readonly toJSON?: unknown
  readonly options?: List<OptionSkeleton> | null | undefined
  readonly contexts?: List<unknown> | null | undefined
  readonly integration_types?: List<unknown> | null | undefined
}

interface OptionSkeleton {
  readonly name?: unknown
  readonly toJSON?: unknown
  readonly options?: List<OptionSkeleton> | null | undefined
  readonly choices?: List<unknown> | null | undefined
  readonly channel_types?: List<unknown> | null | undefined
  readonly file_types?: List<unknown> | null | undefined
}

/** A compile-time error: its message is part of the type. No value has this type. */
export interface CompileError<Sentence extends string> {
  readonly 'cannot be written': Sentence
}

/** Builders and other objects with `toJSON` are only checked by `validateCommand`. */
type Fit<Command> = Command extends { readonly toJSON: unknown }
  ? Command
  : IsComputed<Command> extends true
    ? CommandBody
    : Command extends { readonly type: infer Type extends number }
      ? CommandByType<Command>[DigitsOf<Type> & keyof CommandByType<Command>]
      : CommandByType<Command>['1']

/** Whether another library computed the definition, such as the `toJSON()` of a builder. */
type IsComputed<Command> = Command extends { readonly name_localizations?: infer Dictionary }
  ? string | null extends TextOf<NonNullable<Dictionary>>
    ? true
    : false
  : false

type TextOf<Dictionary> = Dictionary[keyof Dictionary]

type DigitsOf<Type extends number> = `${Type}`

interface CommandByType<Command> {
  readonly '1': SlashCommand<FitList<ListOf<Command>, LevelOf<ListOf<Command>>>> & NameFault<Command, never>
  readonly '2': UserCommand
  readonly '3': MessageCommand
  readonly '4': EntryPointCommand
}

type ListOf<Holder> = Holder extends { readonly options?: infer Options }
  ? NonNullable<Options> extends infer Given extends readonly unknown[]
    ? Given
    : []
  : []

interface TypesAt {
  readonly any: keyof ValueShapes | '1' | '2'
  readonly values: keyof ValueShapes
  readonly nested: '1' | '2'
  readonly group: '1'
}

type Level = keyof TypesAt

interface Misplaced {
  readonly any: 'not a type of option'
  readonly values: 'subcommands and values do not mix, and subcommands do not nest'
  readonly nested: 'subcommands and values do not mix'
  readonly group: 'a group holds subcommands only'
}

/** The first option of a command decides whether it has values or subcommands. */
type LevelOf<List extends readonly unknown[]> = List extends readonly [
  { readonly type: infer Type extends number },
  ...unknown[],
]
  ? DigitsOf<Type> extends TypesAt['values']
    ? 'values'
    : DigitsOf<Type> extends TypesAt['nested']
      ? 'nested'
      : 'any'
  : 'any'

interface ValueShapes {
  readonly '3': StringOption
  readonly '4': IntegerOption
  readonly '5': SimpleOption<5>
  readonly '6': SimpleOption<6>
  readonly '7': ChannelOption
  readonly '8': SimpleOption<8>
  readonly '9': SimpleOption<9>
  readonly '10': NumberOption
  readonly '11': AttachmentOption
}

type ShapeOf<Option, Digits> = Digits extends keyof ValueShapes
  ? ValueShapes[Digits]
  : Digits extends '1'
    ? Subcommand<FitList<ListOf<Option>, 'values'>>
    : SubcommandGroup<FitList<ListOf<Option>, 'group'>>

/** The shapes of a list of options. Rules between options apply only to tuples. */
type FitList<List extends readonly unknown[], At extends Level> = number extends List['length']
  ? FitOption<List[number], At, never, never>[]
  : FitTuple<List, At>

/** `Fitted` contains the shapes so far, and its length is the number of options. */
type FitTuple<
  List extends readonly unknown[],
  At extends Level,
  Fitted extends unknown[] = [],
  Names = never,
  Optional = never,
> = Fitted['length'] extends List['length']
  ? Fitted
  : FitTuple<
      List,
      At,
      [...Fitted, FitOption<List[Fitted['length']], At, Names, Optional>],
      Names | NameOf<List[Fitted['length']]>,
      [Optional] extends [never] ? OptionalNameOf<List[Fitted['length']]> : Optional
    >

type FitOption<Option, At extends Level, Names, Optional> = Option extends {
  readonly type: infer Type extends number
}
  ? DigitsOf<Type> extends TypesAt[At]
    ? ShapeOf<Option, DigitsOf<Type>> & NameFault<Option, Names> & FieldFault<Option, Optional>
    : number extends Type
      ? AnyOption
      : { readonly type: CompileError<Misplaced[At]>; readonly [key: string]: unknown }
  : Option extends { readonly toJSON: unknown }
    ? Option
    : AnyOption

type NameOf<Option> = Option extends { readonly name: infer Name extends string } ? Literal<Name> : never

/** The name, if the compiler knows all of it; never for `string` and for patterns such as `e-${string}`. */
type Literal<Name extends string> = {} extends Record<Name, 1> ? never : Name

/** The name of an option, if it is known not to be required. */
type OptionalNameOf<Option> = Option extends { readonly required: true }
  ? never
  : Option extends { readonly name: infer Name }
    ? Name
    : never

type FieldFault<Option, Optional> = Option extends { readonly required: true }
  ? [Optional] extends [never]
    ? ChoiceFault<Option>
    : { readonly required: CompileError<`it follows the optional option "${Optional & string}"; move it up`> }
  : ChoiceFault<Option>

type ChoiceFault<Option> = Option extends {
  readonly autocomplete: true
  readonly choices: readonly [unknown, ...unknown[]]
}
  ? { readonly autocomplete: CompileError<'choices leave nothing to suggest; use one of the two'> }
  : unknown

type NameFault<Holder, Names> = Holder extends { readonly name: infer Name extends string }
  ? [Literal<Name>] extends [never]
    ? unknown
    : Name extends Names
      ? { readonly name: CompileError<`an earlier option has the name "${Name}"`> }
      : Name extends Lowercase<Name>
        ? Name extends `${string} ${string}`
          ? { readonly name: CompileError<'a name has no spaces; use "-" or "_"'> }
          : unknown
        : { readonly name: CompileError<`a name has no upper case; write "${Lowercase<Name>}"`> }
  : unknown

// --- Commands and options, discriminated by their type ---------------------------------------------------------

/** Inferred as a mutable list, which other libraries require; read-only lists are accepted too. */
type List<Item> = Item[] | readonly Item[]

type Texts = { readonly [Key in Locale]?: string | undefined }

interface Named {
  readonly name: string
  readonly name_localizations?: Texts | null | undefined
}

interface Described extends Named {
  readonly description: string
  readonly description_localizations?: Texts | null | undefined
}

/** The fields of commands of every type whose values differ from those of a body. */
interface Narrowed {
  readonly contexts?: List<InteractionContext> | null | undefined
  readonly integration_types?: List<IntegrationType> | undefined
  /** @deprecated use `contexts` */
  readonly dm_permission?: boolean | undefined
  /** @deprecated use `default_member_permissions` */
  readonly default_permission?: boolean | undefined
}

/** The fields of some types only, or declared here. */
type OwnField = keyof Described | keyof Narrowed | 'type' | 'options' | 'handler'

/** The fields of commands of every type. All others are those of a body. */
interface CommandFields extends Named, Narrowed, Omit<CommandBody, OwnField> {}

interface SlashCommand<Options extends readonly unknown[] = AnyOption[]> extends CommandFields, Described {
  readonly type?: 1 | undefined
  readonly options?: Options | Readonly<Options> | undefined
}

/** A command without options. Its description is empty. */
interface MenuCommand extends CommandFields {
  readonly description?: '' | undefined
}

interface UserCommand extends MenuCommand {
  readonly type: 2
}

interface MessageCommand extends MenuCommand {
  readonly type: 3
}

/** The entry point command of an app that has an Activity. */
interface EntryPointCommand extends CommandFields, Partial<Described> {
  readonly type: 4
  readonly name: string
  readonly handler?: HandlerType | undefined
}

interface ValueOption extends Described {
  readonly required?: boolean | undefined
}

interface Choice<Value extends string | number> extends Named {
  readonly value: Value
}

interface Choosable<Value extends string | number> extends ValueOption {
  readonly choices?: List<Choice<Value>> | undefined
  readonly autocomplete?: boolean | undefined
}

interface Bounded {
  readonly min_value?: number | undefined
  readonly max_value?: number | undefined
}

interface StringOption extends Choosable<string> {
  readonly type: 3
  readonly min_length?: number | undefined
  readonly max_length?: number | undefined
}

interface IntegerOption extends Choosable<number>, Bounded {
  readonly type: 4
}

interface NumberOption extends Choosable<number>, Bounded {
  readonly type: 10
}

interface ChannelOption extends ValueOption {
  readonly type: 7
  readonly channel_types?: List<ChannelType> | undefined
}

interface AttachmentOption extends ValueOption {
  readonly type: 11
  readonly file_types?: List<string> | undefined
}

/** A BOOLEAN, USER, ROLE or MENTIONABLE option. */
interface SimpleOption<Type extends 5 | 6 | 8 | 9> extends ValueOption {
  readonly type: Type
}

interface Subcommand<Options extends readonly unknown[] = AnyOption[]> extends Described {
  readonly type: 1
  readonly options?: Options | Readonly<Options> | undefined
}

interface SubcommandGroup<Options extends readonly unknown[] = Subcommand[]> extends Described {
  readonly type: 2
  readonly options?: Options | Readonly<Options> | undefined
}

/** The fields of options, of whatever type. `test/types/fields.test-d.ts` compares them with those that are read. */
export type OptionField = AnyOption extends infer Option
  ? Option extends unknown
    ? keyof Option
    : never
  : never

/** An option of any type, a subcommand or a group, discriminated by `type`. */
type AnyOption =
  | StringOption
  | IntegerOption
  | NumberOption
  | ChannelOption
  | AttachmentOption
  | SimpleOption<5 | 6 | 8 | 9>
  | Subcommand
  | SubcommandGroup
