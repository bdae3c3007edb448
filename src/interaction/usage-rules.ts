/** Rules about how a command is used: its subcommand, its target, and its focused option (clauses 2.7-03, 2.11-03, 2.11-05). */
import type { OptionBody } from '../command/definition.ts'
import { LENGTH_MAX } from '../command/option-rules.ts'
import { found } from '../core/rule-kinds.ts'
import { optionTraits, CommandType, commandTypeNames, OptionType } from '../command/types.ts'
import { holds, rule } from '../core/rule.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { fits, given, listed, quoted } from '../core/text.ts'
import { argumentRange, boundsOf, isOfType, offered } from './argument-rules.ts'

const { CHAT_INPUT, USER, MESSAGE } = CommandType
const { SUB_COMMAND, STRING } = OptionType

export const subcommandMissing = rule({
  code: 'subcommand.missing',
  clause: '2.7-03',
  summary: 'A command with subcommands is used by one of them, never by itself.',
  check: (subcommand: unknown, subcommands: readonly string[]) =>
    typeof subcommand === 'string' && subcommand !== '' ? undefined : { subcommands },
  message: ({ subcommands }) =>
    subcommands.length === 0
      ? 'is missing, and cannot be given: the command has only groups without subcommands'
      : `is missing; a command with subcommands is used by one of them: ${listed(subcommands, 'or')}`,
})

export const subcommandUnknown = rule({
  code: 'subcommand.unknown',
  clause: '2.7-03',
  summary: 'The subcommand is a subcommand of the command.',
  check: (option: OptionBody | undefined, subcommand: string, subcommands: readonly string[]) =>
    option?.type === SUB_COMMAND ? undefined : { subcommand: String(given(subcommand)), subcommands },
  message: ({ subcommand, subcommands }) =>
    subcommands.length === 0
      ? `is ${quoted(subcommand)}, but the command has no subcommands`
      : `is ${quoted(subcommand)}; ${offered('subcommand', subcommands)}`,
})

export const argumentsNone = rule({
  code: 'arguments.none',
  clause: '2.11-03',
  summary: 'Only slash commands take options.',
  check: (type: CommandType, count: number) => (type === CHAT_INPUT || count === 0 ? undefined : { type }),
  message: ({ type }) => `must be absent: ${article(commandTypeNames[type])} command has no options`,
})

export const targetRequired = rule({
  code: 'target.required',
  clause: '2.11-03',
  summary: 'A user command is used on a user and a message command on a message.',
  check: (target: unknown, type: CommandType) =>
    (type !== USER && type !== MESSAGE) || isSnowflake(target) ? undefined : { ...found(target), type },
  message: ({ actual, type }) =>
    `is ${actual}; expected the id of the ${commandTypeNames[type]} that the ${commandTypeNames[type]} command is used on`,
})

export const targetNone = rule({
  code: 'target.none',
  clause: '2.11-03',
  summary: 'Slash commands and entry points have no target.',
  check: (target: unknown, type: CommandType) =>
    type === USER || type === MESSAGE || target === undefined ? undefined : { type },
  about: 'text',
  message: ({ type }) => `must be absent: ${article(commandTypeNames[type])} command has no target`,
})

export const focusedOption = rule({
  code: 'focused.option',
  clause: '2.11-05',
  summary: 'Only an option with autocomplete can be focused.',
  check: (name: string, options: readonly OptionBody[]) =>
    options.find((option) => option.name === name)?.autocomplete === true
      ? undefined
      : { names: options.filter((option) => option.autocomplete === true).map((option) => option.name) },
  about: 'text',
  message: ({ names }) =>
    names.length === 0
      ? 'is not an option with autocomplete; there is none'
      : `is not an option with autocomplete; ${offered('one', names)}`,
})

export const focusedValue = rule({
  code: 'focused.value',
  clause: '2.11-05',
  summary:
    'The focused value is a partial string or a valid number: partial strings are allowed, partial numbers are not.',
  check: (value: unknown, option: OptionBody) =>
    isPartial(value, option) ? undefined : { ...found(value), type: option.type },
  message: ({ actual, type }) =>
    `is ${actual}; the client does not send it for an option of type ${optionTraits[type]?.name ?? type}`,
})

/** The name of a command type with its article. Only that of the entry point starts with a vowel sound. */
function article(word: string): string {
  return `${word.startsWith('e') ? 'an' : 'a'} ${word}`
}

/** The rules about how a command is used. */
export const usageRules = [
  subcommandMissing,
  subcommandUnknown,
  argumentsNone,
  targetRequired,
  targetNone,
] as const

/** The rules about the focused option. */
export const focusRules = [focusedOption, focusedValue] as const

/** Whether a partial value passes the client's own checks (clause 2.11-05). An empty one does. */
function isPartial(value: unknown, option: OptionBody): boolean {
  if (option.type === STRING) {
    return typeof value === 'string' && fits(value, option.max_length ?? LENGTH_MAX)
  }
  if (value === '') return true
  const number = typeof value === 'string' && /^-?[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : value
  return isOfType(number, option.type) && holds(argumentRange, number as number, boundsOf(option))
}
