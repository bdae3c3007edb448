/** Rules about a scope over time, which no list of commands can break by itself (clauses 4.1-07, 4.2-07, 8-02). */
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { CommandType, commandTypeNames } from '../../model/command-types.ts'
import { counted, quoted } from '../../core/text.ts'
import { rule } from '../../core/rules/rule.ts'

export const DAILY_CREATES_MAX = 200

export const dailyCreates = rule({
  code: 'scope.daily_creates',
  clause: '8-02',
  limit: { max: DAILY_CREATES_MAX },
  summary: `A scope sees at most ${DAILY_CREATES_MAX} command creates on a UTC day; updates do not count.`,
  check: (count: number, created: number) =>
    count <= DAILY_CREATES_MAX ? undefined : { actual: created, used: count - created },
  message: ({ actual, used }) =>
    `needs ${counted(actual, 'create')}, but only ${Math.max(0, DAILY_CREATES_MAX - used)} of ${DAILY_CREATES_MAX} are left today`,
})

export const nameTaken = rule({
  code: 'scope.name_taken',
  clause: '4.2-07',
  summary: 'A command is not renamed to the name of another command of its type in its scope.',
  check: (isTaken: boolean, { name, type }: Pick<ApplicationCommand, 'name' | 'type'>) =>
    isTaken ? { name, type } : undefined,
  message: ({ name, type }) =>
    `is ${quoted(name, 40)}, the name of another ${commandTypeNames[type]} command of the scope`,
})

export const entryPointKept = rule({
  code: 'scope.entry_point',
  clause: '4.1-07',
  summary: 'A bulk overwrite includes the entry point command, by its id or its name, if there is one.',
  check: (before: readonly ApplicationCommand[], after: readonly ApplicationCommand[]) => {
    const existing = before.find(isEntryPoint)
    return existing === undefined || after.some(({ id }) => id === existing.id)
      ? undefined
      : { id: existing.id, name: existing.name, replaced: after.some(isEntryPoint) }
  },
  message: ({ id, name, replaced }) =>
    replaced
      ? `puts another entry point command in place of ${quoted(name, 40)}; give it "id": "${id}", or delete ${quoted(name, 40)} by itself first`
      : `leaves out the entry point command ${quoted(name, 40)}; include it, or delete it by itself first`,
})

export const scopeRules = [dailyCreates, nameTaken, entryPointKept] as const

export function isEntryPoint({ type }: Pick<ApplicationCommand, 'type'>): boolean {
  return type === CommandType.PRIMARY_ENTRY_POINT
}
