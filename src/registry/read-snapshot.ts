/** Reads a snapshot from outside: unknown JSON in, a snapshot out, every problem recorded at its path. */
import { openApplication, type ApplicationSettings } from '../command/application.ts'
import {
  COMMANDS_MAX,
  commandIdUnique,
  commandUnique,
  countRules,
  identity,
  surplus,
} from '../command/commands.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { parseCommand } from '../command/parse.ts'
import { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import type { JsonObject } from '../core/json.ts'
import type { TypeRule } from '../core/rule.ts'
import { validation, type Validation } from '../core/validation.ts'
import { parsePermissions } from '../permission/entry-list.ts'
import type { GuildCommandPermissions } from '../permission/entry.ts'
import { commandOf } from './stored-command.ts'
import { scopeOf, type Scope } from './scope.ts'
import type { ApplicationSnapshot, PermissionsSnapshot, ScopeSnapshot } from './snapshot.ts'
import * as rules from './snapshot-rules.ts'

/**
 * Reads a snapshot, which must be one that a registry could have made. The application's present settings do not
 * matter: its commands were valid when they were created.
 */
export function readSnapshot(body: unknown): Validation<ApplicationSnapshot> {
  const reading = new SnapshotReading(undefined)
  return validation(reading.snapshot(body), reading, body)
}

const withoutActivity: ApplicationSettings = { ...openApplication, flags: 0 }

class SnapshotReading extends Reading {
  #applicationId = ''
  /** The `guild_id` of the scope of each command, by the command's id. */
  readonly #scopesOfCommands = new Map<string, string | null>()

  snapshot(body: unknown): ApplicationSnapshot | undefined {
    if (!this.check(shape.object, body)) return undefined
    const { format, application_id, scopes, permissions } = body
    // The fields of other formats are unknown.
    if (!this.at('format', () => this.check(rules.snapshotFormat, format))) return undefined
    if (!this.#is('application_id', shape.snowflake, application_id)) return undefined
    this.#applicationId = application_id
    return {
      format: rules.SNAPSHOT_FORMAT,
      application_id,
      scopes: this.#eachGuild(scopes, 'scopes', (scope) => this.#scope(scope)),
      permissions: this.#eachGuild(permissions, 'permissions', (set) => this.#permissions(set)),
    }
  }

  #is<Value>(key: string, type: TypeRule<Value>, value: unknown): value is Value {
    return this.at(key, () => this.check(type, value))
  }

  /** Reads the objects of a list at a key; the others are reported. */
  #each<T>(value: unknown, key: string, read: (item: JsonObject) => T): (T | undefined)[] {
    if (!this.#is(key, shape.list, value)) return []
    return withoutHoles(value).map((item, index) =>
      this.at([key, index], () => (this.check(shape.object, item) ? read(item) : undefined)),
    )
  }

  /** The same for objects about different guilds. */
  #eachGuild<T>(value: unknown, key: string, read: (item: JsonObject) => T): T[] {
    const seen = new Set<unknown>()
    return this.#each(value, key, (item) => {
      this.at('guild_id', () => this.check(rules.snapshotRepeated, item.guild_id, seen))
      seen.add(item.guild_id)
      return read(item)
    }) as T[]
  }

  #scope(body: JsonObject): ScopeSnapshot {
    const { guild_id, latest } = body
    const isGuild = guild_id !== null && this.#is('guild_id', shape.snowflake, guild_id)
    const guildId = isGuild ? guild_id : null
    const scope = scopeOf(this.#applicationId, guildId)
    const commands = this.#each(body.commands, 'commands', (item) => this.#command(item, scope))
    this.#compareCommands(commands)
    const tenures = this.#tenures(body.tenures, commands.length, false) as string[]
    this.#is('latest', shape.snowflake, latest)
    const ids = [...commands.flatMap((command) => [command?.id, command?.version]), ...tenures]
    this.at('latest', () => {
      this.check(rules.snapshotLatest, latest, ids)
      this.check(rules.snapshotRoom, latest)
    })
    commands.forEach((command, i) => {
      if (command !== undefined) this.at(['commands', i], () => this.#uniqueId(command.id, guildId))
    })
    return {
      guild_id: guildId,
      commands: commands as ApplicationCommand[],
      tenures,
      creates: this.#creates(body.creates),
      latest: latest as string,
    }
  }

  /** No two scopes share an id, nor one with the application: permissions of the one would also be the other's. */
  #uniqueId(id: string, guildId: string | null): void {
    const other = this.#scopesOfCommands.get(id)
    if (this.at('id', () => this.check(rules.snapshotId, id, guildId, other, this.#applicationId)))
      this.#scopesOfCommands.set(id, guildId)
  }

  /** A command must be, key by key, what the registry would answer for it. */
  #command(body: JsonObject, scope: Scope): ApplicationCommand | undefined {
    const { id, version } = body
    const hasId = this.#is('id', shape.snowflake, id)
    if (!this.#is('version', shape.snowflake, version) || !hasId) return undefined
    const context = { scope: scope.kind, application: 'handler' in body ? openApplication : withoutActivity }
    const read = parseCommand(body, context)
    if (!read.ok) {
      this.include(read.issues)
      return undefined
    }
    const command = commandOf(scope, read.value, id, version)
    const answered: JsonObject = { ...command }
    for (const key of new Set([...Object.keys(body), ...Object.keys(command)]))
      this.at(key, () => this.check(rules.snapshotCommand, key, body, answered))
    return command
  }

  /** The commands of a scope: few enough, with different ids and different names within a type. */
  #compareCommands(commands: readonly (ApplicationCommand | undefined)[]): void {
    const ids = new Map<string, number>()
    const names = new Map<string, number>()
    this.at(['commands'], () => {
      commands.forEach((command, index) => {
        if (command === undefined) return
        const { id } = command
        const name = identity(command)
        if (this.at([index, 'id'], () => this.check(commandIdUnique, ids.get(id), id))) ids.set(id, index)
        if (this.at(index, () => this.check(commandUnique, names.get(name), command))) names.set(name, index)
      })
      for (const { index, type } of surplus(commands.map((command) => ({ type: command?.type! }))))
        this.at(index, () => this.check(countRules[type], COMMANDS_MAX[type] + 1))
    })
  }

  #tenures(value: unknown, count: number, canBeNull: boolean): unknown[] {
    if (!this.#is('tenures', shape.list, value)) return []
    const tenures = withoutHoles(value)
    this.at('tenures', () => this.check(rules.snapshotTenures, tenures, count))
    tenures.forEach((tenure, i) => {
      if (tenure !== null || !canBeNull) this.at(['tenures', i], () => this.check(shape.snowflake, tenure))
    })
    return tenures
  }

  #creates(value: unknown): ScopeSnapshot['creates'] {
    if (!this.#is('creates', shape.object, value)) return { day: '', count: 0 }
    const { day, count } = value
    this.at(['creates', 'day'], () => this.check(rules.snapshotDay, day))
    this.at(['creates', 'count'], () => this.check(rules.snapshotCreates, count, day))
    return { day: day as string, count: count as number }
  }

  #permissions(body: JsonObject): PermissionsSnapshot {
    const { guild_id } = body
    this.#is('guild_id', shape.snowflake, guild_id)
    const seen = new Set<unknown>()
    const sets = this.#each(body.sets, 'sets', (item) => this.#permissionSet(item, guild_id, seen))
    const tenures = this.#tenures(body.tenures, sets.length, true) as (string | null)[]
    sets.forEach((set, i) => {
      if (set !== undefined)
        this.at(['tenures', i], () =>
          this.check(rules.snapshotOwnTenure, tenures[i], set.id === this.#applicationId),
        )
    })
    return { guild_id: guild_id as string, sets: sets as GuildCommandPermissions[], tenures }
  }

  #permissionSet(item: JsonObject, guildId: unknown, seen: Set<unknown>): GuildCommandPermissions {
    const { id, application_id, guild_id, permissions } = item
    this.#is('id', shape.snowflake, id)
    this.at('id', () => this.check(rules.snapshotRepeated, id, seen))
    seen.add(id)
    this.at('application_id', () => this.check(rules.snapshotOwner, application_id, this.#applicationId))
    this.at('guild_id', () => this.check(rules.snapshotOwner, guild_id, guildId))
    const read = parsePermissions(permissions)
    if (!read.ok) this.at('permissions', () => this.include(read.issues))
    else this.at('permissions', () => this.check(rules.snapshotPermissions, read.value))
    return {
      id: id as string,
      application_id: this.#applicationId,
      guild_id: guildId as string,
      permissions: read.ok ? read.value : [],
    }
  }
}

/** JSON has no holes: they count as null (clause 1-05). */
function withoutHoles(list: readonly unknown[]): unknown[] {
  return Array.from(list, (item) => item ?? null)
}
