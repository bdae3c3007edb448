/** Rules about the commands of one scope together: counts and names (clauses 4.1-07, 4.2-07, 4.4-01, 8-01). */
import { rule } from '../../../core/rules/rule.ts'
import { counted, quoted } from '../../../core/text.ts'
import { maxLength } from '../../../core/rules/wire-errors.ts'
import type { Actual } from '../../../core/rules/rule-kinds.ts'
import type { CommandDefinition } from '../../../model/command-definition.ts'
import { CommandType, commandTypeNames } from '../../../model/command-types.ts'

const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType

/** The largest number of commands of each type in a scope. */
export const COMMANDS_MAX: { readonly [Type in CommandType]: number } = {
  [CHAT_INPUT]: 100,
  [USER]: 15,
  [MESSAGE]: 15,
  [PRIMARY_ENTRY_POINT]: 1,
}

const ALL = Object.values(COMMANDS_MAX).reduce((sum, max) => sum + max, 0)

/** The largest number of commands in a list; a guild has no entry point. */
export function listMax(guild: boolean): number {
  return guild ? ALL - COMMANDS_MAX[PRIMARY_ENTRY_POINT] : ALL
}

export const commandCount = rule({
  code: 'commands.count',
  clause: 'decision 09',
  limit: { max: ALL },
  summary: `A list of commands is no longer than the limits of all types together: ${ALL}, in a guild ${listMax(true)}.`,
  check: (count: number, guild: boolean) =>
    count <= listMax(guild) ? undefined : { actual: count, max: listMax(guild) },
  message: ({ actual, max }) => `has ${counted(actual, 'command')}; at most ${max} are allowed`,
  // Discord names the sum without the entry point, also for a global list.
  wire: maxLength(listMax(true)),
  at: 'firstSurplusItem',
})

/** Another command of the list, by its index; a caller may put words of its own in place of it. */
interface OtherItem {
  readonly index: number
  readonly other?: string
}

const otherItem = (index: number): OtherItem => ({ index })
const itemName = (index: number) => `command ${index + 1} of the list`

export const commandUnique = rule({
  code: 'commands.unique',
  clause: '4.4-01',
  summary: 'The commands of one type in one scope have different names.',
  check: (first: number | undefined, { name, type }: Pick<CommandDefinition, 'name' | 'type'>) =>
    first === undefined ? undefined : { name, type, ...otherItem(first) },
  message: ({ name, type, index, other = `${commandTypeNames[type]} ${itemName(index)}` }) =>
    `has the same name ${quoted(name, 40)} as ${other}; names of one type must differ`,
  wire: { code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message: 'Application command names must be unique' },
  at: { field: 'name' },
})

export const commandIdUnique = rule({
  code: 'commands.id',
  clause: '4.1-07',
  summary: 'The items of a bulk overwrite have different ids.',
  check: (first: number | undefined, id: string) =>
    first === undefined ? undefined : { id, ...otherItem(first) },
  about: 'value',
  message: ({ id, index, other = itemName(index) }) =>
    `is ${id}, which is also the id of ${other}; each command can be replaced once`,
  wire: { code: 'APPLICATION_COMMANDS_DUPLICATE_ID', message: 'Application command ids must be unique' },
})

function typeCount<const Code extends string>(code: Code, type: CommandType) {
  const max = COMMANDS_MAX[type]
  const what = `${commandTypeNames[type]} command`
  return rule({
    code,
    clause: '8-01',
    limit: { max },
    summary: `A scope holds at most ${counted(max, what)}.`,
    check: (count: number): Actual | undefined => (count <= max ? undefined : { actual: count }),
    message: ({ actual }: Actual) => `is ${what} number ${actual}; at most ${max} of the type are allowed`,
  })
}

export const countRules = {
  [CHAT_INPUT]: typeCount('commands.count_chat_input', CHAT_INPUT),
  [USER]: typeCount('commands.count_user', USER),
  [MESSAGE]: typeCount('commands.count_message', MESSAGE),
  [PRIMARY_ENTRY_POINT]: typeCount('commands.count_entry_point', PRIMARY_ENTRY_POINT),
} as const

export const commandListRules = [
  commandCount,
  commandUnique,
  commandIdUnique,
  ...Object.values(countRules),
] as const

/** The types with too many commands, each with the index of the first surplus one. */
export function surplus(
  commands: readonly Pick<CommandDefinition, 'type'>[],
): { index: number; type: CommandType }[] {
  const counts = [0, 0, 0, 0, 0]
  const found: { index: number; type: CommandType }[] = []
  commands.forEach(({ type }, index) => {
    if (type === undefined) return
    const count = ++counts[type]!
    if (count === COMMANDS_MAX[type] + 1) found.push({ index, type })
  })
  return found
}
