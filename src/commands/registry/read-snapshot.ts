/** Reads a snapshot from outside: unknown JSON in, a snapshot out, every problem recorded at its path. */
import { openApplication } from '../../model/application.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { checkCounts, checkDistinct, parseCommand } from '../definition/parse.ts'
import { Reading } from '../definition/rules/reading.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { type JsonObject, withoutNegativeZero } from '../../core/json.ts'
import type { TypeRule } from '../../core/rules/rule.ts'
import { validation, type Validation } from '../../core/rules/validation.ts'
import { parsePermissions } from '../access/entry-list.ts'
import type { GuildCommandPermissions } from '../../model/permission-entry.ts'
import { commandOf, type PermissionRecord, type ScopeRecord } from './record.ts'
import { scopeOf, type Scope } from './scope.ts'
import { rules, SNAPSHOT_FORMAT } from './snapshot-rules.ts'

/** What counts of an application: commands with their versions, creates of the day, permissions. Plain JSON. */
export interface ApplicationSnapshot {
  readonly format: typeof SNAPSHOT_FORMAT
  readonly application_id: string
  /** The global scope first, then the guilds; only scopes that have a command, or had one in the last day. */
  readonly scopes: readonly ScopeSnapshot[]
  /** Only guilds with permissions that count. */
  readonly permissions: readonly PermissionsSnapshot[]
}

/** The commands of one scope, in the order of a list response. */
export interface ScopeSnapshot extends Omit<ScopeRecord, 'format'> {
  /** The guild; null for the global scope. */
  readonly guild_id: string | null
}

/** The permissions of an application in one guild. */
export interface PermissionsSnapshot extends Omit<PermissionRecord, 'format'> {
  readonly guild_id: string
}

/** Reads a snapshot. The application's settings do not matter: its commands were valid when they were created. */
export function readSnapshot(body: unknown): Validation<ApplicationSnapshot> {
  const reading = new SnapshotReading(undefined)
  return validation(reading.snapshot(body), reading, body)
}

class SnapshotReading extends Reading {
  #applicationId = ''
  /** The `guild_id` of the scope of each command, by the command's id. */
  readonly #scopesOfCommands = new Map<string, string | null>()

  snapshot(body: unknown): ApplicationSnapshot | undefined {
    if (!this.check(shape.object, body)) return undefined
    const { format, application_id } = body
    if (!this.at('format', () => this.check(rules.format, format))) return undefined
    if (!this.#is('application_id', shape.snowflake, application_id)) return undefined
    this.#applicationId = application_id
    return {
      format: SNAPSHOT_FORMAT,
      application_id,
      scopes: this.#distinct(body, 'scopes', 'guild_id', (scope) => this.#scope(scope)),
      permissions: this.#distinct(body, 'permissions', 'guild_id', (guild) => this.#guild(guild)),
    }
  }

  #is<Value>(key: string, type: TypeRule<Value>, value: unknown): value is Value {
    return this.at(key, () => this.check(type, value))
  }

  /** What is read of the list at a key; nothing of anything else. JSON has no holes: they count as null (1-05). */
  #list<T>(body: JsonObject, key: string, read: (list: readonly unknown[]) => readonly T[]): readonly T[] {
    const list = body[key]
    if (!this.#is(key, shape.list, list)) return []
    return this.at(key, () => read(Array.from(list, (item) => item ?? null)))
  }

