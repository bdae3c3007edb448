/** From what a person types, in their language, to what the client sends (clause 2.10-07). */
import type { OptionValue } from '../command/define.ts'
import { CommandType } from '../command/kinds.ts'
import type { LocalizedOption } from '../command/localize.ts'
import { isNesting } from '../command/option-list.ts'
import type { ShownCommand } from '../registry/picker.ts'
import { InvocationError } from './error.ts'

/** What a person means. */
export interface Meant {
  readonly command: ShownCommand
  /** The default names below the command. */
  readonly path: readonly string[]
  /** What there is to fill in. */
  readonly options: readonly LocalizedOption[]
}

/** Something that has a name in the person's language and one by default. */
interface Named {
  readonly name: string
  readonly name_default: string
}

/** A shown name counts before another's default name, because it is what the person sees. */
function named<T extends Named>(list: readonly T[], word: string): T | undefined {
  return list.find(({ name }) => name === word) ?? list.find(({ name_default }) => name_default === word)
}

/** The command of a context menu, or the entry point, with a name. */
export function meantCommand(
  commands: readonly ShownCommand[],
  type: CommandType,
  name: string,
): ShownCommand | undefined {
  return named(
    commands.filter((command) => command.type === type),
    name,
  )
}

/**
 * The slash command a person means by names with spaces between, and their subcommand.
 *
 * @returns nothing when there is no such command
 * @throws InvocationError when the command has no such subcommand, or cannot be used without one (2.7-03)
 */
export function meantSlash(commands: readonly ShownCommand[], text: string): Meant | undefined {
  const [first = '', ...rest] = text
    .replace(/^\//, '')
    .split(' ')
    .filter((word) => word !== '')
  const command = meantCommand(commands, CommandType.CHAT_INPUT, first)
  if (command === undefined) return undefined
  const path: string[] = []
  let options = command.options ?? []
  for (const word of rest) {
    const next = named(
      options.filter(({ type }) => isNesting(type)),
      word,
    )
    if (next === undefined) {
      const message = `${[command.name_default, ...path].join(' ')} has no subcommand ${word}`
      throw new InvocationError('unknown_command', { message, commandId: command.id })
    }
    path.push(next.name_default)
    options = next.options ?? []
  }
  const [nested] = options
  if (nested !== undefined && isNesting(nested.type)) {
    const names = options.map(({ name }) => name).join(', ')
    const message = `${[command.name_default, ...path].join(' ')} cannot be used by itself; it has ${names}`
    throw new InvocationError('not_invocable', { message, commandId: command.id })
  }
  return { command, path, options }
}

/**
 * Values by what the person calls the options and the choices, as values by default name. Of two names for one
 * option the last counts.
 */
export function meantValues(
  options: readonly LocalizedOption[],
  values: { readonly [name: string]: OptionValue | undefined },
): { readonly [name: string]: OptionValue | undefined } {
  // fromEntries defines keys rather than assigning them, so that `__proto__` is a name like any other.
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const option = named(options, name)
      return option === undefined ? [name, value] : [option.name_default, meantChoice(option, value)]
    }),
  )
}

/** The option a person means by a name, by its default name. */
export function meantOption(options: readonly LocalizedOption[], name: string): string {
  return named(options, name)?.name_default ?? name
}

/** A choice is taken by its value, or by the name the person sees. */
function meantChoice(
  { choices = [] }: LocalizedOption,
  value: OptionValue | undefined,
): OptionValue | undefined {
  if (typeof value !== 'string' || choices.some((choice) => choice.value === value)) return value
  return named(choices, value)?.value ?? value
}
