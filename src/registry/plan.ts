/**
 * From a state and a change to the next state, without doing anything: what is to be written, what to answer, and
 * what to tell the listeners. Every consequence the specification states is visible here.
 */
import type { ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand, CommandDefinition } from '../command/definition.ts'
import { parsePatch, patchType } from '../command/parse.ts'
import { identity } from '../command/set.ts'
import { secondsToNextDay, utcDay } from '../core/clock.ts'
import { sameJson } from '../core/json.ts'
import { Report } from '../core/report.ts'
import { laterSnowflake, type IdSource } from '../core/snowflake.ts'
import { described } from '../core/text.ts'
import type { GuildCommandPermissions } from '../permission/overwrite.ts'
import { admit } from './admission.ts'
import type { PermissionChange, ScopeChange } from './change.ts'
import { RegistryError } from './error.ts'
import type { RegistryEvent } from './events.ts'
import { FORMAT, indexOfCommand, tenureOf, type PermissionRecord, type ScopeRecord } from './record.ts'
import { entryPointKept, isEntryPoint } from '../command/scope-rules.ts'
import type { Scope } from './scope.ts'

/** What the outside knows. No module reads a clock or makes an id by itself. */
export interface Environment {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly ids: IdSource
  readonly application: ApplicationSettings
}

export interface ScopePlan {
  /** What is to be written; the very record it was made from when nothing changes. */
  readonly next: ScopeRecord
  /** The commands the change is about: one, or after an overwrite all. */
  readonly commands: readonly ApplicationCommand[]
  readonly created: number
  readonly events: readonly RegistryEvent[]
}

/** @throws RegistryError when the change cannot be made; then nothing is to be written */
export function planScope(
  scope: Scope,
  record: ScopeRecord,
  change: ScopeChange,
  env: Environment,
): ScopePlan {
  switch (change.kind) {
    case 'upsert': {
      const key = identity(change.definition)
      const index = record.commands.findIndex((command) => identity(command) === key)
      return put(scope, record, index, change.definition, env)
    }
    case 'edit': {
      const index = place(record, change.commandId)
      const context = { application: env.application }
      const read = parsePatch(change.body, record.commands[index]!, context)
      if (!read.ok) throw new RegistryError('invalid', { issues: read.issues, body: change.body })
      return put(scope, record, index, read.value, env)
    }
    case 'remove':
      return remove(scope, record, place(record, change.commandId))
    case 'overwrite':
      return overwrite(scope, record, change, env)
    case 'launch': {
      const existing = record.commands.find(isEntryPoint)
      if (existing === undefined) return put(scope, record, -1, change.definition, env)
      return { next: record, commands: [existing], created: 0, events: [] }
    }
  }
}

function place(record: ScopeRecord, commandId: string): number {
  const index = indexOfCommand(record, commandId)
  if (index < 0) throw new RegistryError('unknown_command')
  return index
}

/** One command replaced, or added when the index is -1. */
function put(
  scope: Scope,
  record: ScopeRecord,
  index: number,
  definition: CommandDefinition,
  env: Environment,
): ScopePlan {
  const ids = laterIds(record, env)
  const current = record.commands[index]
  const command = succeed(scope, current, definition, ids)
  if (command === current) return { next: record, commands: [command], created: 0, events: [] }
  const created = current === undefined ? 1 : 0
  const tenure = tenureAfter(current, record.tenures[index], command)
  const next: ScopeRecord = {
    format: FORMAT,
    commands: current === undefined ? [...record.commands, command] : record.commands.with(index, command),
    tenures: current === undefined ? [...record.tenures, tenure] : record.tenures.with(index, tenure),
    creates: createsAfter(record, created, env),
    latest: ids.latest,
  }
  admit(next, { created, secondsLeft: () => secondsLeft(next, env) })
  const type = current === undefined ? 'command_created' : 'command_updated'
  return { next, commands: [command], created, events: [{ type, scope, command }] }
}

function remove(scope: Scope, record: ScopeRecord, index: number): ScopePlan {
  const command = record.commands[index]!
  const next: ScopeRecord = {
    ...record,
    commands: record.commands.toSpliced(index, 1),
    tenures: record.tenures.toSpliced(index, 1),
  }
  return { next, commands: [command], created: 0, events: [{ type: 'command_deleted', scope, command }] }
}

