/** An application's documents as one piece of plain JSON, and the writes that restore them. */
import type { ApplicationCommand } from '../command/definition.ts'
import { sameJson } from '../core/json.ts'
import { compareSnowflakes, isSnowflake } from '../core/snowflake.ts'
import type { GuildCommandPermissions } from '../permission/entry.ts'
import type { Entry } from '../storage/store.ts'
import { changesBetween, eventsOf } from './changes.ts'
import type { RegistryEvent } from './events.ts'
import {
  emptyScope,
  FORMAT,
  permissionRecord,
  scopeDocument,
  scopeRecord,
  type PermissionRecord,
  type ScopeRecord,
} from './record.ts'
import { permissionsKey, permissionsPrefix, scopeKey, scopeOf, scopesPrefix } from './scope.ts'
import { SNAPSHOT_FORMAT } from './snapshot-rules.ts'

/** All documents of an application: commands with their versions, creates of the day, permissions. Plain JSON. */
export interface ApplicationSnapshot {
  readonly format: typeof SNAPSHOT_FORMAT
  readonly application_id: string
  /** The global scope first, then the guilds; only scopes that ever had a command. */
  readonly scopes: readonly ScopeSnapshot[]
  /** Only guilds with permissions. */
  readonly permissions: readonly PermissionsSnapshot[]
}

/** The commands of one scope. */
export interface ScopeSnapshot {
  /** The guild; null for the global scope. */
  readonly guild_id: string | null
  /** The commands, in the order of a list response. */
  readonly commands: readonly ApplicationCommand[]
  /** For each command a value that changes with its name; permissions refer to it. */
  readonly tenures: readonly string[]
  /** The number of commands created on the last UTC day with a create. */
  readonly creates: { readonly day: string; readonly count: number }
  /** The latest id or version of the scope; new ones are later. */
  readonly latest: string
}

/** The permissions of an application in one guild. */
export interface PermissionsSnapshot {
  readonly guild_id: string
  /** The permissions of each command, and of the application. */
  readonly sets: readonly GuildCommandPermissions[]
  /** The tenure of each set's command; null for the application's own set. */
  readonly tenures: readonly (string | null)[]
}

/** The prefixes of the keys of an application's documents, in the order of a snapshot. */
export function documentPrefixes(applicationId: string): readonly string[] {
  return [scopesPrefix(applicationId), permissionsPrefix(applicationId)]
}

/** The snapshot of the documents with these keys. */
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

/** The guild at the end of a key; null for the key of a global scope. */
function guildOfKey(key: string): string | null {
  const last = key.slice(key.lastIndexOf('/') + 1)
  return isSnowflake(last) ? last : null
}

/** The write that restores one document, whatever the store holds at that moment. */
export interface Restoration {
  readonly key: string
  plan(entry: Entry | undefined): {
    readonly isChange: boolean
    readonly next: ScopeRecord | PermissionRecord | undefined
    events(): readonly RegistryEvent[]
  }
}

/**
 * The writes that restore a snapshot. Permissions come first: those of the snapshot count only when its commands are
 * there, and earlier ones never count for its commands.
 *
 * @param existing the keys of the documents that the store holds of the application
 */
export function planRestore(
  snapshot: ApplicationSnapshot,
  existing: readonly string[],
): readonly Restoration[] {
  const { application_id } = snapshot
  const permissions = snapshot.permissions.map((each) => restorePermissions(application_id, each))
  const scopes = snapshot.scopes.map((each) => restoreScope(application_id, each))
  const restored = new Set([...permissions, ...scopes].map(({ key }) => key))
  for (const key of existing) {
    if (restored.has(key)) continue
    const guild_id = guildOfKey(key)
    if (guild_id !== null && key.startsWith(permissionsPrefix(application_id)))
      permissions.push(restorePermissions(application_id, { guild_id, sets: [], tenures: [] }))
    else scopes.push(restoreScope(application_id, { guild_id, ...emptyScope }))
  }
  return [...permissions, ...scopes]
}

function restorePermissions(
  applicationId: string,
  { guild_id, sets, tenures }: PermissionsSnapshot,
): Restoration {
  const key = permissionsKey(applicationId, guild_id)
  return {
    key,
    plan(entry) {
      const before = permissionRecord(key, entry)
      const next: PermissionRecord = Object.freeze({ format: FORMAT, sets, tenures })
      if (sameJson(before, next)) return { isChange: false, next: before, events: () => [] }
      const ids = new Set(sets.map(({ id }) => id))
      const removed = before.sets.filter(({ id }) => !ids.has(id)).map((set) => ({ ...set, permissions: [] }))
      const changed = sets.filter((set) => !before.sets.some((other) => sameJson(other, set)))
      return {
        isChange: true,
        next: sets.length === 0 ? undefined : next,
        events: () =>
          [...removed, ...changed].map((permissions) => ({
            type: 'permissions_updated',
            applicationId,
            guildId: guild_id,
            permissions,
          })),
      }
    },
  }
}

function restoreScope(
  applicationId: string,
  { guild_id, commands, tenures, creates, latest }: ScopeSnapshot,
): Restoration {
  const scope = scopeOf(applicationId, guild_id)
  const key = scopeKey(scope)
  return {
    key,
    plan(entry) {
      const before = scopeRecord(key, entry)
      // New ids and versions must be later than all that the scope ever had.
      const later = compareSnowflakes(before.latest, latest) > 0 ? before.latest : latest
      const next = scopeDocument({ commands, tenures, creates, latest: later })
      if (sameJson(before, next)) return { isChange: false, next: before, events: () => [] }
      const events = () => eventsOf(scope, changesBetween(before.commands, commands))
      return { isChange: true, next, events }
    },
  }
}
