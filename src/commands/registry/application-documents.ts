/** The documents of an application: which there are, what counts of them, and their removal. */
import { batchesOf } from '../../core/batches.ts'
import { isSnowflake, snowflakeTime } from '../../core/snowflake.ts'
import type { GuildCommandPermissions } from '../../model/permission-entry.ts'
import type { Commit, Documents, Entries } from '../../storage/documents/documents.ts'
import { temporaryIn, temporaryPrefix } from '../../storage/documents/temporary.ts'
import { changesBetween, eventsOf } from './changes.ts'
import type { RegistryEvent } from './events.ts'
import {
  countingRecord,
  guildKeys,
  guildRecords,
  lostSets,
  type GuildKeys,
  type GuildRecords,
} from './permission-plan.ts'
import type { PermissionsSnapshot, ScopeSnapshot } from './read-snapshot.ts'
import { createsToday, permissionRecord, scopeRecord, type ScopeRecord } from './record.ts'
import {
  globalScope,
  guildOfKey,
  permissionsKey,
  permissionsPrefix,
  scopeKey,
  scopeOfKey,
  scopesPrefix,
  type Scope,
} from './scope.ts'

/** How many documents are read in one round trip. */
const BATCH = 100

/** Each application that the documents belong to, once. */
export async function* applicationsIn(documents: Documents): AsyncGenerator<string> {
  const seen = new Set<string>()
  for (const prefix of ['scope/', 'permissions/']) {
    for await (const key of documents.each(prefix)) {
      const id = key.split('/')[1]
      if (!isSnowflake(id) || seen.has(id)) continue
      seen.add(id)
      yield id
    }
  }
}

/**
 * Removes all documents of an application. Those of commands come first, so that after an interruption no command is
 * without its permissions.
 *
 * @returns the number of removed documents
 */
export async function removeApplication(
  documents: Documents<RegistryEvent>,
  applicationId: string,
): Promise<number> {
  let removed = 0
  for await (const key of documents.each(scopesPrefix(applicationId))) removed += await remove(documents, key)
  for await (const key of documents.each(permissionsPrefix(applicationId)))
    removed += await remove(documents, key)
  return removed + (await removeTemporary(documents, temporaryPrefix(applicationId)))
}

/** Removes the documents of an application in a guild. @returns the number of removed documents */
export async function removeGuild(
  documents: Documents<RegistryEvent>,
  applicationId: string,
  guildId: string,
): Promise<number> {
  const [permissions, guild] = guildKeys(applicationId, guildId)
  return (await remove(documents, guild)) + (await remove(documents, permissions))
}

function remove(documents: Documents<RegistryEvent>, key: string): Promise<number> {
  const scope = scopeOfKey(key)
  return documents.commit([key], ([entry]) => ({
    isChange: entry !== undefined,
    next: undefined,
    result: entry === undefined ? 0 : 1,
    events: () => (scope === undefined ? endOfPermissions(key, [entry]) : endOfScope(scope, key, [entry])),
  }))
}

function endOfScope(scope: Scope, key: string, [entry]: Entries): readonly RegistryEvent[] {
  return eventsOf(scope, changesBetween(scopeRecord(key, entry).commands, []))
}

/** Permissions of commands end without an event, as the commands do; those of the application have one. */
function endOfPermissions(key: string, [entry]: Entries): readonly RegistryEvent[] {
  return permissionRecord(key, entry)
    .sets.filter(({ id, application_id }) => id === application_id)
    .map((set) => ({
      type: 'permissions_updated',
      applicationId: set.application_id,
      guildId: set.guild_id,
      permissions: { ...set, permissions: [] },
    }))
}

/**
 * Removes what no longer counts, of one application or of all: the permissions of commands that were deleted or renamed,
 * scopes that have been without commands for a day, and temporary documents that have ended.
 *
 * @returns the number of documents that were removed or shortened
 */
export async function sweepDocuments(
  documents: Documents,
  applicationId: string | undefined,
  now: () => number,
): Promise<number> {
  let swept = await removeTemporary(documents, temporaryPrefix(applicationId), now)
  const ids = applicationId === undefined ? applicationsIn(documents) : [applicationId]
  for await (const id of ids) swept += await sweepApplication(documents, id, now)
  return swept
}

async function sweepApplication(
  documents: Documents,
  applicationId: string,
  now: () => number,
): Promise<number> {
  let swept = 0
  const sweep = async (
    keys: readonly string[],
    plan: (entries: Entries) => Commit<number>,
    read: Entries,
  ) => {
    // Most documents need no change, so each is read again only if it does.
    if (plan(read).isChange) swept += await documents.commit(keys, plan)
  }
  for await (const { keys, entries } of guildsOf(documents, applicationId))
    await sweep(keys, planSweep(applicationId, keys), entries)
  for await (const keys of batchesOf(documents.each(scopesPrefix(applicationId)), BATCH)) {
    const entries = await documents.read(keys)
    for (const [i, key] of keys.entries()) await sweep([key], planSpent(key, now), [entries[i]])
  }
  return swept
}

