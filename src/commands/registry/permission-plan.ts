/** From the permissions of a guild and a change to the next permissions, without side effects. */
import { deepFreeze } from '../../core/freeze.ts'
import type { Commit, Entries } from '../../storage/documents/documents.ts'
import { missingToManage, type PermissionManager } from '../access/manage.ts'
import type { CommandPermission, GuildCommandPermissions } from '../../model/permission-entry.ts'
import type { RegistryEvent } from './events.ts'
import { RegistryError } from './registry-error.ts'
import {
  FORMAT,
  permissionRecord,
  scopeRecord,
  tenureOf,
  type PermissionRecord,
  type ScopeRecord,
} from './record.ts'
import { globalScope, guildScope, permissionsKey, scopeKey } from './scope.ts'

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

export function guildRecords(keys: GuildKeys, [permissions, guild, global]: Entries): GuildRecords {
  return {
    record: permissionRecord(keys[0], permissions),
    scopes: [scopeRecord(keys[1], guild), scopeRecord(keys[2], global)],
  }
}

/** Permissions to set, for a command or the application itself. */
export interface PermissionChange {
  readonly applicationId: string
  readonly guildId: string
  readonly targetId: string
  readonly permissions: readonly CommandPermission[]
}

/** Replaces the permissions of one target, and drops the sets of commands that were deleted or renamed. */
export function planPermissions(
  { applicationId, guildId, targetId, permissions }: PermissionChange,
  records: GuildRecords,
): Commit<GuildCommandPermissions, RegistryEvent> {
  const tenure = targetId === applicationId ? null : tenureOf(records.scopes, targetId)
  if (tenure === undefined)
    throw new RegistryError('unknown_command', {
      message: `unknown command ${targetId}: application ${applicationId} has no such command, neither globally nor in guild ${guildId}`,
    })
  const set = deepFreeze({ id: targetId, application_id: applicationId, guild_id: guildId, permissions })
  const rows = countingRows(applicationId, records).filter((row) => row.set.id !== targetId)
  if (permissions.length > 0) rows.push({ set, tenure })
  return {
    isChange: true,
    next: recordOf(rows),
    result: set,
    events: () => [{ type: 'permissions_updated', applicationId, guildId, permissions: set }],
  }
}

/** @throws RegistryError `missing_permissions` unless a person may set these permissions (clause 5-02) */
export function checkManager(
  manager: PermissionManager,
  { applicationId, guildId, targetId, permissions }: PermissionChange,
  records: GuildRecords,
  now: number,
): void {
  const sets = countingSets(applicationId, records)
  const entriesOf = (id: string) => sets.find((set) => set.id === id)?.permissions ?? []
  const commands = records.scopes.flatMap((record) => record.commands)
  const missing = missingToManage({
    manager,
    guildId,
    command: commands.find(({ id }) => id === targetId) ?? null,
    before: entriesOf(targetId),
    appOverwrites: entriesOf(applicationId),
    after: permissions,
    now,
  })
  if (missing.length > 0) throw new RegistryError('missing_permissions', { missing })
}

interface Row {
  readonly set: GuildCommandPermissions
  readonly tenure: string | null
}

/** The permissions that count in a guild: those of commands that exist and were not renamed since (clause 2.9-09). */
export function countingSets(applicationId: string, records: GuildRecords): GuildCommandPermissions[] {
  return countingRows(applicationId, records).map(({ set }) => set)
}

/** The record without the permissions that do not count: the same one if all count, undefined if none does. */
export function countingRecord(applicationId: string, records: GuildRecords): PermissionRecord | undefined {
  const rows = countingRows(applicationId, records)
  return rows.length > 0 && rows.length === records.record.sets.length ? records.record : recordOf(rows)
}

function recordOf(rows: readonly Row[]): PermissionRecord | undefined {
  if (rows.length === 0) return undefined
  return deepFreeze({
    format: FORMAT,
    sets: rows.map(({ set }) => set),
    tenures: rows.map(({ tenure }) => tenure),
  })
}

function countingRows(applicationId: string, { record, scopes }: GuildRecords): Row[] {
  return record.sets
    .map((set, i): Row => ({ set, tenure: record.tenures[i]! }))
    .filter(({ set: { id }, tenure }) =>
      id === applicationId ? tenure === null : tenureOf(scopes, id) === tenure,
    )
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
