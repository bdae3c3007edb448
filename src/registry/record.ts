/** The stored documents: one for each scope, one for the permissions of an application in a guild. */
import { canonicalBits } from '../core/bits.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { secondsToNextDay, utcDay } from '../core/clock.ts'
import { deepFreeze } from '../core/freeze.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { isSnowflake } from '../core/snowflake.ts'
import type { GuildCommandPermissions } from '../permission/entry.ts'
import type { Entry } from '../storage/store.ts'
import { RegistryError } from './error.ts'

export const FORMAT = 1

/** The document of a scope. */
export interface ScopeRecord {
  readonly format: typeof FORMAT
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

export interface PermissionRecord {
  readonly format: typeof FORMAT
  readonly sets: readonly GuildCommandPermissions[]
  /** The tenure of each set's command, in the order of the sets; null for the application's own set. */
  readonly tenures: readonly (string | null)[]
}

/** The documents that were read or made here. They are frozen, so they stay valid. */
const checked = new WeakSet<object>()

/** The document of a scope, frozen. */
export function scopeDocument({
  commands,
  tenures,
  creates,
  latest,
}: Omit<ScopeRecord, 'format'>): ScopeRecord {
  const record: ScopeRecord = deepFreeze({ format: FORMAT, commands, tenures, creates, latest })
  checked.add(record)
  return record
}

const NONE: readonly never[] = Object.freeze([])

export const emptyScope: ScopeRecord = /* @__PURE__ */ scopeDocument({
  commands: NONE,
  tenures: NONE,
  creates: { day: '', count: 0 },
  latest: '0',
})

export const emptyPermissions: PermissionRecord = Object.freeze({ format: FORMAT, sets: NONE, tenures: NONE })

/** The commands document of an entry; an empty one if there is no entry. */
export function scopeRecord(key: string, entry: Entry | undefined): ScopeRecord {
  return entry === undefined ? emptyScope : readDocument(key, entry.value, isScope)
}

/** The permissions document of an entry; an empty one if there is no entry. */
export function permissionRecord(key: string, entry: Entry | undefined): PermissionRecord {
  return entry === undefined ? emptyPermissions : readDocument(key, entry.value, isPermissionRecord)
}

function readDocument<Document>(
  key: string,
  value: unknown,
  isValid: (document: JsonObject) => document is JsonObject & Document,
): Document {
  if (isObject(value) && checked.has(value)) return value as Document
  const isFormat = isObject(value) && value.format === FORMAT
  if (isFormat && isValid(value)) {
    checked.add(value)
    return value
  }
  const reason =
    isFormat || !isObject(value)
      ? 'is damaged, or was not written by commandry'
      : `has another format than ${FORMAT}; another version of commandry wrote it`
  throw new RegistryError('storage', { message: `the stored document ${key} ${reason}` })
}

function isScope(value: JsonObject): value is JsonObject & ScopeRecord {
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

/** The index of a command, or -1. */
export function indexOfCommand({ commands }: ScopeRecord, commandId: string): number {
  // Not `findIndex`, which is several times slower for frozen lists.
  for (let i = 0; i < commands.length; i++) if (commands[i]!.id === commandId) return i
  return -1
}

/** The tenure of a command, from the record that has it; `undefined` if none does. */
export function tenureOf(records: readonly ScopeRecord[], commandId: string): string | undefined {
  const record = records.find((each) => indexOfCommand(each, commandId) >= 0)
  return record?.tenures[indexOfCommand(record, commandId)]
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
