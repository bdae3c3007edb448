/** What a deploy would change. */
import { bodiesIn } from '../../authoring/definitions-in-body.ts'
import { changesOf } from '../../authoring/plan-words.ts'
import { commandLabel } from '../../authoring/words.ts'
import { COMMANDS_MAX } from '../../../commands/definition/rules/command-list-rules.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import { formatIssues } from '../../../commands/definition/format-issues.ts'
import { CommandType, commandTypeNames } from '../../../model/command-types.ts'
import { isNestedTooDeep, parsedJson, TOO_DEEP } from '../../../core/json.ts'
import { planAgainst } from '../../authoring/plan-against.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import type { OverwritePlan } from '../../../commands/registry/changes.ts'
import { readSnapshot } from '../../../commands/registry/read-snapshot.ts'
import { scopeOf } from '../../../commands/registry/scope.ts'
import { scopeOfQuery, currentServer, type Context, type Query } from './query.ts'
import { problemsOf, type Problem } from './decision-words.ts'

type Described = ReturnType<typeof describe>

const refusal = (refused: string, issues: readonly Problem[] = []): Described => ({
  ...{ refused, issues, deletes: [], updates: [], creates: [], unchanged: [] },
  ...{ createsLeft: 0, counts: [], lost: 0, isOverwritten: false },
})

/** Compares the text of a definition, or of a list of them, with the commands of a scope or of a snapshot. */
export async function plan(query: Query, context: Context): Promise<Described> {
  const text = query.text('text')
  const body = parsedJson(text)
  if (body === undefined)
    return refusal(`The definition ${isNestedTooDeep(text) ? TOO_DEEP : 'is not valid JSON'}.`)
  const bodies = bodiesIn(body)
  try {
    return describe(await planOf(query, bodies, context), query, context)
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code === 'storage') throw error
    const issues = problemsOf(error.issues, bodies)
    return refusal(issues.length > 0 ? 'The service would refuse this deploy.' : error.message, issues)
  }
}

async function planOf(query: Query, bodies: readonly unknown[], { registry }: Context) {
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

function describe(plan: OverwritePlan, query: Query, context: Context) {
  const { deletes, updates, creates, lost } = changesOf(plan, (guildId) => currentServer(guildId, context))
  const after = [...plan.creates, ...plan.updates.map((update) => update.after), ...plan.unchanged]
  return {
    refused: '',
    issues: [] as readonly Problem[],
    ...{ deletes, updates, creates, lost },
    unchanged: plan.unchanged.map((command) => commandLabel(command)),
    createsLeft: plan.createsLeft,
    counts: planCounts(after),
    isOverwritten: context.isOverwritten(scopeOfQuery(query)),
  }
}

/** How many commands of each limited kind there are: `Slash commands 14 of 100`. */
function planCounts(commands: readonly ApplicationCommand[]): readonly string[] {
  const { CHAT_INPUT, USER, MESSAGE } = CommandType
  return [CHAT_INPUT, USER, MESSAGE].flatMap((type) => {
    const count = commands.filter((command) => command.type === type).length
    return count === 0 ? [] : [`${commandTypeNames[type]} commands ${count} of ${COMMANDS_MAX[type]}`]
  })
}
