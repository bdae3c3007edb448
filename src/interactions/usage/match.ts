/** Checks the input of a command against its definition (clauses 2.11-05, 2.11-07). */
import type { CommandBody, OptionBody } from '../../model/command-definition.ts'
import type { OptionValue } from './usage.ts'
import { optionTraits, CommandType, OptionType } from '../../model/command-types.ts'
import { LENGTH_MAX } from '../../commands/definition/rules/option-rules.ts'
import { withoutNegativeZero } from '../../core/json.ts'
import type { Report, ReportedRule } from '../../core/rules/report.ts'
import { holds } from '../../core/rules/rule.ts'
import type { ResolvedObjects } from './complete.ts'
import type {
  FilledOption,
  FocusedOption,
  OptionsTree,
  SubcommandOf,
} from '../../model/interaction-payload.ts'
import { argumentRules, boundsOf, focusRules, mentionKinds, usageRules } from './usage-rules.ts'

const { CHAT_INPUT } = CommandType
const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, ATTACHMENT } = OptionType

/** The rules about using a command; they join the catalogue. */
export const interactionRules = [
  ...Object.values(usageRules),
  ...Object.values(argumentRules),
  ...Object.values(focusRules),
] as const

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

/** The input of a user who may still be typing. */
export interface TypedInput extends CommandInput {
  /** Whether the focused value is sent as typed, without the checks of the client: `'-'` for a number. Default false. */
  readonly raw?: boolean
}

/** The type of a command; CHAT_INPUT if the body has none (clause 2.1-02). */
export function commandTypeOf(command: CommandBody): CommandType {
  return command.type ?? CHAT_INPUT
}

type Entry = FilledOption | FocusedOption

/**
 * Checks input against a command and reports every problem with its path in the input.
 *
 * @param objects receives the objects of the ids in the values
 * @returns the options as an interaction contains them; undefined if the command has none by its type, or its subcommand is invalid
 */
export function matchOptions(
  report: Report,
  command: CommandBody,
  input: TypedInput,
  objects: ResolvedObjects,
): OptionsTree<Entry> | undefined {
  const type = commandTypeOf(command)
  const { target, subcommand, focused, options = {} } = input
  report.at('target', () => report.check(usageRules.targetRequired, target, type))
  report.at('target', () => report.check(usageRules.targetNone, target, type))
  if (type === CHAT_INPUT) return matchSlash(report, command, input, objects)
  report.at('options', () => report.check(usageRules.argumentsNone, type, Object.keys(options).length))
  if (subcommand !== undefined)
    report.at('subcommand', () => report.check(usageRules.subcommandUnknown, undefined, subcommand, []))
  if (focused !== undefined) report.at('focused', () => report.check(focusRules.option, focused, []))
  return undefined
}

/** The names of all subcommands of a command, with those of their groups: `'user get'`. */
export function subcommandsOf(command: Pick<CommandBody, 'options'>): readonly string[] {
  return subcommandOptions(command).map(({ path }) => path)
}

interface Subcommand {
  /** `'user get'`. */
  readonly path: string
  readonly option: OptionBody
  /** The name of its group. */
  readonly group?: string
}

/** All subcommands of a command, also those of its groups. */
export function subcommandOptions({ options }: Pick<CommandBody, 'options'>): readonly Subcommand[] {
  return (options ?? []).flatMap((outer): readonly Subcommand[] => {
    const { type, name: group } = outer
    if (type === SUB_COMMAND) return [{ path: group, option: outer }]
    if (type !== SUB_COMMAND_GROUP) return []
    return (outer.options ?? []).map((option) => ({ path: `${group} ${option.name}`, option, group }))
  })
}

