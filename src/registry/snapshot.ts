/**
 * All that is stored of an application as one piece of plain JSON, and back. A snapshot moves an application to
 * another store, and is the backup of one.
 */
import { openApplication, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { parseCommand } from '../command/parse.ts'
import { commandIdUnique, commandUnique, countRules, identity, surplus } from '../command/set.ts'
import { DAILY_CREATES_MAX } from '../command/scope-rules.ts'
import * as shape from '../command/shape.ts'
import { SNAPSHOT_FORMAT, snapshotFormat, snapshotState } from '../command/snapshot-rules.ts'
import { utcDay } from '../core/clock.ts'
import { isObject, sameJson, type JsonObject } from '../core/json.ts'
import { MOST_ISSUES, Report, type Issue } from '../core/report.ts'
import type { Path, Rule } from '../core/rule.ts'
import { compareSnowflakes, isSnowflake } from '../core/snowflake.ts'
import { described } from '../core/text.ts'
import { validation, type Validation } from '../core/validation.ts'
import { parsePermissions, type GuildCommandPermissions } from '../permission/overwrite.ts'
import type { Entry } from '../storage/store.ts'
import type { RegistryEvent } from './events.ts'
import { commandOf } from './plan.ts'
import {
  emptyPermissions,
  emptyScope,
  FORMAT,
  recordOf,
  type PermissionRecord,
  type ScopeRecord,
} from './record.ts'
import { globalScope, guildScope, permissionsKey, permissionsPrefix, scopeKey, type Scope } from './scope.ts'

/** An application as it stood: commands with their versions, the day's creates, permissions. Plain JSON. */
export interface ApplicationSnapshot {
  readonly format: typeof SNAPSHOT_FORMAT
  readonly application_id: string
  /** The global scope first, then guild by guild; only scopes that ever had a command. */
  readonly scopes: readonly ScopeSnapshot[]
  /** Only guilds in which permissions are set. */
  readonly permissions: readonly PermissionsSnapshot[]
}

export interface ScopeSnapshot {
  /** Null for the global scope. */
  readonly guild_id: string | null
  readonly commands: readonly ApplicationCommand[]
  /** For each command, in their order, since when it bears its name; permissions refer to it. */
  readonly tenures: readonly string[]
  /** How many commands were created on a UTC day; of other days nothing needs to be known. */
  readonly creates: { readonly day: string; readonly count: number }
  /** The latest id or version the scope has given; new ones are later. */
  readonly latest: string
}

export interface PermissionsSnapshot {
  readonly guild_id: string
  readonly sets: readonly GuildCommandPermissions[]
  /** For each set, in their order, the tenure of its command; null for the application's own. */
  readonly tenures: readonly (string | null)[]
}

// --- Taking one -----------------------------------------------------------------------------------------------

/** The prefixes under which an application's documents are, in the order of a snapshot. */
export function documentPrefixes(applicationId: string): readonly string[] {
  return [scopesPrefix(applicationId), permissionsPrefix(applicationId)]
}

function scopesPrefix(applicationId: string): string {
  const key = scopeKey(globalScope(applicationId))
  return key.slice(0, key.lastIndexOf('/') + 1)
}

/** The snapshot of documents as they were read under their keys. */
export function snapshotOf(
  applicationId: string,
  keys: readonly string[],
  entries: readonly (Entry | undefined)[],
): ApplicationSnapshot {
  const scopes: ScopeSnapshot[] = []
  const permissions: PermissionsSnapshot[] = []
  keys.forEach((key, i) => {
    const value = entries[i]?.value
    // Removed since the keys were listed.
    if (value === undefined) return
    const guild_id = guildOf(key)
    if (guild_id !== null && key.startsWith(permissionsPrefix(applicationId))) {
      const { sets, tenures } = recordOf(value, emptyPermissions)
      permissions.push({ guild_id, sets, tenures })
    } else {
      const { commands, tenures, creates, latest } = recordOf(value, emptyScope)
      scopes.push({ guild_id, commands, tenures, creates, latest })
    }
  })
  return { format: SNAPSHOT_FORMAT, application_id: applicationId, scopes, permissions }
}

/** The guild that a key ends with; null when it is the key of a global scope. */
function guildOf(key: string): string | null {
  const last = key.slice(key.lastIndexOf('/') + 1)
  return isSnowflake(last) ? last : null
}

// --- Putting it back --------------------------------------------------------------------------------------------

/** What becomes of one document, whatever stands there at the time of writing. */
export interface Restoration {
  readonly key: string
  plan(entry: Entry | undefined): {
    readonly next: ScopeRecord | PermissionRecord | undefined
    readonly events: readonly RegistryEvent[]
  }
}

/**
 * The writes that make an application what a snapshot says. Permissions come first: those of the snapshot count
 * only once its commands are there, and none that stood here before can count for them.
 *
 * @param held the keys of the documents the store holds of the application
 */
export function planRestore(snapshot: ApplicationSnapshot, held: readonly string[]): readonly Restoration[] {
  const { application_id } = snapshot
  const permissions = snapshot.permissions.map((each) => restorePermissions(application_id, each))
  const scopes = snapshot.scopes.map((each) => restoreScope(application_id, each))
  const named = new Set([...permissions, ...scopes].map(({ key }) => key))
  for (const key of held) {
    if (named.has(key)) continue
    const guild_id = guildOf(key)
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
  return {
    key: permissionsKey(applicationId, guild_id),
    plan(entry) {
      const before = recordOf<PermissionRecord>(entry?.value, emptyPermissions)
      const next: PermissionRecord = { format: FORMAT, sets, tenures }
      if (sameJson(before, next)) return { next: entry === undefined ? undefined : before, events: [] }
      const now = new Set(sets.map(({ id }) => id))
      const gone = before.sets.filter(({ id }) => !now.has(id)).map((set) => ({ ...set, permissions: [] }))
      const changed = sets.filter((set) => !before.sets.some((other) => sameJson(other, set)))
      return {
        next: sets.length === 0 ? undefined : next,
        events: [...gone, ...changed].map((permissions) => ({
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
  return {
    key: scopeKey(scope),
    plan(entry) {
      const before = recordOf<ScopeRecord>(entry?.value, emptyScope)
      // Whatever this scope has given stays given: ids and versions yet to come are later than all of it.
      const later = compareSnowflakes(before.latest, latest) > 0 ? before.latest : latest
      const next: ScopeRecord = { format: FORMAT, commands, tenures, creates, latest: later }
      if (sameJson(before, next)) return { next: before, events: [] }
      const old = new Map(before.commands.map((command) => [command.id, command]))
      const events: RegistryEvent[] = []
      for (const command of commands) {
        const previous = old.get(command.id)
        old.delete(command.id)
        if (previous === undefined) events.push({ type: 'command_created', scope, command })
        else if (!sameJson(previous, command)) events.push({ type: 'command_updated', scope, command })
      }
      for (const command of old.values()) events.push({ type: 'command_deleted', scope, command })
      return { next, events }
    },
  }
}

function scopeOf(applicationId: string, guildId: string | null): Scope {
  return guildId === null ? globalScope(applicationId) : guildScope(applicationId, guildId)
}

// --- Reading one ------------------------------------------------------------------------------------------------

/**
 * Reads a snapshot that comes from outside and trusts nothing in it: what is restored has to be what a registry
 * could have stored. Every fault is told at its path. What the application may do today is not looked at: its
 * commands were admitted when they were created.
 */
export function readSnapshot(body: unknown): Validation<ApplicationSnapshot> {
  const reader = new SnapshotReader()
  const value = reader.read(body)
  return validation(value, reader.report, body)
}

class SnapshotReader {
  readonly report = new Report()
  /** For each id, the guild of its scope, null for the global one. */
  readonly #scopesOfIds = new Map<string, string | null>()

  read(body: unknown): ApplicationSnapshot | undefined {
    if (!isObject(body)) return this.#object(body, [])
    const { format, application_id, scopes, permissions } = body
    if (!snapshotFormat.check(format)) {
      // Of another format nothing else is known.
      this.#add(snapshotFormat, shape.found(format), ['format'])
      return undefined
    }
    if (!this.#is<string>(shape.snowflake, application_id, ['application_id'])) return undefined
    return {
      format: SNAPSHOT_FORMAT,
      application_id,
      scopes: this.#each(scopes, ['scopes'], (scope, path) => this.#scope(scope, path, application_id)),
      permissions: this.#each(permissions, ['permissions'], (set, path) =>
        this.#permissions(set, path, application_id),
      ),
    }
  }

  /** A list of things about different guilds. */
  #each<T>(value: unknown, path: Path, read: (item: JsonObject, path: Path) => T): T[] {
    const seen = new Set<unknown>()
    return this.#list(value, path).map((item, index) => {
      const at = [...path, index]
      if (!isObject(item)) return this.#object(item, at) as T
      const { guild_id } = item
      if (seen.has(guild_id)) this.#fault([...at, 'guild_id'], `is ${described(guild_id)} a second time`)
      seen.add(guild_id)
      return read(item, at)
    })
  }

  #scope(body: JsonObject, path: Path, applicationId: string): ScopeSnapshot {
    const { latest, creates } = body
    let guildId: string | null = null
    if (body.guild_id !== null && this.#is<string>(shape.snowflake, body.guild_id, [...path, 'guild_id']))
      guildId = body.guild_id
    const scope = scopeOf(applicationId, guildId)
    const bodies = this.#list(body.commands, [...path, 'commands'])
    const commands = bodies.map((item, i) => this.#command(item, [...path, 'commands', i], scope))
    this.#together(commands, [...path, 'commands'])
    const tenures = this.#tenures(body.tenures, [...path, 'tenures'], commands.length, false) as string[]
    this.#is(shape.snowflake, latest, [...path, 'latest'])
    const given = [...commands.flatMap((command) => [command?.id, command?.version]), ...tenures]
    const tooLate = given.find(
      (id) => isSnowflake(id) && isSnowflake(latest) && compareSnowflakes(id, latest) > 0,
    )
    if (tooLate !== undefined)
      this.#fault(
        [...path, 'latest'],
        `is ${described(latest)}, though the scope holds ${tooLate}, which is later`,
      )
    if (isSnowflake(latest) && compareSnowflakes(latest, LATEST_MAX) > 0)
      this.#fault([...path, 'latest'], `is ${described(latest)}, which leaves no room for later ids`)
    commands.forEach((command, i) => this.#once(command, [...path, 'commands', i, 'id'], guildId))
    return {
      guild_id: guildId,
      commands,
      tenures,
      creates: this.#creates(creates, [...path, 'creates']),
      latest: latest as string,
    }
  }

  /** No id is of two scopes: what is set for one command would be set for the other too. */
  #once(command: ApplicationCommand | undefined, path: Path, guildId: string | null): void {
    if (command === undefined || !isSnowflake(command.id)) return
    const other = this.#scopesOfIds.get(command.id)
    if (other === undefined) this.#scopesOfIds.set(command.id, guildId)
    else if (other !== guildId) this.#fault(path, `is ${command.id}, as in another scope`)
  }

  /** A command has to be, key by key, what the registry would make of it. */
  #command(body: unknown, path: Path, scope: Scope): ApplicationCommand {
    if (!isObject(body)) return this.#object(body, path) as unknown as ApplicationCommand
    const { id, version } = body
    const isOld = this.#is<string>(shape.snowflake, id, [...path, 'id'])
    if (!this.#is<string>(shape.snowflake, version, [...path, 'version']) || !isOld) return body as never
    const context = { scope: scope.kind, application: 'handler' in body ? openApplication : withoutActivity }
    const read = parseCommand(body, context)
    if (!read.ok) {
      this.#take(read.issues, path)
      return body as never
    }
    const command = commandOf(scope, read.value, id, version)
    const said: JsonObject = { ...command }
    for (const key of new Set([...Object.keys(body), ...Object.keys(command)])) {
      if (!sameJson(body[key], said[key]) || (Object.hasOwn(body, key) && !Object.hasOwn(said, key)))
        this.#fault([...path, key], 'is not what the service answers for this command')
    }
    return command
  }

  /** The commands of a scope: few enough, with different ids, and different names within their type. */
  #together(commands: readonly ApplicationCommand[], path: Path): void {
    const ids = new Map<string, number>()
    const names = new Map<string, number>()
    commands.forEach((command, index) => {
      if (command === undefined || !isSnowflake(command.id) || typeof command.name !== 'string') return
      const { id, type, name } = command
      const twin = ids.get(id)
      if (!commandIdUnique.check(twin))
        this.#add(commandIdUnique, { id, index: twin! }, [...path, index, 'id'])
      else ids.set(id, index)
      const first = names.get(identity(command))
      if (!commandUnique.check(first, index))
        this.#add(commandUnique, { name, type, index: first! }, [...path, index])
      else names.set(identity(command), index)
    })
    const typed = commands.map((command) => ({ type: countRules[command?.type] && command.type }))
    for (const { index, type } of surplus(typed)) {
      this.#add(countRules[type], { actual: countRules[type].limit!.max! + 1 }, [...path, index])
    }
  }

  #tenures(value: unknown, path: Path, count: number, canBeNull: boolean): unknown[] {
    const tenures = this.#list(value, path)
    if (Array.isArray(value) && tenures.length !== count)
      this.#fault(path, `has ${tenures.length} entries, but there are ${count} to go with them`)
    tenures.forEach((tenure, i) => {
      if (tenure !== null || !canBeNull) this.#is(shape.snowflake, tenure, [...path, i])
    })
    return [...tenures]
  }

  #creates(value: unknown, path: Path): ScopeSnapshot['creates'] {
    if (!isObject(value)) return this.#object(value, path) as never
    const { day, count } = value
    if (day !== '' && !isDay(day))
      this.#fault([...path, 'day'], `is ${described(day)}; a day is written like 2026-01-31`)
    const most = day === '' ? 0 : DAILY_CREATES_MAX
    if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > most)
      this.#fault([...path, 'count'], `is ${described(count)}; a whole number from 0 to ${most} belongs here`)
    return { day: day as string, count: count as number }
  }

  #permissions(body: JsonObject, path: Path, applicationId: string): PermissionsSnapshot {
    const guildId = body.guild_id
    this.#is(shape.snowflake, guildId, [...path, 'guild_id'])
    const seen = new Set<unknown>()
    const bodies = this.#list(body.sets, [...path, 'sets'])
    const sets = bodies.map((item, i): GuildCommandPermissions => {
      const at = [...path, 'sets', i]
      if (!isObject(item)) return this.#object(item, at) as never
      const { id, application_id, guild_id, permissions } = item
      this.#is(shape.snowflake, id, [...at, 'id'])
      if (seen.has(id)) this.#fault([...at, 'id'], `is ${described(id)} a second time`)
      seen.add(id)
      if (application_id !== applicationId)
        this.#fault([...at, 'application_id'], 'is not the application of the snapshot')
      if (guild_id !== guildId) this.#fault([...at, 'guild_id'], 'is not the guild that this is about')
      const read = parsePermissions(permissions)
      if (!read.ok) this.#take(read.issues, [...at, 'permissions'])
      else if (read.value.length === 0)
        this.#fault([...at, 'permissions'], 'is empty; a command without permissions is left out')
      return {
        id: id as string,
        application_id: applicationId,
        guild_id: guildId as string,
        permissions: read.ok ? read.value : [],
      }
    })
    const tenures = this.#tenures(body.tenures, [...path, 'tenures'], sets.length, true) as (string | null)[]
    sets.forEach((set, i) => {
      if (set !== undefined && i < tenures.length && (tenures[i] === null) !== (set.id === applicationId))
        this.#fault(
          [...path, 'tenures', i],
          `is ${described(tenures[i])}; it is null for the application itself, and only there`,
        )
    })
    return { guild_id: guildId as string, sets, tenures }
  }

  #list(value: unknown, path: Path): readonly unknown[] {
    return this.#is<readonly unknown[]>(shape.list, value, path) ? value : []
  }

  #object(value: unknown, path: Path): undefined {
    this.#add(shape.object, shape.found(value), path)
    return undefined
  }

  #is<T>(rule: Rule<string, shape.Found>, value: unknown, path: Path): value is T {
    if (rule.check(value)) return true
    this.#add(rule, shape.found(value), path)
    return false
  }

  #fault(path: Path, fault: string): void {
    this.#add(snapshotState, { fault }, path)
  }

  #add<Params extends object>(rule: Rule<string, Params>, params: Params, path: Path): void {
    this.report.path.splice(0, Infinity, ...path)
    this.report.depth = path.length
    this.report.add(rule, params)
  }

  #take(issues: readonly Issue[], path: Path): void {
    const all = (this.report.issues ??= [])
    for (const issue of issues)
      if (all.length < MOST_ISSUES) all.push({ ...issue, path: [...path, ...issue.path] })
  }
}

/** 2^63 - 2^32: after what is later, ids would end. */
const LATEST_MAX = '9223372032559808512'

const withoutActivity: ApplicationSettings = { ...openApplication, flags: 0 }

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(value)
  return !Number.isNaN(time) && utcDay(time) === value
}