  #objects<T>(body: JsonObject, key: string, read: (item: JsonObject) => T): readonly (T | undefined)[] {
    return this.#list(body, key, (list) =>
      list.map((item, i) => this.at(i, () => (this.check(shape.object, item) ? read(item) : undefined))),
    )
  }

  /** The same for objects that differ in an id. */
  #distinct<T>(body: JsonObject, key: string, idKey: string, read: (item: JsonObject) => T): readonly T[] {
    const seen = new Set<unknown>()
    return this.#objects(body, key, (item) => {
      const id = item[idKey]
      this.at(idKey, () => this.check(rules.repeated, id, seen))
      seen.add(id)
      return read(item)
    }) as readonly T[]
  }

  #scope(body: JsonObject): ScopeSnapshot {
    const { guild_id, latest } = body
    const isGuild = guild_id !== null && this.#is('guild_id', shape.snowflake, guild_id)
    const guildId = isGuild ? guild_id : null
    const scope = scopeOf(this.#applicationId, guildId)
    const read = this.#objects(body, 'commands', (item) => this.#command(item, scope))
    const commands = read.map((command) => command ?? ({} as ApplicationCommand))
    this.at('commands', () => {
      checkDistinct(this, commands)
      checkCounts(this, commands)
      commands.forEach(({ id }, i) => this.at([i, 'id'], () => this.#uniqueId(id, guildId)))
    })
    const tenures = this.#tenures(body, commands.length) as readonly string[]
    this.#is('latest', shape.snowflake, latest)
    const ids = [...commands.flatMap(({ id, version }) => [id, version]), ...tenures]
    this.at('latest', () => {
      this.check(rules.latest, latest, ids)
      this.check(rules.room, latest)
    })
    return { guild_id: guildId, commands, tenures, creates: this.#creates(body), latest: latest as string }
  }

  /** No two scopes share an id, nor one with the application: permissions of the one would also be the other's. */
  #uniqueId(id: string | undefined, guildId: string | null): void {
    if (id === undefined) return
    const other = this.#scopesOfCommands.get(id)
    if (this.check(rules.id, id, guildId, other, this.#applicationId)) this.#scopesOfCommands.set(id, guildId)
  }

  /** A command must be, key by key, what the registry would answer for it. */
  #command(body: JsonObject, scope: Scope): ApplicationCommand | undefined {
    const { id, version } = body
    const hasId = this.#is('id', shape.snowflake, id)
    if (!this.#is('version', shape.snowflake, version) || !hasId) return undefined
    const application = 'handler' in body ? openApplication : { ...openApplication, flags: 0 }
    const read = parseCommand(body, { scope: scope.kind, application })
    if (!read.ok) {
      this.include(read.issues)
      return undefined
    }
    const command = commandOf(scope, read.value, id, version)
    const answered: JsonObject = { ...command }
    for (const key of new Set([...Object.keys(body), ...Object.keys(command)]))
      this.at(key, () => this.check(rules.command, key, body, answered))
    return command
  }

  #tenures(body: JsonObject, count: number, canBeNull = false): readonly unknown[] {
    return this.#list(body, 'tenures', (list) => {
      this.check(rules.tenures, list, count)
      list.forEach((tenure, i) => {
        if (tenure !== null || !canBeNull) this.at(i, () => this.check(shape.snowflake, tenure))
      })
      return list
    })
  }

  #creates({ creates }: JsonObject): ScopeSnapshot['creates'] {
    if (!this.#is('creates', shape.object, creates)) return { day: '', count: 0 }
    const { day, count } = creates
    this.at(['creates', 'day'], () => this.check(rules.day, day))
    this.at(['creates', 'count'], () => this.check(rules.creates, count, day))
    return { day: day as string, count: withoutNegativeZero(count as number) }
  }

  #guild(body: JsonObject): PermissionsSnapshot {
    const { guild_id } = body
    this.#is('guild_id', shape.snowflake, guild_id)
    const sets = this.#distinct(body, 'sets', 'id', (set) => this.#permissionSet(set, guild_id))
    const tenures = this.#tenures(body, sets.length, true) as readonly (string | null)[]
    sets.forEach((set, i) => {
      const isOwn = set?.id === this.#applicationId
      if (set !== undefined) this.at(['tenures', i], () => this.check(rules.ownTenure, tenures[i], isOwn))
    })
    return { guild_id: guild_id as string, sets, tenures }
  }

  #permissionSet(body: JsonObject, guildId: unknown): GuildCommandPermissions {
    const { id, application_id, guild_id, permissions } = body
    this.#is('id', shape.snowflake, id)
    this.at('application_id', () => this.check(rules.owner, application_id, this.#applicationId))
    this.at('guild_id', () => this.check(rules.owner, guild_id, guildId))
    const read = parsePermissions(permissions)
    const entries = read.ok ? read.value : []
    this.at('permissions', () =>
      read.ok ? this.check(rules.permissions, entries) : this.include(read.issues),
    )
    return { id, application_id, guild_id, permissions: entries } as GuildCommandPermissions
  }
}