function matchSlash(
  report: Report,
  command: CommandBody,
  input: TypedInput,
  objects: ResolvedObjects,
): OptionsTree<Entry> | undefined {
  const { subcommand } = input
  const options = command.options ?? []
  const isNested = options.some(({ type }) => optionTraits[type]?.options)
  if (!isNested && (subcommand === undefined || subcommand === ''))
    return matchValues(report, options, input, objects)
  const subcommands = subcommandsOf(command)
  const found = subcommandOptions(command).find(({ path }) => path === subcommand)
  report.at(
    'subcommand',
    () =>
      (!isNested || report.check(usageRules.subcommandMissing, subcommand, subcommands)) &&
      report.check(usageRules.subcommandUnknown, found?.option, subcommand!, subcommands),
  )
  if (found === undefined) return undefined
  const { option, group } = found
  const entries = matchValues(report, option.options ?? [], input, objects)
  const leaf: SubcommandOf<Entry> = {
    type: SUB_COMMAND,
    name: option.name,
    ...(entries.length > 0 && { options: entries }),
  }
  return [group === undefined ? leaf : { type: SUB_COMMAND_GROUP, name: group, options: [leaf] }]
}

/** The values of one list of options. */
function matchValues(
  report: Report,
  options: readonly OptionBody[],
  { options: values = {}, focused, raw = false }: TypedInput,
  objects: ResolvedObjects,
): readonly Entry[] {
  if (focused !== undefined) report.at('focused', () => report.check(focusRules.option, focused, options))
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined)
      report.at(['options', name], () => report.check(argumentRules.unknown, options, name))
  }
  return options.flatMap((option) => {
    const { name, type } = option
    const given: unknown = Object.hasOwn(values, name) ? values[name] : undefined
    return report.at(['options', name], (): Entry[] => {
      if (name === focused) {
        const value = given ?? ''
        const isFocused =
          holds(focusRules.option, name, options) && (raw || report.check(focusRules.value, value, option))
        return isFocused ? [{ name, type, value: String(value), focused: true } as FocusedOption] : []
      }
      // While typing, required values may still be missing, and attachments are sent with the command only.
      if (focused === undefined) report.check(argumentRules.required, option, given)
      else if (type === ATTACHMENT) return []
      if (given === undefined || (focused !== undefined && isStillTyped(option, given))) return []
      // The choices say more than their type.
      const choices = typeof given === 'object' ? [] : choicesOf(option)
      const isRight =
        choices.length > 0
          ? report.check(argumentRules.choice, given as OptionValue, choices)
          : report.check(argumentRules.type, given, type)
      if (!isRight) return []
      checkValue(report, option, given as OptionValue, objects)
      return [{ name, type, value: withoutNegativeZero(given) } as FilledOption]
    })
  })
}

/** Whether a value of another option than the one in focus is not sent yet: the client would refuse it (clause 2.11-05). */
function isStillTyped(option: OptionBody, value: unknown): boolean {
  if (!holds(argumentRules.type, value, option.type)) return typeof value === 'string'
  return !isWithinLimits(holds, option, value as OptionValue)
}

const choicesOf = ({ choices }: OptionBody) => (choices ?? []).map(({ value }) => value)

type Check = (rule: ReportedRule, ...subject: any[]) => boolean

/** Checks a value of the right type against the choices and the limits of its option. */
function isWithinLimits(check: Check, option: OptionBody, value: OptionValue): boolean {
  const { type, min_length, max_length } = option
  const choices = choicesOf(option)
  if (choices.length > 0 && !check(argumentRules.choice, value, choices)) return false
  if (typeof value === 'number') return check(argumentRules.range, value, boundsOf(option))
  return type !== STRING || check(argumentRules.length, value, min_length ?? 0, max_length ?? LENGTH_MAX)
}

/** Checks a value of the right type, and adds the object of an id. */
function checkValue(report: Report, option: OptionBody, value: OptionValue, objects: ResolvedObjects): void {
  const { type } = option
  if (!isWithinLimits((...rule) => report.check(...rule), option, value)) return
  if (typeof value === 'string' && type !== STRING) {
    const kinds = type === ATTACHMENT ? (['attachments'] as const) : (mentionKinds[type] ?? [])
    const types = option.channel_types ?? []
    if (!report.check(argumentRules.kind, objects.kindsOf(value), kinds)) return
    if (type === ATTACHMENT && !report.check(argumentRules.fileType, objects.file(value), option.file_types))
      return
    const isOfType =
      types.length === 0 || report.check(argumentRules.channelType, objects.channelType(value), types)
    if (isOfType) report.check(argumentRules.place, objects.elsewhere(value))
    objects.add(value, kinds, types)
  }
}
