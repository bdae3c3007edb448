/** Translates localized names that a user types to default names (clause 2.10-07). */
import type { OptionValue } from '../usage/usage.ts'
import { CommandType, isNesting } from '../../model/command-types.ts'
import type { LocalizedOption } from '../../commands/definition/localization-resolver.ts'
import type { PickerCommand, PickerEntry } from '../../commands/access/picker.ts'
import { listed, sameText } from '../../core/text.ts'
import { InvocationError } from './invocation-error.ts'

/** A slash command or subcommand that a user typed. */
export interface SlashMatch {
  readonly command: PickerCommand
  /** The default names of the group and the subcommand, separated by a space. */
  readonly use: { readonly subcommand?: string }
  /** The options that take values. */
  readonly options: readonly LocalizedOption[]
}

/** Localized names take precedence over default names, because users see them. */
export function findByName<T extends Pick<PickerCommand, 'name' | 'name_default'>>(
  list: readonly T[],
  word: string,
) {
  return (
    list.find(({ name }) => name === word) ??
    list.find(({ name_default }) => name_default === word) ??
    // Some systems type composed characters and some decomposed ones.
    list.find((one) => sameText(one.name, word) || sameText(one.name_default, word))
  )
}

/**
 * The command of a type with a localized or default name, or else with an id. A guild command comes before a global one
 * of the same name, which its id finds.
 */
export function findCommand(commands: readonly PickerCommand[], type: CommandType, name: string) {
  const ofType = commands.filter((command) => command.type === type)
  return findByName(ofType, name) ?? ofType.find(({ id }) => id === name)
}

const MENTION = /^<\/([^<>:]+):(\d+)>$/u

/** The words of a path, such as `/user get`, or of the mention of a command, `</user get:1001>`, which has its id. */
export function wordsOf(path: string): readonly string[] {
  const [, named, id] = MENTION.exec(path.trim()) ?? []
  const words = (named ?? path.replace(/^\//, '')).split(' ').filter((word) => word !== '')
  return id === undefined ? words : [id, ...words.slice(1)]
}

/** The slash command or subcommand of a picker with a path of localized or of default names, or a mention. */
export function findEntry(entries: readonly PickerEntry[], path: string): PickerEntry | undefined {
  const [first = '', ...rest] = wordsOf(path)
  const typed = [first, ...rest].join(' ')
  const withId = (name: string, id: string) => [id, ...name.split(' ').slice(1)].join(' ')
  const ofType = entries.filter(({ type }) => type === CommandType.CHAT_INPUT)
  return (
    ofType.find((one) => sameText(one.name, typed) || sameText(one.path, typed)) ??
    ofType.find(({ name, path, command: { id } }) =>
      [name, path].some((names) => sameText(withId(names, id), typed)),
    )
  )
}

/**
 * The slash command and subcommand of names that are separated by spaces, or of a mention, which needs the default names.
 *
 * @returns undefined if no command has the name
 * @throws InvocationError if the command has no such subcommand or cannot be used without one (2.7-03), or a mention has
 *   other names: the client does nothing when someone clicks it
 */
export function findSlash(commands: readonly PickerCommand[], text: string): SlashMatch | undefined {
  const [first = '', ...rest] = wordsOf(text)
  const command = findCommand(commands, CommandType.CHAT_INPUT, first)
  if (command === undefined) return undefined
  const path: string[] = []
  let options = command.options ?? []
  for (const word of rest) {
    const next = findByName(
      options.filter(({ type }) => isNesting(type)),
      word,
    )
    if (next === undefined) {
      const subcommands = listed(options.filter(({ type }) => isNesting(type)).map(({ name }) => name))
      const known = subcommands === '' ? '' : `; it has ${subcommands}`
      const message = `${[command.name_default, ...path].join(' ')} has no subcommand ${word}${known}`
      throw new InvocationError('unknown_command', { message, commandId: command.id })
    }
    path.push(next.name_default)
    options = next.options ?? []
  }
  const names = [command.name_default, ...path].join(' ')
  const [, mentioned = names] = MENTION.exec(text.trim()) ?? []
  if (mentioned !== names) {
    const message = `a mention works with the default names only: write </${names}:${command.id}>`
    throw new InvocationError('unknown_command', { message, commandId: command.id })
  }
  const [nested] = options
  if (nested !== undefined && isNesting(nested.type)) {
    const subcommands = options.map(({ name }) => name).join(', ')
    const message = `${names} cannot be used by itself; it has ${subcommands}`
    throw new InvocationError('not_invocable', { message, commandId: command.id })
  }
  return { command, use: path.length === 0 ? {} : { subcommand: path.join(' ') }, options }
}

/**
 * Values with localized names of options and choices, as values with default names. If two names are of one option,
 * the last counts.
 */
export function toDefaultNames(
  options: readonly LocalizedOption[],
  values: { readonly [name: string]: OptionValue | undefined },
): { readonly [name: string]: OptionValue | undefined } {
  // fromEntries defines keys rather than assigning them, so that `__proto__` is a name like any other.
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const option = findByName(options, name)
      return option === undefined ? [name, value] : [option.name_default, choiceValue(option, value)]
    }),
  )
}

/** The default name of an option; the name itself for an unknown option. */
export function defaultOptionName(options: readonly LocalizedOption[], name: string): string {
  return findByName(options, name)?.name_default ?? name
}

/** The value of a choice, which users give by value or by localized name. */
function choiceValue({ choices = [] }: LocalizedOption, value: OptionValue | undefined) {
  if (typeof value !== 'string' || choices.some((choice) => choice.value === value)) return value
  return findByName(choices, value)?.value ?? value
}
