/** An application's documents as one piece of plain JSON, and the writes that restore them. */
import { sameJson } from '../../core/json.ts'
import { compareSnowflakes, isSnowflake } from '../../core/snowflake.ts'
import type { Entry } from '../../storage/store.ts'
import { changesBetween, eventsOf } from './changes.ts'
import type { Commit } from './documents.ts'
import {
  emptyScope,
  FORMAT,
  permissionRecord,
  scopeDocument,
  scopeRecord,
  type PermissionRecord,
} from './record.ts'
import type { ApplicationSnapshot, PermissionsSnapshot, ScopeSnapshot } from './read-snapshot.ts'
import { permissionsKey, permissionsPrefix, scopeKey, scopeOf, scopesPrefix } from './scope.ts'
import { SNAPSHOT_FORMAT } from './snapshot-rules.ts'

/** The prefixes of the keys of an application's documents, in the order of a snapshot. */
export function documentPrefixes(applicationId: string): readonly string[] {
  return [scopesPrefix(applicationId), permissionsPrefix(applicationId)]
}

export function snapshotOf(
  applicationId: string,
  keys: readonly string[],
  entries: readonly (Entry | undefined)[],
): ApplicationSnapshot {
  const scopes: ScopeSnapshot[] = []
  const permissions: PermissionsSnapshot[] = []
  keys.forEach((key, i) => {
    const entry = entries[i]
    // Removed since the keys were listed.
    if (entry === undefined) return
    const guild_id = guildOfKey(key)
    if (guild_id !== null && key.startsWith(permissionsPrefix(applicationId))) {
      const { sets, tenures } = permissionRecord(key, entry)
      permissions.push({ guild_id, sets, tenures })
    } else {
      const { commands, tenures, creates, latest } = scopeRecord(key, entry)
      scopes.push({ guild_id, commands, tenures, creates, latest })
    }
  })
  return { format: SNAPSHOT_FORMAT, application_id: applicationId, scopes, permissions }
}

function guildOfKey(key: string): string | null {
  const last = key.slice(key.lastIndexOf('/') + 1)
  return isSnowflake(last) ? last : null
}

/** The write that restores one document, whatever the store holds at that moment. */
export interface Restoration {
  readonly key: string
  plan(entry: Entry | undefined): Commit<void>
}

/**
 * The writes that restore a snapshot. Permissions come first: they count only when its commands are there, and earlier
 * ones never count for its commands. `existing` has the keys of the documents that the store holds.
 */
export function planRestore(
  { application_id, scopes, permissions }: ApplicationSnapshot,
  existing: readonly string[],
): readonly Restoration[] {
  /** The guilds of which the snapshot has no part, though the store has a document. */
  const surplus = (prefix: string, parts: readonly { readonly guild_id: string | null }[]) => {
    const restored = new Set(parts.map(({ guild_id }) => guild_id))
    const guilds = existing.filter((key) => key.startsWith(prefix)).map(guildOfKey)
    return guilds.filter((guild_id) => !restored.has(guild_id))
  }
  const [scopesAt, permissionsAt] = documentPrefixes(application_id)
  return [
    ...permissions.map((part) => restorePermissions(application_id, part)),
    ...surplus(permissionsAt!, permissions)
      .filter((guild_id) => guild_id !== null)
      .map((guild_id) => restorePermissions(application_id, { guild_id, sets: [], tenures: [] })),
    ...scopes.map((part) => restoreScope(application_id, part)),
    ...surplus(scopesAt!, scopes).map((guild_id) =>
      restoreScope(application_id, { ...emptyScope, guild_id }),
    ),
  ]
}

function restorePermissions(
  applicationId: string,
  { guild_id: guildId, sets, tenures }: PermissionsSnapshot,
): Restoration {
  const key = permissionsKey(applicationId, guildId)
  const next: PermissionRecord = Object.freeze({ format: FORMAT, sets, tenures })
  return {
    key,
    plan(entry) {
      const before = permissionRecord(key, entry)
      const ids = new Set(sets.map(({ id }) => id))
      const removed = before.sets.filter(({ id }) => !ids.has(id)).map((set) => ({ ...set, permissions: [] }))
      const changed = sets.filter((set) => !before.sets.some((other) => sameJson(other, set)))
      return {
        isChange: !sameJson(before, next),
        next: sets.length === 0 ? undefined : next,
        result: undefined,
        events: () =>
          [...removed, ...changed].map((permissions) => ({
            type: 'permissions_updated',
            applicationId,
            guildId,
            permissions,
          })),
      }
    },
  }
}

function restoreScope(applicationId: string, { guild_id, ...part }: ScopeSnapshot): Restoration {
  const scope = scopeOf(applicationId, guild_id)
  const key = scopeKey(scope)
  return {
    key,
    plan(entry) {
      const before = scopeRecord(key, entry)
      // New ids and versions must be later than all that the scope ever had.
      const latest = compareSnowflakes(before.latest, part.latest) > 0 ? before.latest : part.latest
      const next = scopeDocument({ ...part, latest })
      const events = () => eventsOf(scope, changesBetween(before.commands, part.commands))
      return { isChange: !sameJson(before, next), next, result: undefined, events }
    },
  }
}
