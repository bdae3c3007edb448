/** Rules about a scope over time, which no list of commands can break by itself (clauses 4.1-07, 4.2-07, 8-02). */
import { several, type Body } from '../command/breaking.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { CommandType, commandTypeNames } from '../command/types.ts'
import { counted, quoted } from '../core/text.ts'
import { NO_PARAMS, rule, type Broken, type Path } from '../core/rule.ts'

/** The result of `breaks` of a rule about a scope: bodies to overwrite with, and then one change. */
export interface Scenario {
  readonly before: readonly Body[]
  /** Each of these is created and deleted again before the change. */
  readonly churn: number
  readonly change:
    | { readonly kind: 'upsert'; readonly body: Body }
    | { readonly kind: 'edit'; readonly name: string; readonly patch: Body }
    | { readonly kind: 'overwrite'; readonly bodies: readonly Body[] }
}

function scenario(body: Scenario, ...path: Path): Broken {
  return { body, path }
}

export const DAILY_CREATES_MAX = 200

export const dailyCreates = rule({
  code: 'scope.daily_creates',
  clause: '8-02',
  limit: { max: DAILY_CREATES_MAX },
  summary: `A scope sees at most ${DAILY_CREATES_MAX} command creates on a UTC day; updates do not count.`,
  on: 'scope',
  check: (count: number, created: number) =>
    count <= DAILY_CREATES_MAX ? undefined : { actual: created, used: count - created },
  message: ({ actual, used }: { actual: number; used: number }) =>
    `needs ${counted(actual, 'create')}, but only ${Math.max(0, DAILY_CREATES_MAX - used)} of ${DAILY_CREATES_MAX} are left today`,
  breaks: () =>
    scenario({
      before: [],
      churn: DAILY_CREATES_MAX,
      change: { kind: 'upsert', body: { name: 'a', description: 'b' } },
    }),
})

export const nameTaken = rule({
  code: 'scope.name_taken',
  clause: '4.2-07',
  summary: 'A command is not renamed to the name of another command of its type in its scope.',
  on: 'scope',
  check: (isTaken: boolean, { name, type }: Pick<ApplicationCommand, 'name' | 'type'>) =>
    isTaken ? { name, type } : undefined,
  message: ({ name, type }: { name: string; type: CommandType }) =>
    `is ${quoted(name, 40)}, the name of another ${commandTypeNames[type]} command of the scope`,
  breaks: () =>
    scenario(
      {
        before: several(2, (i) => ({ name: `a${i}`, description: 'b' })),
        churn: 0,
        change: { kind: 'edit', name: 'a0', patch: { name: 'a1' } },
      },
      'name',
    ),
})

export const entryPointKept = rule({
  code: 'scope.entry_point',
  clause: '4.1-07',
  summary: 'A bulk overwrite includes the entry point command if there is one.',
  on: 'scope',
  check: (before: readonly ApplicationCommand[], after: readonly ApplicationCommand[]) =>
    !before.some(isEntryPoint) || after.some(isEntryPoint) ? undefined : NO_PARAMS,
  message: () => 'leaves out the entry point command; include it, or delete it by itself first',
  breaks: () =>
    scenario({ before: [{ type: 4, name: 'Launch' }], churn: 0, change: { kind: 'overwrite', bodies: [] } }),
})

export const scopeRules = [dailyCreates, nameTaken, entryPointKept] as const

export function isEntryPoint({ type }: Pick<ApplicationCommand, 'type'>): boolean {
  return type === CommandType.PRIMARY_ENTRY_POINT
}
