/** The writes that restore a snapshot. */
import { sameJson } from '../../core/json.ts'
import { compareSnowflakes } from '../../core/snowflake.ts'
import type { Commit, Documents } from '../../storage/documents/documents.ts'
import type { Entry } from '../../storage/store.ts'
import { changesBetween, eventsOf } from './changes.ts'
import type { RegistryEvent } from './events.ts'
import {
  emptyScope,
  FORMAT,
  permissionRecord,
  scopeDocument,
  scopeRecord,
  type PermissionRecord,
} from './record.ts'
import { countingRecord } from './permission-plan.ts'
import type { ApplicationSnapshot, PermissionsSnapshot, ScopeSnapshot } from './read-snapshot.ts'
import { RegistryError } from './registry-error.ts'
import { guildOfKey, permissionsKey, permissionsPrefix, scopeKey, scopeOf, scopesPrefix } from './scope.ts'

/** Writes a snapshot document by document. @throws RegistryError also when only a part was written */
export async function restoreInto(
  documents: Documents<RegistryEvent>,
  snapshot: ApplicationSnapshot,
): Promise<void> {
  const { application_id } = snapshot
  const existing: Existing = {
    scopes: await documents.keys(scopesPrefix(application_id)),
    permissions: await documents.keys(permissionsPrefix(application_id)),
  }
  let hasWritten = false
  for (const { key, plan } of planRestore(snapshot, existing)) {
    try {
      await documents.commit([key], ([entry]) => plan(entry))
    } catch (cause) {
      if (!hasWritten || !(cause instanceof RegistryError)) throw cause
      const message = `the restore was interrupted after some documents were written: ${cause.message}; run it again`
      throw new RegistryError('storage', { message, mayHaveHappened: true, cause })
    }
    hasWritten = true
  }
}

/** The keys of the documents that the store holds. */
type Existing = Readonly<Record<'scopes' | 'permissions', readonly string[]>>

/** The write that restores one document, whatever the store holds at that moment. */
interface Restoration {
  readonly key: string
  plan(entry: Entry | undefined): Commit<void, RegistryEvent>
}

/**
 * The writes that restore a snapshot. Permissions come first: they count only when its commands are there, and earlier
 * ones never count for its commands.
 */
function planRestore(
  { application_id, scopes, permissions }: ApplicationSnapshot,
  existing: Existing,
): readonly Restoration[] {
  /** The guilds of which the snapshot has no part, though the store has a document. */
  const surplus = (keys: readonly string[], parts: readonly { readonly guild_id: string | null }[]) => {
    const restored = new Set(parts.map(({ guild_id }) => guild_id))
    return keys.map(guildOfKey).filter((guild_id) => !restored.has(guild_id))
  }
  const counting = permissions.flatMap((part) => countingPart(application_id, part, scopes))
  return [
    ...counting.map((part) => restorePermissions(application_id, part)),
    ...surplus(existing.permissions, counting)
      .filter((guild_id) => guild_id !== null)
      .map((guild_id) => restorePermissions(application_id, { guild_id, sets: [], tenures: [] })),
    ...scopes.map((part) => restoreScope(application_id, part)),
    ...surplus(existing.scopes, scopes).map((guild_id) =>
      restoreScope(application_id, { ...emptyScope, guild_id }),
    ),
  ]
}

/** The permissions that count beside the commands of the snapshot; empty if none does. */
function countingPart(
  applicationId: string,
  { guild_id, sets, tenures }: PermissionsSnapshot,
  scopes: readonly ScopeSnapshot[],
): readonly PermissionsSnapshot[] {
  const own = scopes.filter((scope) => scope.guild_id === null || scope.guild_id === guild_id)
  const records = { record: { format: FORMAT, sets, tenures }, scopes: own.map(scopeDocument) } as const
  const record = countingRecord(applicationId, records)
  return record === undefined ? [] : [{ guild_id, sets: record.sets, tenures: record.tenures }]
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
