/** The stored documents: one for each scope, one for the permissions of an application in a guild. */
import { canonicalBits } from '../command/availability-rules.ts'
import type { ApplicationCommand, CommandDefinition, Writable } from '../command/definition.ts'
import { secondsToNextDay, utcDay } from '../core/clock.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { isSnowflake } from '../core/snowflake.ts'
import type { GuildCommandPermissions } from '../permission/entry.ts'
import type { Entry } from '../storage/store.ts'
import { RegistryError } from './error.ts'
import type { Scope } from './scope.ts'

export const FORMAT = 1

/** What the document of a scope holds. */
export interface ScopeFields {
  /** The objects that the registry returns. */
  readonly commands: readonly ApplicationCommand[]
  /**
   * The tenure of each command, in the order of the commands: a value that is new whenever the command is created or
   * renamed. Permissions count only with the tenure they were set under, so one write to this document removes them in
   * every guild, and permissions set at the same moment do not survive it (clause 2.9-09).
   */
  readonly tenures: readonly string[]
  /** The number of commands created on a UTC day (clause 8-02). */
  readonly creates: { readonly day: string; readonly count: number }
  /**
   * The latest id or version of the scope, deleted commands included. New ones are later, so none repeats even if the id
   * sources of several writers collide or their clocks differ.
   */
  readonly latest: string
}

/** The longest list that is searched: in a longer one an index is faster. */
const SEARCHED = 8

/**
 * The document of a scope, checked or made here, and frozen, so that it stays valid. A class for its private field: it
 * shows that a document was checked, and costs less than to look the document up in a weak set.
 */
export class ScopeRecord implements ScopeFields {
  readonly format = FORMAT
  readonly commands: ScopeFields['commands']
  readonly tenures: ScopeFields['tenures']
  readonly creates: ScopeFields['creates']
  readonly latest: string
  /** The index of each command by its id, once it was needed. */
  #indexes: ReadonlyMap<string, number> | null = null

  /** @param fields deeply frozen */
  constructor({ commands, tenures, creates, latest }: ScopeFields) {
    this.commands = commands
    this.tenures = tenures
    this.creates = creates
    this.latest = latest
    Object.freeze(this)
  }

  /** Whether a document was checked. */
  static isChecked(document: object): document is ScopeRecord {
    return #indexes in document
  }

  /** The index of a command, or -1. */
  indexOf(commandId: string): number {
    const { commands } = this
    if (commands.length <= SEARCHED) {
      for (let i = 0; i < commands.length; i++) if (commands[i]!.id === commandId) return i
      return -1
    }
    this.#indexes ??= new Map(commands.map(({ id }, index) => [id, index]))
    return this.#indexes.get(commandId) ?? -1
  }
}

export interface PermissionRecord {
  readonly format: typeof FORMAT
  readonly sets: readonly GuildCommandPermissions[]
  /** The tenure of each set's command, in the order of the sets; null for the application's own set. */
  readonly tenures: readonly (string | null)[]
}

/**
 * A command with exactly the keys of a response, in their order (clause 2.1-21). Keys that not every command has are
 * assigned: a spread costs ten times as much.
 */
export function commandOf(
  scope: Scope,
  definition: CommandDefinition,
  id: string,
  version: string,
): Writable<ApplicationCommand> {
  const { options, handler, default_permission } = definition
  const command = {
    id,
    application_id: scope.applicationId,
    version,
    default_member_permissions: definition.default_member_permissions,
    type: definition.type,
    name: definition.name,
    name_localizations: definition.name_localizations,
    description: definition.description,
    description_localizations: definition.description_localizations,
  } as Writable<ApplicationCommand>
  if (scope.kind === 'guild') command.guild_id = scope.guildId
  else {
    command.dm_permission = definition.dm_permission ?? true
    command.contexts = definition.contexts ?? null
    command.integration_types = definition.integration_types ?? NONE
  }
  if (options !== undefined) command.options = options
  command.nsfw = definition.nsfw
  if (handler !== undefined) command.handler = handler
  if (default_permission !== undefined) command.default_permission = default_permission
  return command
}

const NONE: readonly never[] = Object.freeze([])

export const emptyScope: ScopeRecord = /* @__PURE__ */ new ScopeRecord({
  commands: NONE,
  tenures: NONE,
  creates: Object.freeze({ day: '', count: 0 }),
  latest: '0',
})

export const emptyPermissions: PermissionRecord = Object.freeze({ format: FORMAT, sets: NONE, tenures: NONE })

/** The commands document of an entry; an empty one if there is no entry. */
export function scopeRecord(key: string, entry: Entry | undefined): ScopeRecord {
  if (entry === undefined) return emptyScope
  const { value } = entry
  if (isObject(value) && ScopeRecord.isChecked(value)) return value
  return readDocument(scopes, key, value, (read) => (isScope(read) ? new ScopeRecord(read) : undefined))
}

