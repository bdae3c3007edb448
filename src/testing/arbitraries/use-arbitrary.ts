/** Uses of a command: a subcommand and values, generated from its definition. */
import { checkDefinition } from './constraints.ts'
import fc, { type Arbitrary } from 'fast-check'
import type { CommandBody, OptionBody } from '../../model/command-definition.ts'
import { subcommandOptions } from '../../interactions/usage/match.ts'
import { boundsOf } from '../../interactions/usage/usage-rules.ts'
import type { OptionValue } from '../../interactions/usage/usage.ts'
import { LENGTH_MAX } from '../../commands/definition/rules/option-rules.ts'
import { optionTraits, OptionType } from '../../model/command-types.ts'
import { withoutNegativeZero } from '../../core/json.ts'
import { anyCharacter, snowflake } from './text-arbitrary.ts'

/** The input of a slash command, as `createInteraction` takes it. */
export interface CommandUse {
  /** The names of the group and the subcommand; null for a command without subcommands. */
  readonly subcommand?: string
  readonly options: { readonly [name: string]: OptionValue }
}

/**
 * Valid input of a slash command: one of its subcommands, all required values and some optional ones. Null if the
 * command cannot be used: it has only empty groups, or a required option with bounds that no value satisfies.
 */
export function commandUse(command: CommandBody): Arbitrary<CommandUse> | null {
  checkDefinition(command, 'command')
  const options = command.options ?? []
  if (!options.some(({ type }) => optionTraits[type]?.options)) return usesOf(options, undefined)
  const uses = subcommandOptions(command).map(({ path, option }) => usesOf(option.options ?? [], path))
  const possible = uses.filter((use) => use !== null)
  return possible.length === 0 ? null : fc.oneof(...possible)
}

function usesOf(
  options: readonly OptionBody[],
  subcommand: string | undefined,
): Arbitrary<CommandUse> | null {
  const fields = new Map(options.map((option) => [option.name, optionValue(option)]))
  const requiredKeys = options.filter(({ required }) => required === true).map(({ name }) => name)
  if (requiredKeys.some((name) => fields.get(name) === null)) return null
  const possible = [...fields].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return fc
    .record(Object.fromEntries(possible), { requiredKeys, noNullPrototype: true })
    .map((values) => ({ ...(subcommand !== undefined && { subcommand }), options: values }))
}

/** Valid values of an option; null if its bounds allow none. */
export function optionValue(option: OptionBody): Arbitrary<OptionValue> | null {
  checkDefinition(option, 'option')
  const { type, choices = [] } = option
  if (choices.length > 0) return fc.constantFrom(...choices.map(({ value }) => withoutNegativeZero(value)))
  if (type === OptionType.BOOLEAN) return fc.boolean()
  const row = optionTraits[type]
  if (row?.length) {
    const { min_length: minLength = 0, max_length = LENGTH_MAX } = option
    const maxLength = Math.min(max_length, minLength + 20)
    return minLength > maxLength ? null : fc.string({ unit: anyCharacter, minLength, maxLength })
  }
  if (!row?.range) return snowflake()
  // fast-check counts -0 as less than 0.
  const bounds = boundsOf(option)
  const [min, max] = [withoutNegativeZero(bounds.min), withoutNegativeZero(bounds.max)]
  if (min > max) return null
  const numbers = bounds.integer
    ? fc.oneof(
        fc.constantFrom(min, max),
        fc.maxSafeInteger().map((value) => Math.min(max, Math.max(min, value))),
      )
    : fc.double({ min, max, noNaN: true })
  return numbers.map(withoutNegativeZero)
}
