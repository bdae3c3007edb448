import type { ApplicationCommand } from '../../command/definition.ts'
import { COMMANDS_MAX } from '../../command/commands.ts'
import { CommandType, commandTypeNames } from '../../command/types.ts'
import { formatIssues } from '../../command/format-issues.ts'
import { isObject, parsedJson } from '../../core/json.ts'
import { RegistryError } from '../../registry/error.ts'
import { differencesOf, differenceText } from '../../registry/differences.ts'
import { planAgainst, renamesOf } from '../../registry/comparison.ts'
import type { OverwritePlan } from '../../registry/preview.ts'
import { readSnapshot } from '../../registry/read-snapshot.ts'
import { scopeOf } from '../../registry/scope.ts'
import { listOf } from '../json-text.ts'
import type { Query } from '../query.ts'
import { scopeOfQuery, serverOf, type Context } from '../viewer.ts'
import { targetName } from '../target-names.ts'
import type { PlanAnswer, PlannedChange } from '../answers.ts'
import { problemsOf } from '../problems.ts'

const nothing = {
  issues: [],
  deletes: [],
  updates: [],
  creates: [],
  unchanged: [],
  createsLeft: 0,
  counts: [],
  lost: 0,
}

/** Compares the text of a definition, or of a list of them, with the commands of a scope or of a snapshot. */
export async function plan(query: Query, context: Context): Promise<PlanAnswer> {
  const text = query.text('text')
  const body = parsedJson(text)
  if (body === undefined) return { ...nothing, refused: 'The definition is not valid JSON.' }
  const bodies = listOf(body)
  try {
    return describe(await planOf(query, bodies, context), bodies, context)
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code === 'storage') throw error
    const issues = problemsOf(error.issues, bodies)
    const refused = issues.length > 0 ? 'The service would refuse this deploy.' : error.message
    return { ...nothing, refused, issues }
  }
}

async function planOf(
  query: Query,
  bodies: readonly unknown[],
  { registry }: Context,
): Promise<OverwritePlan> {
  const snapshot = query.value('snapshot')
  if (snapshot === undefined) return registry.plan(scopeOfQuery(query), bodies)
  const read = readSnapshot(snapshot)
  if (!read.ok)
    throw new TypeError(`the file is not a snapshot: ${formatIssues(read.issues.slice(0, 1), snapshot)}`)
  const { application_id: applicationId } = read.value
  const { application } = await registry.pickerSource({ applicationId })
  const scope = scopeOf(applicationId, query.text('server') || null)
  return planAgainst(read.value, application, scope, bodies)
}

function describe(plan: OverwritePlan, bodies: readonly unknown[], context: Context): PlanAnswer {
  const losses = (id: string) =>
    plan.permissionsLost
      .filter((set) => set.id === id)
      .flatMap(({ guild_id, permissions }) => {
        const server = serverOf(guild_id, context)
        return permissions.map((entry) => {
          const state = entry.permission ? 'allowed' : 'denied'
          return `${targetName(entry, server)} ${state}, in ${server.name}`
        })
      })
  const renames = new Map(renamesOf(plan).map(({ from, to }) => [from, to]))
  const change = (command: ApplicationCommand, differences: readonly string[] = []): PlannedChange => {
    const to = renames.get(command)
    const isIt = (body: unknown) => isObject(body) && body.name === to?.name && (body.type ?? 1) === to?.type
    return {
      id: command.id,
      label: labelOf(command),
      differences,
      loses: losses(command.id),
      renamed: to === undefined ? null : { label: labelOf(to), index: bodies.findIndex(isIt) },
    }
  }
  const after = [...plan.creates, ...plan.updates.map((update) => update.after), ...plan.unchanged]
  return {
    refused: '',
    issues: [],
    deletes: plan.deletes.map((command) => change(command)),
    updates: plan.updates.map((update) => change(update.before, differencesOf(update).map(differenceText))),
    creates: plan.creates.map((command) => change(command)),
    unchanged: plan.unchanged.map(labelOf),
    createsLeft: plan.createsLeft,
    counts: countsOf(after),
    lost: plan.permissionsLost.reduce((sum, { permissions }) => sum + permissions.length, 0),
  }
}

/** How many commands of each limited kind there are. */
function countsOf(commands: readonly ApplicationCommand[]): readonly string[] {
  const { CHAT_INPUT, USER, MESSAGE } = CommandType
  return [CHAT_INPUT, USER, MESSAGE].flatMap((type) => {
    const count = commands.filter((command) => command.type === type).length
    return count === 0 ? [] : [`${commandTypeNames[type]} commands ${count} of ${COMMANDS_MAX[type]}`]
  })
}

/** A command in words: `/ping`, `user command Report`. */
function labelOf({ type, name }: ApplicationCommand): string {
  return type === CommandType.CHAT_INPUT ? `/${name}` : `${commandTypeNames[type]} command ${name}`
}