/**
 * The whole list replaced: an item stands for the command it names by id, else for the one of its type and name
 * that no other item names; the rest are new, and what no item stands for is deleted (clause 4.1-07).
 */
function overwrite(
  scope: Scope,
  record: ScopeRecord,
  { definitions, bodies }: Extract<ScopeChange, { kind: 'overwrite' }>,
  env: Environment,
): ScopePlan {
  const matches = match(record, definitions)
  refuseOtherTypes(record, definitions, matches, bodies)
  const ids = laterIds(record, env)
  const events: RegistryEvent[] = []
  const tenures: string[] = []
  let created = 0
  const commands = definitions.map((definition, i) => {
    const index = matches[i]!
    const current = record.commands[index]
    const command = succeed(scope, current, definition, ids)
    tenures.push(tenureAfter(current, record.tenures[index], command))
    if (current === undefined) {
      created++
      events.push({ type: 'command_created', scope, command })
    } else if (command !== current) events.push({ type: 'command_updated', scope, command })
    return command
  })
  if (!entryPointKept.check(record.commands, commands)) {
    const report = new Report()
    report.add(entryPointKept, {})
    throw new RegistryError('entry_point_required', { issues: report.issues! })
  }
  const kept = new Set(matches)
  record.commands.forEach((command, index) => {
    if (!kept.has(index)) events.push({ type: 'command_deleted', scope, command })
  })
  const same =
    commands.length === record.commands.length &&
    commands.every((command, i) => command === record.commands[i])
  if (same) return { next: record, commands: record.commands, created: 0, events: [] }
  const creates = createsAfter(record, created, env)
  const next: ScopeRecord = { format: FORMAT, commands, tenures, creates, latest: ids.latest }
  admit(next, { created, secondsLeft: () => secondsLeft(next, env), bodies })
  return { next, commands, created, events }
}

/** For each definition the index of the command it stands for, or -1. */
function match(record: ScopeRecord, definitions: readonly CommandDefinition[]): number[] {
  const byId = definitions.map(({ id }) => (id === undefined ? -1 : indexOfCommand(record, id)))
  const claimed = new Set(byId)
  const byIdentity = new Map<string, number>()
  record.commands.forEach((command, index) => {
    if (!claimed.has(index)) byIdentity.set(identity(command), index)
  })
  return definitions.map((definition, i) =>
    byId[i]! >= 0 ? byId[i]! : (byIdentity.get(identity(definition)) ?? -1),
  )
}

/** An item that names a command of another type by id: types cannot change (clause 2.1-02). */
function refuseOtherTypes(
  record: ScopeRecord,
  definitions: readonly CommandDefinition[],
  matches: readonly number[],
  bodies: unknown,
): void {
  const report = new Report()
  definitions.forEach(({ type }, i) => {
    const current = record.commands[matches[i]!]
    if (current === undefined || patchType.check(type, current.type)) return
    report.add(patchType, { actual: described(type), current: current.type }, i, 'type')
  })
  if (report.issues !== null) throw new RegistryError('invalid', { issues: report.issues, body: bodies })
}

/** Ids and versions for the next state of a scope: later than all it has seen. */
interface LaterIds {
  latest: string
  next(): string
}

function laterIds(record: ScopeRecord, { ids }: Environment): LaterIds {
  return {
    latest: record.latest,
    next() {
      return (this.latest = laterSnowflake(ids.next(this.latest), this.latest))
    },
  }
}

/** A new command, or what an existing one becomes: the very same when nothing new is said (clause 2.1-18). */
function succeed(
  scope: Scope,
  current: ApplicationCommand | undefined,
  definition: CommandDefinition,
  ids: LaterIds,
): ApplicationCommand {
  if (current === undefined) return commandOf(scope, definition, ids.next(), ids.next())
  const next = commandOf(scope, definition, current.id, current.version)
  return sameJson(current, next) ? current : { ...next, version: ids.next() }
}

