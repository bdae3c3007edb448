/** The app's side: the subcommand and the values out of a payload. */
import type { CommandBody, OptionValue, Usage, UsageOf } from '../command/define.ts'
import type { OptionType } from '../command/kinds.ts'
import { isNesting } from '../command/option-list.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { described } from '../core/text.ts'
import type { AnyInteraction } from './payload.ts'

/** What stands so far in the option that is being typed. */
export interface Focused {
  readonly name: string
  /** As text, even when it is to become a number. */
  readonly value: string
}

type AnyUsage = Usage<string | null, readonly string[], { readonly [name: string]: OptionValue }>

/** While something is being typed, anything may still be missing. */
type Unfinished<Values> = { readonly [Key in keyof Values]?: Values[Key] }

/** The subcommand and the values of a command that was used. `focused` is null. */
export type CommandOptions<Used = AnyUsage> =
  Used extends Usage<infer Subcommand, infer Path, infer Values>
    ? Usage<Subcommand, Path, Values> & { readonly focused: null }
    : never

/** The same while somebody is typing: values may be missing, and the focused option is not among them. */
export type TypedOptions<Used = AnyUsage> =
  Used extends Usage<infer Subcommand, infer Path, infer Values>
    ? Usage<Subcommand, Path, Unfinished<Values>> & { readonly focused: Focused }
    : never

/** What is known of an interaction's kind decides what its options are known to be. */
export type OptionsFor<Kind, Used> = Kind extends { readonly type: 2 }
  ? CommandOptions<Used>
  : Kind extends { readonly type: 4 }
    ? TypedOptions<Used>
    : CommandOptions<Used> | TypedOptions<Used>

/**
 * The subcommand and the values in an interaction, by the command's default names. Users, channels, roles,
 * mentionables and attachments are ids; what they stand for is in `interaction.data.resolved`.
 *
 * Reads tolerantly: options of a type this library does not know are kept, and what is no option is left out. With
 * a command from `defineCommand` the answer has its types, which are true as long as the interaction is for that
 * definition and not for an earlier one of the name.
 *
 * @throws TypeError when a command is given and the interaction is for another
 */
export function readOptions<Kind extends AnyInteraction, const Command extends CommandBody>(
  interaction: Kind,
  command: Command,
): OptionsFor<Kind, UsageOf<Command>>
export function readOptions<Kind extends AnyInteraction>(interaction: Kind): OptionsFor<Kind, AnyUsage>
export function readOptions(interaction: AnyInteraction, command?: CommandBody): unknown {
  const data: JsonObject = isObject(interaction.data) ? interaction.data : {}
  if (command !== undefined && data.name !== command.name) {
    throw new TypeError(
      `command: expected ${described(data.name)}, which the interaction is for, got ${command.name}`,
    )
  }
  let options = optionsOf(data)
  const path: string[] = []
  // Subcommands stand alone in their list.
  while (path.length < 2 && options.length === 1 && isNesting(options[0]!.type)) {
    path.push(options[0]!.name)
    options = optionsOf(options[0]!)
  }
  const values = Object.create(null) as Record<string, unknown>
  let focused: Focused | null = null
  for (const { name, value, focused: isFocused } of options) {
    if (isFocused === true) focused = Object.freeze({ name, value: typed(value) })
    else if (value !== undefined) values[name] = value
  }
  return Object.freeze({
    subcommand: path.length === 0 ? null : path.join(' '),
    path: Object.freeze(path),
    values: Object.freeze(values),
    focused,
  })
}

/** Numbers that are being typed arrive as text; some frameworks make numbers of them on the way. */
function typed(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type NamedOption = JsonObject & { readonly name: string }

function optionsOf(holder: JsonObject): readonly NamedOption[] {
  return Array.isArray(holder.options) ? holder.options.filter(isNamed) : []
}

function isNamed(value: unknown): value is NamedOption {
  return isObject(value) && typeof value.name === 'string'
}

/** The type of the option that is being typed in an interaction, if there is one. */
export function focusedType(interaction: AnyInteraction): OptionType | undefined {
  let options = optionsOf(isObject(interaction.data) ? interaction.data : {})
  while (options.length > 0) {
    const focused = options.find((option) => option.focused === true)
    if (focused !== undefined) return focused.type as OptionType
    options = options.flatMap(optionsOf)
  }
  return undefined
}
