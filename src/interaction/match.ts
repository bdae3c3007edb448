/** Checks the input of a command against its definition (clauses 2.11-05, 2.11-07). */
import type { CommandBody, OptionBody } from '../command/definition.ts'
import type { OptionValue } from '../command/usage.ts'
import { admits, CommandType, OptionType } from '../command/types.ts'
import { LENGTH_MAX } from '../command/option-rules.ts'
import { withoutNegativeZero } from '../core/json.ts'
import type { Report } from '../core/report.ts'
import { holds } from '../core/rule.ts'
import {
  argumentChannelType,
  argumentChoice,
  argumentKind,
  argumentLength,
  argumentRange,
  argumentRequired,
  argumentRules,
  argumentType,
  argumentUnknown,
  boundsOf,
  objectKinds,
  type ObjectKind,
} from './argument-rules.ts'
import type { FilledOption, FocusedOption, OptionsTree, SubcommandGroupOf, SubcommandOf } from './payload.ts'
import {
  argumentsNone,
  focusedOption,
  focusedValue,
  focusRules,
  subcommandMissing,
  subcommandUnknown,
  targetNone,
  targetRequired,
  usageRules,
} from './usage-rules.ts'

const { CHAT_INPUT } = CommandType
const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, BOOLEAN, ATTACHMENT } = OptionType

/** The rules about using a command; they join the catalogue. */
export const interactionRules = [...usageRules, ...argumentRules, ...focusRules] as const

/** The input of a used command. */
export interface CommandInput {
  /** The names of the group and the subcommand, separated by a space: `'user get'`. */
  readonly subcommand?: string
  /** Values by the default name of their option. */
  readonly options?: { readonly [name: string]: OptionValue | undefined }
  /** The default name of the option that the user is typing, for autocomplete. */
  readonly focused?: string
  /** The id of the user or message of a user or message command. */
  readonly target?: string
}

/** Looks up the known objects of ids. */
export interface KnownIds {
  /** The kinds of objects that an id is known for; empty if unknown. */
  kindsOf(id: string): readonly ObjectKind[]
  /** The type of a channel; undefined if unknown. */
  channelType(id: string): number | undefined
}

/** An id in the value of an option. */
export interface Reference {
  readonly id: string
  readonly option: OptionBody
}

/** Valid input, as an interaction contains it. */
export interface MatchedInput {
  readonly options: OptionsTree<FilledOption | FocusedOption>
  readonly references: readonly Reference[]
}

/** The type of a command; CHAT_INPUT if the body has none (clause 2.1-02). */
export function typeOf(command: CommandBody): CommandType {
  return command.type ?? CHAT_INPUT
}

/**
 * Checks input against a command and reports every problem with its path in the input.
 *
 * @returns undefined if the command has no options by its type, or its subcommand is invalid
 */
export function matchOptions(
  report: Report,
  command: CommandBody,
  input: CommandInput,
  known: KnownIds,
): MatchedInput | undefined {
  const type = typeOf(command)
  report.at('target', () => report.check(targetRequired, input.target, type))
  report.at('target', () => report.check(targetNone, input.target, type))
  if (type !== CHAT_INPUT) {
    report.at('options', () => report.check(argumentsNone, type, Object.keys(input.options ?? {}).length))
    const { subcommand, focused } = input
    if (subcommand !== undefined)
      report.at('subcommand', () => report.check(subcommandUnknown, undefined, subcommand, []))
    if (focused !== undefined) report.at('focused', () => report.check(focusedOption, focused, []))
    return undefined
  }
  const place = findSubcommand(report, command, input.subcommand)
  if (place === undefined) return undefined
  const matching = new Matching(report, place.options, input, known)
  return { options: place.wrap(matching.match()), references: matching.references }
}

type Entry = FilledOption | FocusedOption

/** The options of a subcommand, and how to nest their values. */
interface SubcommandPlace {
  readonly options: readonly OptionBody[]
  readonly wrap: (options: readonly Entry[]) => OptionsTree<Entry>
}

/** The names of all subcommands of a command, with those of their groups: `'user get'`. */
export function subcommandsOf(command: Pick<CommandBody, 'options'>): readonly string[] {
  return (command.options ?? []).flatMap((option) => {
    if (option.type === SUB_COMMAND) return [option.name]
    if (option.type !== SUB_COMMAND_GROUP) return []
    return (option.options ?? []).map(({ name }) => `${option.name} ${name}`)
  })
}