/** Removes the temporary documents with a prefix that have ended; all of them by default. @returns their number */
async function removeTemporary(
  documents: Documents,
  prefix: string,
  now: () => number = () => Infinity,
): Promise<number> {
  const plan = ([entry]: Entries): Commit<number> => {
    const isChange = (temporaryIn(entry)?.until ?? Infinity) < now()
    return { isChange, next: undefined, result: isChange ? 1 : 0 }
  }
  let removed = 0
  for await (const keys of batchesOf(documents.each(prefix), BATCH)) {
    const entries = await documents.read(keys)
    for (const [i, key] of keys.entries()) {
      if (!plan([entries[i]]).isChange) continue
      const also = temporaryIn(entries[i])?.also
      if (also !== undefined) removed += await documents.commit([also], plan)
      removed += await documents.commit([key], plan)
    }
  }
  return removed
}

/** The documents that decide which permissions count in a guild. */
export async function readGuild(
  documents: Documents,
  applicationId: string,
  guildId: string,
): Promise<GuildRecords> {
  const keys = guildKeys(applicationId, guildId)
  return guildRecords(keys, await documents.read(keys))
}

/** The permissions that count before a change of a scope and not after it, in all guilds. */
export async function lostPermissions(
  documents: Documents,
  scope: Scope,
  before: ScopeRecord,
  after: ScopeRecord,
): Promise<GuildCommandPermissions[]> {
  const { applicationId } = scope
  const keys =
    scope.kind === 'guild'
      ? [permissionsKey(applicationId, scope.guildId)]
      : await documents.keys(permissionsPrefix(applicationId))
  const entries = await documents.read(keys)
  return keys.flatMap((key, i) => lostSets(applicationId, permissionRecord(key, entries[i]), before, after))
}

/** Drops the permissions of commands that a change of a guild's commands deleted or renamed. They count no longer. */
export async function sweepAfter(
  documents: Documents,
  scope: Scope,
  before: ScopeRecord,
  after: ScopeRecord,
): Promise<void> {
  if (scope.kind === 'global' || before.tenures.every((tenure) => after.tenures.includes(tenure))) return
  const { applicationId, guildId } = scope
  const keys = guildKeys(applicationId, guildId)
  try {
    const entries = await documents.read(keys)
    const plan = planSweep(applicationId, keys)
    if (plan(entries).isChange) await documents.commit(keys, plan)
  } catch {
    // The change itself is written, and `sweep` removes the rest.
  }
}

/** The scopes of a snapshot, one by one. */
export async function* scopesOf(
  documents: Documents,
  applicationId: string,
  now: number,
): AsyncGenerator<ScopeSnapshot> {
  for await (const keys of batchesOf(documents.each(scopesPrefix(applicationId)), BATCH)) {
    const entries = await documents.read(keys)
    for (const [i, key] of keys.entries()) {
      const entry = entries[i]
      // Removed since the keys were listed.
      if (entry === undefined) continue
      const record = scopeRecord(key, entry)
      const { commands, tenures, creates, latest } = record
      if (!isSpent(record, now)) yield { guild_id: guildOfKey(key), commands, tenures, creates, latest }
    }
  }
}

/** The permissions of a snapshot, guild by guild: those that count. */
export async function* permissionsOf(
  documents: Documents,
  applicationId: string,
): AsyncGenerator<PermissionsSnapshot> {
  for await (const { guildId, records } of guildsOf(documents, applicationId)) {
    const record = countingRecord(applicationId, records)
    if (record !== undefined) yield { guild_id: guildId, sets: record.sets, tenures: record.tenures }
  }
}

interface GuildDocuments {
  readonly guildId: string
  readonly keys: GuildKeys
  readonly entries: Entries
  readonly records: GuildRecords
}

/** The guilds in which an application has permissions, each with the documents that decide which of them count. */
async function* guildsOf(documents: Documents, applicationId: string): AsyncGenerator<GuildDocuments> {
  for await (const batch of batchesOf(documents.each(permissionsPrefix(applicationId)), BATCH)) {
    const guildIds = batch.map(guildOfKey).filter((guildId) => guildId !== null)
    const all = guildIds.map((guildId) => guildKeys(applicationId, guildId))
    // The global commands once, then two documents of each guild.
    const own = all.flatMap(([permissions, guild]) => [permissions, guild])
    const [global, ...read] = await documents.read([scopeKey(globalScope(applicationId)), ...own])
    for (const [i, keys] of all.entries()) {
      const entries = [read[2 * i], read[2 * i + 1], global]
      yield { guildId: guildIds[i]!, keys, entries, records: guildRecords(keys, entries) }
    }
  }
}

/** Drops the permissions that do not count from the document of a guild. */
function planSweep(applicationId: string, keys: GuildKeys) {
  return (entries: Entries): Commit<number> => {
    const records = guildRecords(keys, entries)
    const next = countingRecord(applicationId, records)
    const isChange = entries[0] !== undefined && next !== records.record
    return { isChange, next, result: isChange ? 1 : 0 }
  }
}

function planSpent(key: string, now: () => number) {
  return ([entry]: Entries): Commit<number> => {
    const isChange = entry !== undefined && isSpent(scopeRecord(key, entry), now())
    return { isChange, next: undefined, result: isChange ? 1 : 0 }
  }
}

const DAY = 86_400_000

/**
 * Whether the document of a scope has nothing that later calls need. It limits the creates of a day, and makes new ids
 * later than old ones: after a day without commands that follows from the time, as clocks differ by less.
 */
function isSpent(record: ScopeRecord, now: number): boolean {
  return (
    record.commands.length === 0 &&
    createsToday(record, now) === 0 &&
    snowflakeTime(record.latest) < now - DAY
  )
}
