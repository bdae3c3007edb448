import type { ApplicationCommand } from '../../command/definition.ts'
import { CommandType, commandTypeNames } from '../../command/types.ts'
import { jsonFault } from '../../core/json-fault.ts'
import { RegistryError } from '../../registry/error.ts'
import { differencesOf, differenceText } from '../../registry/differences.ts'
import type { OverwritePlan } from '../../registry/preview.ts'
import type { Query } from '../query.ts'
import { serverOf, type Context } from '../viewer.ts'
import { targetName } from './command.ts'
import { listOf, scopeOf } from './editor.ts'
import { problemsOf, type Problem } from './use.ts'

/** A command that a deploy would create, change or delete. */
export interface Change {
  readonly id: string
  readonly label: string
  /** What differs, a line each. */
  readonly differences: readonly string[]
  /** The permissions that would be lost. */
  readonly loses: readonly string[]
}

/** What a deploy would do; or why the service would refuse it. */
export interface PlanAnswer {
  readonly refused: string
  readonly issues: readonly Problem[]
  readonly deletes: readonly Change[]
  readonly updates: readonly Change[]
  readonly creates: readonly Change[]
  readonly unchanged: readonly string[]
  readonly createsLeft: number
  /** How many permission entries would be lost. */
  readonly lost: number
}

const nothing = { deletes: [], updates: [], creates: [], unchanged: [], createsLeft: 0, lost: 0 }

/** Compares the text of a definition, or of a list of them, with the commands of a scope. */
export async function plan(query: Query, context: Context): Promise<PlanAnswer> {
  const text = query.text('text')
  if (jsonFault(text) !== undefined)
    return { ...nothing, refused: 'The definition is not valid JSON.', issues: [] }
  const bodies = listOf(JSON.parse(text))
  try {
    return describe(await context.registry.plan(scopeOf(query), bodies), context)
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code === 'storage') throw error
    const issues = problemsOf(error.issues, bodies)
    return {
      ...nothing,
      refused: issues.length > 0 ? 'The service would refuse this deploy.' : error.message,
      issues,
    }
  }
}

function describe(plan: OverwritePlan, context: Context): PlanAnswer {
  const losses = (id: string) =>
    plan.permissionsLost
      .filter((set) => set.id === id)
      .flatMap(({ guild_id, permissions }) => {
        const server = serverOf(guild_id, context)
        const word = (allowed: boolean) => (allowed ? 'allowed' : 'denied')
        return permissions.map(
          (entry) => `${targetName(entry, server)} ${word(entry.permission)}, in ${server.name}`,
        )
      })
  const change = (command: ApplicationCommand, differences: readonly string[] = []): Change => ({
    ...{ id: command.id, label: labelOf(command), differences, loses: losses(command.id) },
  })
  return {
    ...{ refused: '', issues: [] },
    deletes: plan.deletes.map((command) => change(command)),
    updates: plan.updates.map((update) => change(update.before, differencesOf(update).map(differenceText))),
    creates: plan.creates.map((command) => change(command)),
    unchanged: plan.unchanged.map(labelOf),
    createsLeft: plan.createsLeft,
    lost: plan.permissionsLost.reduce((sum, { permissions }) => sum + permissions.length, 0),
  }
}

/** A command in words: `/ping`, `user command Report`. */
function labelOf({ type, name }: ApplicationCommand): string {
  return type === CommandType.CHAT_INPUT ? `/${name}` : `${commandTypeNames[type]} command ${name}`
}
