/** How to break the rules about permissions, about scopes over time, and about snapshots. */
import type { Path } from '../core/rule.ts'
import { permissionCount, type permissionRules } from '../permission/entry-list.ts'
import { DAILY_CREATES_MAX, type scopeRules } from '../registry/scope-rules.ts'
import { SNAPSHOT_FORMAT, type snapshotRules } from '../registry/snapshot-rules.ts'
import {
  broken,
  oneOf,
  put,
  several,
  smallestSlash,
  wrongLists,
  type Body,
  type Breaks,
  type BreaksOf,
} from './breaking.ts'

/** How to break the rules about permission entries. */
export const permissionExamples: BreaksOf<typeof permissionRules> = {
  'permissions.count': oneOf(
    wrongLists(permissionCount, (i) => ({ id: `${i + 1}`, type: 1, permission: true })),
    (body) => () => ({ body, path: [] }),
  ),
  'permission.type': (entries: Body[]) => ({
    body: [{ id: '1', type: 4, permission: true }, ...entries.slice(1)],
    path: [0, 'type'],
  }),
  'permissions.repeated': () => ({
    body: [true, false].map((permission) => ({ id: '1', type: 1, permission })),
    path: [0],
  }),
}

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

function scenario(body: Scenario, ...path: Path): Breaks {
  return () => ({ body, path })
}

/** How to break the rules about a scope. */
export const scopeExamples: BreaksOf<typeof scopeRules> = {
  'scope.daily_creates': scenario({
    before: [],
    churn: DAILY_CREATES_MAX,
    change: { kind: 'upsert', body: smallestSlash },
  }),
  'scope.name_taken': scenario(
    {
      before: several(2, (i) => ({ name: `a${i}`, description: 'b' })),
      churn: 0,
      change: { kind: 'edit', name: 'a0', patch: { name: 'a1' } },
    },
    'name',
  ),
  'scope.entry_point': scenario({
    before: [{ type: 4, name: 'Launch' }],
    churn: 0,
    change: { kind: 'overwrite', bodies: [] },
  }),
}

// --- Snapshots ------------------------------------------------------------------------------------------------

const emptyScope: Body = {
  guild_id: null,
  commands: [],
  tenures: [],
  creates: { day: '', count: 0 },
  latest: '9',
}
const permissionSet: Body = {
  id: '1',
  application_id: '1',
  guild_id: '2',
  permissions: [{ id: '3', type: 1, permission: true }],
}
const scopes = [emptyScope]
const permissions = [{ guild_id: '2', sets: [permissionSet], tenures: [null] }]

/** Sets a value in a snapshot of application 1. */
function snapshot(parts: Body, path: Path, value: unknown): Breaks {
  const whole: Body = { format: SNAPSHOT_FORMAT, application_id: '1', scopes: [], permissions: [], ...parts }
  return () => ({ body: put(whole, path, value), path })
}

/** How to break the rules about a snapshot. The valid ones have a command in their first scope, the global one. */
export const snapshotExamples: BreaksOf<typeof snapshotRules> = {
  'snapshot.format': oneOf([SNAPSHOT_FORMAT + 1, String(SNAPSHOT_FORMAT), null], (format) =>
    snapshot({}, ['format'], format),
  ),
  'snapshot.repeated': snapshot(
    { scopes: [emptyScope, { ...emptyScope, guild_id: '2' }] },
    ['scopes', 1, 'guild_id'],
    null,
  ),
  'snapshot.id'(body: Body, pick) {
    const [scope] = body.scopes
    const { dm_permission, contexts, integration_types, ...shared } = scope.commands[0]
    const inGuild = { ...shared, guild_id: '2', id: '5' }
    const id = pick(2) === 0 ? shared.id : body.application_id
    const both = [scope, { ...scope, guild_id: '2', commands: [inGuild] }]
    return broken({ ...body, scopes: both }, ['scopes', 1, 'commands', 0, 'id'], id)
  },
  'snapshot.command': (body: Body) => broken(body, ['scopes', 0, 'commands', 0, 'extra'], true),
  'snapshot.latest': (body: Body) => broken(body, ['scopes', 0, 'latest'], body.scopes[0].commands[0].id),
  'snapshot.latest_max': snapshot({ scopes }, ['scopes', 0, 'latest'], '9223372036854775807'),
  'snapshot.tenures': snapshot({ scopes }, ['scopes', 0, 'tenures'], ['4']),
  'snapshot.own_tenure': snapshot({ permissions }, ['permissions', 0, 'tenures', 0], '4'),
  'snapshot.day': snapshot({ scopes }, ['scopes', 0, 'creates', 'day'], '2026-02-30'),
  'snapshot.creates': snapshot({ scopes }, ['scopes', 0, 'creates', 'count'], 1),
  'snapshot.owner': snapshot({ permissions }, ['permissions', 0, 'sets', 0, 'application_id'], '7'),
  'snapshot.permissions': snapshot({ permissions }, ['permissions', 0, 'sets', 0, 'permissions'], []),
}