function findSubcommand(
  report: Report,
  command: CommandBody,
  subcommand: string | undefined,
): SubcommandPlace | undefined {
  const options = command.options ?? []
  const subcommands = subcommandsOf(command)
  if (!options.some(({ type }) => admits[type]?.options)) {
    if (subcommand === undefined || subcommand === '') return { options, wrap: (entries) => entries }
    report.at('subcommand', () => report.check(subcommandUnknown, undefined, subcommand, subcommands))
    return undefined
  }
  if (!report.at('subcommand', () => report.check(subcommandMissing, subcommand, subcommands)))
    return undefined
  const [first = '', second, ...rest] = subcommand!.split(' ')
  const outer = options.find(({ name }) => name === first)
  const inner = second === undefined ? outer : outer?.options?.find(({ name }) => name === second)
  const isPath = rest.length === 0 && (outer?.type === SUB_COMMAND_GROUP) === (second !== undefined)
  const named = isPath ? inner : undefined
  if (!report.at('subcommand', () => report.check(subcommandUnknown, named, subcommand!, subcommands)))
    return undefined
  return {
    options: inner!.options ?? [],
    wrap(entries) {
      const leaf: SubcommandOf<Entry> = {
        type: SUB_COMMAND,
        name: inner!.name,
        ...(entries.length > 0 && { options: entries }),
      }
      if (outer === inner) return [leaf]
      const group: SubcommandGroupOf<Entry> = { type: SUB_COMMAND_GROUP, name: first, options: [leaf] }
      return [group]
    },
  }
}

/** The values of one list of options. */
class Matching {
  readonly references: Reference[] = []
  readonly #report: Report
  readonly #options: readonly OptionBody[]
  readonly #input: CommandInput
  readonly #values: { readonly [name: string]: unknown }
  readonly #known: KnownIds

  constructor(report: Report, options: readonly OptionBody[], input: CommandInput, known: KnownIds) {
    this.#report = report
    this.#options = options
    this.#input = input
    this.#values = input.options ?? {}
    this.#known = known
  }

  match(): readonly Entry[] {
    const { focused } = this.#input
    if (focused !== undefined)
      this.#report.at('focused', () => this.#report.check(focusedOption, focused, this.#options))
    for (const name of Object.keys(this.#values)) {
      if (this.#values[name] !== undefined)
        this.#report.at(['options', name], () => this.#report.check(argumentUnknown, this.#options, name))
    }
    return this.#options.flatMap((option): Entry[] => {
      const value = Object.hasOwn(this.#values, option.name) ? this.#values[option.name] : undefined
      if (option.name === focused) return this.#focus(option, value ?? '')
      if (focused !== undefined) {
        // Required values may still be missing, and attachments are sent with the command only.
        if (value === undefined || option.type === ATTACHMENT) return []
      } else
        this.#report.at(['options', option.name], () => this.#report.check(argumentRequired, option, value))
      return value === undefined ? [] : this.#fill(option, value)
    })
  }

  #focus(option: OptionBody, value: unknown): Entry[] {
    const { name, type } = option
    if (!holds(focusedOption, name, this.#options)) return []
    if (!this.#report.at(['options', name], () => this.#report.check(focusedValue, value, option))) return []
    return [{ name, type, value: String(value), focused: true } as FocusedOption]
  }

  #fill(option: OptionBody, value: unknown): Entry[] {
    const { name, type } = option
    const choices = option.choices ?? []
    if (!this.#report.at(['options', name], () => this.#report.check(argumentType, value, type))) return []
    // If there are choices, bounds do not count (clause 2.6-03).
    if (choices.length > 0) {
      const values = choices.map((choice) => choice.value)
      this.#report.at(['options', name], () =>
        this.#report.check(argumentChoice, value as OptionValue, values),
      )
    } else if (typeof value === 'number') {
      this.#report.at(['options', name], () => this.#report.check(argumentRange, value, boundsOf(option)))
    } else if (type === STRING) {
      const { min_length, max_length } = option
      this.#report.at(['options', name], () =>
        this.#report.check(argumentLength, value as string, min_length ?? 0, max_length ?? LENGTH_MAX),
      )
    } else if (type !== BOOLEAN) this.#refer(option, value as string)
    return [{ name, type, value: withoutNegativeZero(value) } as FilledOption]
  }

  #refer(option: OptionBody, id: string): void {
    const kinds = this.#known.kindsOf(id)
    const wanted = objectKinds[option.type] ?? []
    if (!this.#report.at(['options', option.name], () => this.#report.check(argumentKind, kinds, wanted)))
      return
    const types = option.channel_types ?? []
    if (types.length > 0)
      this.#report.at(['options', option.name], () =>
        this.#report.check(argumentChannelType, this.#known.channelType(id), types),
      )
    this.references.push({ id, option })
  }
}
