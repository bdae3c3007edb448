/** How to break the rules about permissions, about scopes over time, and about snapshots. */
import type { Path } from '../../core/rules/rule.ts'
import { permissionCount, type permissionRules } from '../../commands/access/entry-list.ts'
import { DAILY_CREATES_MAX, type scopeRules } from '../../commands/registry/scope-rules.ts'
import { SNAPSHOT_FORMAT, type snapshotRules } from '../../commands/registry/snapshot-rules.ts'
import {
  anyBody,
  beyond,
  constant,
  eitherOf,
  set,
  several,
  smallestSlash,
  type Body,
  type Breaks,
  type CodesOf,
  type Examples,
  type BodyPart,
} from './breaking.ts'

const entry = { id: '1', type: 1, permission: true }

/** The entries, of which there is at least one. */
const someEntries: BodyPart = (entries: Body[]) => ({
  body: entries.length > 0 ? entries : [entry],
  path: [],
})

export const permissionExamples = {
  'permissions.count': eitherOf(
    beyond(permissionCount, (i) => ({ ...entry, id: `${i + 1}` })),
    constant,
  ),
  'permission.type': set(someEntries, '0.type', 4),
  'permissions.repeated': constant([entry, { ...entry, permission: false }], [0]),
  'shape.snowflake': set(someEntries, '0.id', '12a'),
} satisfies Examples<CodesOf<typeof permissionRules> | 'shape.snowflake'>

// --- Scopes ---------------------------------------------------------------------------------------------------

/** Bodies to overwrite with, and then one change, which a rule about a scope refuses. */
export interface Scenario {
  readonly before: readonly Body[]
  /** Each of these is created and deleted again before the change. */
  readonly churn: number
  readonly change:
    | { readonly kind: 'upsert'; readonly body: Body }
    | { readonly kind: 'edit'; readonly name: string; readonly patch: Body }
    | { readonly kind: 'overwrite'; readonly bodies: readonly Body[] }
}

function scenario(before: readonly Body[], change: Scenario['change'], path: Path = [], churn = 0): Breaks {
  return constant({ before, churn, change } satisfies Scenario, path)
}

export const scopeExamples = {
  'scope.daily_creates': scenario([], { kind: 'upsert', body: smallestSlash }, [], DAILY_CREATES_MAX),
  'scope.name_taken': scenario(
    several(2, (i) => ({ name: `a${i}`, description: 'b' })),
    { kind: 'edit', name: 'a0', patch: { name: 'a1' } },
    ['name'],
  ),
  'scope.entry_point': scenario([{ type: 4, name: 'Launch' }], { kind: 'overwrite', bodies: [] }),
} satisfies Examples<CodesOf<typeof scopeRules>>

// --- Snapshots ------------------------------------------------------------------------------------------------

const scope = { guild_id: null, commands: [], tenures: [], creates: { day: '', count: 0 }, latest: '9' }
const permissionSet = { id: '1', application_id: '1', guild_id: '2', permissions: [{ ...entry, id: '3' }] }
const empty = { format: SNAPSHOT_FORMAT, application_id: '1', scopes: [], permissions: [] }
const withScope = constant({ ...empty, scopes: [scope] })
const withPermissions = constant({
  ...empty,
  permissions: [{ guild_id: '2', sets: [permissionSet], tenures: [null] }],
})

/** How to break the rules about a snapshot. The valid ones have a command in their first scope, the global one. */
export const snapshotExamples = {
  'snapshot.format': set(constant(empty), 'format', SNAPSHOT_FORMAT + 1, String(SNAPSHOT_FORMAT), null),
  'snapshot.repeated': set(constant({ ...empty, scopes: [scope, scope] }), 'scopes.1.guild_id', null),
  'snapshot.id'(body: Body, pick) {
    const [first] = body.scopes
    const { dm_permission, contexts, integration_types, ...shared } = first.commands[0]
    const second = { ...first, guild_id: '2', commands: [{ ...shared, guild_id: '2' }] }
    const whole = constant({ ...body, scopes: [first, second] })
    return set(whole, 'scopes.1.commands.0.id', shared.id, body.application_id)(body, pick)
  },
  'snapshot.command': set(anyBody, 'scopes.0.commands.0.extra', true),
  'snapshot.latest': set(anyBody, 'scopes.0.latest', (body: Body) => body.scopes[0].commands[0].id),
  'snapshot.latest_max': set(withScope, 'scopes.0.latest', '9223372036854775807'),
  'snapshot.tenures': set(withScope, 'scopes.0.tenures', ['4']),
  'snapshot.own_tenure': set(withPermissions, 'permissions.0.tenures.0', '4'),
  'snapshot.day': set(withScope, 'scopes.0.creates.day', '2026-02-30'),
  'snapshot.creates': set(withScope, 'scopes.0.creates.count', 1),
  'snapshot.owner': set(withPermissions, 'permissions.0.sets.0.application_id', '7'),
  'snapshot.permissions': set(withPermissions, 'permissions.0.sets.0.permissions', []),
} satisfies Examples<CodesOf<typeof snapshotRules>>
