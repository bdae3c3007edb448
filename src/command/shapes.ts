/** The shapes that `defineCommand` checks definitions with: commands and options, discriminated by `type`. */
import type { Locale } from '../locale/locales.ts'
import type { CommandBody } from './definition.ts'
import type { ChannelType, HandlerType, IntegrationType, InteractionContext } from './types.ts'

/** Inferred as a mutable list, which other libraries require; read-only lists are accepted too. */
export type List<Item> = Item[] | readonly Item[]

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

/** A slash command. */
export interface SlashCommand<Options extends readonly unknown[] = AnyOption[]>
  extends CommandFields, Described {
  readonly type?: 1 | undefined
  readonly options?: Options | Readonly<Options> | undefined
}

/** A command without options. Its description is empty. */
interface MenuCommand extends CommandFields {
  readonly description?: '' | undefined
}

/** A user command. */
export interface UserCommand extends MenuCommand {
  readonly type: 2
}

/** A message command. */
export interface MessageCommand extends MenuCommand {
  readonly type: 3
}

/** The entry point command of an app that has an Activity. */
export interface EntryPointCommand extends CommandFields, Partial<Described> {
  readonly type: 4
  readonly name: string
  readonly handler?: HandlerType | undefined
}

interface ValueOption extends Described {
  readonly required?: boolean | undefined
}

/** A choice with a value of one type. */
export interface Choice<Value extends string | number> extends Named {
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

/** A STRING option. */
export interface StringOption extends Choosable<string> {
  readonly type: 3
  readonly min_length?: number | undefined
  readonly max_length?: number | undefined
}

/** An INTEGER option. */
export interface IntegerOption extends Choosable<number>, Bounded {
  readonly type: 4
}

/** A NUMBER option. */
export interface NumberOption extends Choosable<number>, Bounded {
  readonly type: 10
}

/** A CHANNEL option. */
export interface ChannelOption extends ValueOption {
  readonly type: 7
  readonly channel_types?: List<ChannelType> | undefined
}

/** A BOOLEAN, USER, ROLE, MENTIONABLE or ATTACHMENT option. */
export interface SimpleOption<Type extends 5 | 6 | 8 | 9 | 11> extends ValueOption {
  readonly type: Type
}

/** A subcommand. */
export interface Subcommand<Options extends readonly unknown[] = AnyOption[]> extends Described {
  readonly type: 1
  readonly options?: Options | Readonly<Options> | undefined
}

/** A group of subcommands. */
export interface SubcommandGroup<Options extends readonly unknown[] = Subcommand[]> extends Described {
  readonly type: 2
  readonly options?: Options | Readonly<Options> | undefined
}

/** An option of any type, a subcommand or a group, discriminated by `type`. */
export type AnyOption =
  | StringOption
  | IntegerOption
  | NumberOption
  | ChannelOption
  | SimpleOption<5 | 6 | 8 | 9 | 11>
  | Subcommand
  | SubcommandGroup
