/** From the permissions of a guild and a change to the next permissions, without side effects. */
import { deepFreeze } from '../core/freeze.ts'
import { RegistryError } from './error.ts'
import type { GuildCommandPermissions } from '../permission/entry.ts'
import type { PermissionChange } from './change.ts'
import type { RegistryEvent } from './events.ts'
import {
  FORMAT,
  permissionRecord,
  scopeRecord,
  tenureOf,
  type PermissionRecord,
  type ScopeRecord,
} from './record.ts'
import { globalScope, guildScope, permissionsKey, scopeKey } from './scope.ts'
import type { Entry } from '../storage/store.ts'

/** The documents that decide which permissions count in a guild. */
export interface GuildRecords {
  readonly record: PermissionRecord
  /** The guild's commands and the global ones. */
  readonly scopes: readonly ScopeRecord[]
}

export type GuildKeys = readonly [permissions: string, guild: string, global: string]

/** The keys of the documents that decide which permissions count in a guild. */
export function guildKeys(applicationId: string, guildId: string): GuildKeys {
  return [
    permissionsKey(applicationId, guildId),
    scopeKey(guildScope(applicationId, guildId)),
    scopeKey(globalScope(applicationId)),
  ]
}

export function guildRecords(
  keys: GuildKeys,
  [permissions, guild, global]: readonly (Entry | undefined)[],
): GuildRecords {
  return {
    record: permissionRecord(keys[0], permissions),
    scopes: [scopeRecord(keys[1], guild), scopeRecord(keys[2], global)],
  }
}

export interface PermissionPlan {
  /** The document to write; `undefined` if no permissions remain. */
  readonly next: PermissionRecord | undefined
  /** The new permissions of the command or the application. */
  readonly set: GuildCommandPermissions
  readonly events: readonly RegistryEvent[]
}

/**
 * Replaces the permissions of a command or of the application, and drops the sets of commands that were deleted or
 * renamed since.
 *
 * @throws RegistryError `unknown_command`
 */
export function planPermissions(
  applicationId: string,
  guildId: string,
  { record, scopes }: GuildRecords,
  { targetId, permissions }: PermissionChange,
): PermissionPlan {
  const tenure = targetId === applicationId ? null : tenureOf(scopes, targetId)
  if (tenure === undefined)
    throw new RegistryError('unknown_command', {
      message: `unknown command ${targetId}: application ${applicationId} has no such command, neither globally nor in guild ${guildId}`,
    })
  const set: GuildCommandPermissions = {
    id: targetId,
    application_id: applicationId,
    guild_id: guildId,
    permissions,
  }
  const sets: GuildCommandPermissions[] = []
  const tenures: (string | null)[] = []
  record.sets.forEach((other, i) => {
    if (other.id === targetId || !counts(other, record.tenures[i]!, applicationId, scopes)) return
    sets.push(other)
    tenures.push(record.tenures[i]!)
  })
  if (permissions.length > 0) {
    sets.push(set)
    tenures.push(tenure)
  }
  return {
    next: sets.length === 0 ? undefined : deepFreeze({ format: FORMAT, sets, tenures }),
    set: deepFreeze(set),
    events: [{ type: 'permissions_updated', applicationId, guildId, permissions: set }],
  }
}

/** The permissions that count in a guild: those of commands that exist and were not renamed since (clause 2.9-09). */
export function countingSets(
  applicationId: string,
  { record, scopes }: GuildRecords,
): GuildCommandPermissions[] {
  return record.sets.filter((set, i) => counts(set, record.tenures[i]!, applicationId, scopes))
}

function counts(
  { id }: GuildCommandPermissions,
  tenure: string | null,
  applicationId: string,
  scopes: readonly ScopeRecord[],
): boolean {
  return id === applicationId ? tenure === null : tenureOf(scopes, id) === tenure
}

/** The permissions that count before a change of a scope and not after it. */
export function lostSets(
  applicationId: string,
  record: PermissionRecord,
  before: ScopeRecord,
  after: ScopeRecord,
): GuildCommandPermissions[] {
  const kept = new Set(countingSets(applicationId, { record, scopes: [after] }))
  return countingSets(applicationId, { record, scopes: [before] }).filter((set) => !kept.has(set))
}
