/** Reads the subcommand and the values from a payload. */
import type { DefinitionBuilder, DefinitionOf } from '../../commands/definition/builder.ts'
import type { CommandBody } from '../../model/command-definition.ts'
import type { OptionValue, Usage, UsageOf } from './usage.ts'
import { isNesting, type OptionType } from '../../model/command-types.ts'
import { isObject, jsonValue, type JsonObject } from '../../core/json.ts'
import { argument, demand, demandObject } from '../../core/rules/arguments.ts'
import { describeValue } from '../../core/text.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'

/** The option in which a user is typing. */
export interface FocusedValue {
  /** The default name of the option. */
  readonly name: string
  /** The text so far, also for a number. */
  readonly value: string
}

type AnyUsage = Usage<string | null, readonly string[], { readonly [name: string]: OptionValue }>

/** The subcommand and the values of a used command. `focused` is null. */
export type CommandOptions<Used = AnyUsage> =
  Used extends Usage<infer Subcommand, infer Path, infer Values>
    ? Usage<Subcommand, Path, Values> & {
        /** Always null: no option is being typed. */
        readonly focused: null
      }
    : never

/** The subcommand and the values in autocomplete. Values may be missing; that of the focused option is. */
export type TypedOptions<Used = AnyUsage> =
  Used extends Usage<infer Subcommand, infer Path, infer Values>
    ? Usage<Subcommand, Path, Partial<Values>> & {
        readonly focused: FocusedValue
      }
    : never

/** The type of the result of `readOptions`, by the type of the interaction. */
export type OptionsFor<Kind, Used> = Kind extends { readonly type: 2 }
  ? CommandOptions<Used>
  : Kind extends { readonly type: 4 }
    ? TypedOptions<Used>
    : CommandOptions<Used> | TypedOptions<Used>

/**
 * The subcommand and the values in an interaction, by the command's default names. Users, channels, roles,
 * mentionables and attachments are ids; their objects are in `interaction.data.resolved`.
 *
 * Keeps options of unknown types, and skips list items that are not options. With a command from `defineCommand` the
 * result has its types, which are correct if the interaction is for that definition and not for an earlier version.
 *
 * @throws TypeError if the interaction is for another command than the given one
 */
export function readOptions<
  Kind extends AnyInteraction,
  const Command extends CommandBody | DefinitionBuilder,
>(interaction: Kind, command: Command): OptionsFor<Kind, UsageOf<DefinitionOf<Command>>>
export function readOptions<Kind extends AnyInteraction>(interaction: Kind): OptionsFor<Kind, AnyUsage>
export function readOptions(interaction: AnyInteraction, command?: unknown): unknown {
  const { data: given } = demandObject(interaction, 'interaction')
  const data: JsonObject = isObject(given) ? given : {}
  if (command !== undefined) demand(aDefinition)(command, 'command')
  if (command !== undefined) checkName(data, command)
  const { path, options } = usedOptions(data)
  const values = Object.create(null) as Record<string, unknown>
  let focused: FocusedValue | null = null
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

const aDefinition = /* @__PURE__ */ argument(
  'a definition, or its name',
  (value) => isObject(jsonValue(value)) || typeof value === 'string',
)

/** @throws TypeError if the interaction is for another command */
function checkName(data: JsonObject, command: unknown): void {
  const definition = jsonValue(command)
  const name = isObject(definition) ? definition.name : definition
  if (data.name === name) return
  throw new TypeError(
    `command: expected ${describeValue(data.name)}, which the interaction is for, got ${String(name)}`,
  )
}

/** The text of a focused value. Some frameworks convert it to a number. */
function typed(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type NamedOption = JsonObject & { readonly name: string }

/** The options of a used command, and the names of the group and the subcommand above them. */
function usedOptions(data: JsonObject) {
  const path: string[] = []
  let options = optionsOf(data)
  // A subcommand is the only item of its list.
  while (path.length < 2 && options.length === 1 && isNesting(options[0]!.type)) {
    path.push(options[0]!.name)
    options = optionsOf(options[0]!)
  }
  return { path, options }
}

function optionsOf({ options }: JsonObject): readonly NamedOption[] {
  const isNamed = (value: unknown) => isObject(value) && typeof value.name === 'string'
  return Array.isArray(options) ? options.filter(isNamed) : []
}

/** The type of the focused option of an interaction; undefined without one. */
export function focusedType(interaction: AnyInteraction): OptionType | undefined {
  const { options } = usedOptions(isObject(interaction.data) ? interaction.data : {})
  return options.find(({ focused }) => focused === true)?.type as OptionType | undefined
}