/** The permissions document of an entry; an empty one if there is no entry. */
export function permissionRecord(key: string, entry: Entry | undefined): PermissionRecord {
  if (entry === undefined) return emptyPermissions
  return readDocument(permissions, key, entry.value, (read) => (isPermissionRecord(read) ? read : undefined))
}

// The records of documents that were read before. Those are frozen, so they stay valid.
const scopes = new WeakMap<object, ScopeRecord>()
const permissions = new WeakMap<object, PermissionRecord>()

function readDocument<Record>(
  known: WeakMap<object, Record>,
  key: string,
  value: Json,
  read: (document: JsonObject) => Record | undefined,
): Record {
  const document = isObject(value) ? value : { format: FORMAT }
  const isFormat = document.format === FORMAT
  const record = known.get(document) ?? (isFormat ? read(document) : undefined)
  if (record !== undefined) {
    known.set(document, record)
    return record
  }
  const reason = isFormat
    ? 'is damaged, or was not written by commandry'
    : `has another format than ${FORMAT}; another version of commandry wrote it`
  throw new RegistryError('storage', { message: `the stored document ${key} ${reason}` })
}

function isScope(value: JsonObject): value is JsonObject & ScopeFields {
  const { commands, tenures, creates, latest } = value
  return (
    isListOf(commands, isCommand) &&
    isListOf(tenures, isSnowflake) &&
    tenures.length === commands.length &&
    isObject(creates) &&
    typeof creates.day === 'string' &&
    Number.isInteger(creates.count) &&
    isSnowflake(latest)
  )
}

function isPermissionRecord(value: JsonObject): value is JsonObject & PermissionRecord {
  const { sets, tenures } = value
  return (
    isListOf(sets, isPermissionSet) &&
    isListOf(tenures, (tenure) => tenure === null || isSnowflake(tenure)) &&
    tenures.length === sets.length
  )
}

function isPermissionSet(set: unknown): boolean {
  return (
    isObject(set) &&
    isSnowflake(set.id) &&
    isSnowflake(set.application_id) &&
    isSnowflake(set.guild_id) &&
    isListOf(
      set.permissions,
      (entry) =>
        isObject(entry) &&
        isSnowflake(entry.id) &&
        Number.isInteger(entry.type) &&
        typeof entry.permission === 'boolean',
    )
  )
}

function isCommand(command: unknown): boolean {
  return (
    isText(command) &&
    isSnowflake(command.id) &&
    isSnowflake(command.application_id) &&
    isSnowflake(command.version) &&
    typeof command.nsfw === 'boolean' &&
    isNullOr(command.guild_id, isSnowflake) &&
    isNullOr(command.default_member_permissions, (bits) => canonicalBits(bits) === bits) &&
    isNullOr(command.contexts, (contexts) => isListOf(contexts, Number.isInteger)) &&
    isNullOr(command.integration_types, (types) => isListOf(types, Number.isInteger)) &&
    isNullOr(command.options, (options) => isListOf(options, (option) => isOption(option, 2)))
  )
}

/** @param levels how many levels of options may be nested in this one: a group holds subcommands, and they options */
function isOption(option: unknown, levels: number): boolean {
  return (
    isText(option) &&
    isNullOr(
      option.options,
      (options) => levels > 0 && isListOf(options, (each) => isOption(each, levels - 1)),
    ) &&
    isNullOr(option.choices, (choices) => isListOf(choices, isNamed))
  )
}

function isText(value: unknown): value is JsonObject {
  return (
    isNamed(value) &&
    Number.isInteger(value.type) &&
    typeof value.description === 'string' &&
    isNullOr(value.description_localizations, isObject)
  )
}

function isNamed(value: unknown): value is JsonObject {
  return isObject(value) && typeof value.name === 'string' && isNullOr(value.name_localizations, isObject)
}

function isNullOr(value: unknown, isValid: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || isValid(value)
}

function isListOf(value: unknown, isValid: (value: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isValid)
}

/** The tenure of a command, from the record that has it; `undefined` if none does. */
export function tenureOf(records: readonly ScopeRecord[], commandId: string): string | undefined {
  for (const record of records) {
    const index = record.indexOf(commandId)
    if (index >= 0) return record.tenures[index]
  }
  return undefined
}

/** How many commands were created in a scope on the day of `now`. */
export function createsToday(record: ScopeRecord, now: number): number {
  return record.creates.day === dayOfCreates(record, now) ? record.creates.count : 0
}

/** The day of `now`, or the next one if another writer, whose clock is ahead, counts in it already. */
export function dayOfCreates({ creates }: ScopeRecord, now: number): string {
  const next = utcDay(now + secondsToNextDay(now) * 1000)
  return creates.day === next ? next : utcDay(now)
}
