import type { ApplicationCommand } from '../../command/definition.ts'
import { COMMANDS_MAX } from '../../command/commands.ts'
import { CommandType, commandTypeNames } from '../../command/types.ts'
import { formatIssues } from '../../command/format-issues.ts'
import { bodiesIn } from '../../authoring/definitions.ts'
import { changesOf, type Change } from '../../authoring/plan.ts'
import { labelOf } from '../../authoring/words.ts'
import { isObject, parsedJson } from '../../core/json.ts'
import { RegistryError } from '../../registry/error.ts'
import { planAgainst } from '../../registry/registry.ts'
import type { OverwritePlan } from '../../registry/changes.ts'
import { readSnapshot } from '../../registry/read-snapshot.ts'
import { scopeOf } from '../../registry/scope.ts'
import type { Query } from '../query.ts'
import { scopeOfQuery, serverOf, type Context } from '../viewer.ts'
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
  const bodies = bodiesIn(body)
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
  const namesIn = (guildId: string) => serverOf(guildId, context)
  const { deletes, updates, creates, lost } = changesOf(plan, namesIn)
  const shown = ({ losses, renamedTo: to, ...change }: Change): PlannedChange => {
    const isIt = (body: unknown) => isObject(body) && body.name === to?.name && (body.type ?? 1) === to?.type
    return {
      ...change,
      loses: losses.flatMap(({ guildId, entries }) =>
        entries.map((entry) => `${entry}, in ${namesIn(guildId).name}`),
      ),
      renamed: to === undefined ? null : { label: labelOf(to), index: bodies.findIndex(isIt) },
    }
  }
  const after = [...plan.creates, ...plan.updates.map((update) => update.after), ...plan.unchanged]
  return {
    refused: '',
    issues: [],
    deletes: deletes.map(shown),
    updates: updates.map(shown),
    creates: creates.map(shown),
    unchanged: plan.unchanged.map((command) => labelOf(command)),
    createsLeft: plan.createsLeft,
    counts: countsOf(after),
    lost,
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