/** A command with exactly the keys that the service answers, in its order (clause 2.1-21). */
export function commandOf(
  scope: Scope,
  definition: CommandDefinition,
  id: string,
  version: string,
): ApplicationCommand {
  const { options, handler, default_permission } = definition
  return {
    id,
    application_id: scope.applicationId,
    version,
    default_member_permissions: definition.default_member_permissions,
    type: definition.type,
    name: definition.name,
    name_localizations: definition.name_localizations,
    description: definition.description,
    description_localizations: definition.description_localizations,
    ...(scope.kind === 'guild'
      ? { guild_id: scope.guildId }
      : {
          dm_permission: definition.dm_permission ?? true,
          contexts: definition.contexts ?? null,
          integration_types: definition.integration_types ?? [],
        }),
    ...(options === undefined ? undefined : { options }),
    nsfw: definition.nsfw,
    ...(handler === undefined ? undefined : { handler }),
    ...(default_permission === undefined ? undefined : { default_permission }),
  }
}

/** Kept while the command keeps its name; new with every new name, and the version is always new then. */
function tenureAfter(
  current: ApplicationCommand | undefined,
  tenure: string | undefined,
  command: ApplicationCommand,
): string {
  return current !== undefined && current.name === command.name ? tenure! : command.version
}

function createsAfter(record: ScopeRecord, created: number, { now }: Environment): ScopeRecord['creates'] {
  if (created === 0) return record.creates
  return { day: dayOf(record, now), count: createsToday(record, now) + created }
}

/** How many commands were created in a scope on the day of `now`. */
export function createsToday(record: ScopeRecord, now: number): number {
  return record.creates.day === dayOf(record, now) ? record.creates.count : 0
}

/** Seconds until the day is over in which the creates of a scope are counted. */
function secondsLeft({ creates }: ScopeRecord, { now }: Environment): number {
  const left = secondsToNextDay(now)
  return creates.day > utcDay(now) ? left + secondsToNextDay(now + left * 1000) : left
}

/** Around midnight the clocks of several writers disagree; whoever is late counts on in the day that has begun. */
function dayOf({ creates }: ScopeRecord, now: number): string {
  const next = utcDay(now + secondsToNextDay(now) * 1000)
  return creates.day === next ? next : utcDay(now)
}

export interface PermissionPlan {
  /** `undefined` when nothing is left to store. */
  readonly next: PermissionRecord | undefined
  readonly set: GuildCommandPermissions
  readonly events: readonly RegistryEvent[]
}

/**
 * The entries of a command, or of the application, replaced. Sets whose command is gone or has another name by
 * now are swept out on the way.
 *
 * @param scopes the guild's commands and the global ones, as they were read together with the permissions
 */
export function planPermissions(
  applicationId: string,
  guildId: string,
  record: PermissionRecord,
  scopes: readonly ScopeRecord[],
  { targetId, permissions }: PermissionChange,
): PermissionPlan {
  const tenure = targetId === applicationId ? null : tenureOf(scopes, targetId)
  if (tenure === undefined) throw new RegistryError('unknown_command')
  const set: GuildCommandPermissions = {
    id: targetId,
    application_id: applicationId,
    guild_id: guildId,
    permissions,
  }
  const sets: GuildCommandPermissions[] = []
  const tenures: (string | null)[] = []
  record.sets.forEach((other, i) => {
    if (other.id === targetId || !isLive(other, record.tenures[i]!, applicationId, scopes)) return
    sets.push(other)
    tenures.push(record.tenures[i]!)
  })
  if (permissions.length > 0) {
    sets.push(set)
    tenures.push(tenure)
  }
  return {
    next: sets.length === 0 ? undefined : { format: FORMAT, sets, tenures },
    set,
    events: [{ type: 'permissions_updated', applicationId, guildId, permissions: set }],
  }
}

/** Whether a set of permissions still counts: its command is there and was not renamed since (2.9-09). */
export function isLive(
  { id }: GuildCommandPermissions,
  tenure: string | null,
  applicationId: string,
  scopes: readonly ScopeRecord[],
): boolean {
  return id === applicationId ? tenure === null : tenureOf(scopes, id) === tenure
}
