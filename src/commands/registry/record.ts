/** The stored documents: one for each scope, one for the permissions of an application in a guild. */
import { canonicalBits } from '../../model/permission-bits.ts'
import { commandKeys } from '../definition/fields/command.ts'
import type { ApplicationCommand, CommandDefinition } from '../../model/command-definition.ts'
import { secondsToNextDay, utcDay } from '../../core/clock.ts'
import { deepFreeze } from '../../core/freeze.ts'
import { isObject } from '../../core/json.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import type { GuildCommandPermissions } from '../../model/permission-entry.ts'
import type { Entry } from '../../storage/store.ts'
import { RegistryError } from './registry-error.ts'
import type { Scope } from './scope.ts'

export const FORMAT = 1

export interface ScopeRecord {
  readonly format: typeof FORMAT
  readonly commands: readonly ApplicationCommand[]
  /**
   * A value for each command that is new whenever it is created or renamed. Permissions count only with the tenure they
   * were set under, so one write to this document removes them in every guild (clause 2.9-09).
   */
  readonly tenures: readonly string[]
  /** The number of commands created on a UTC day (clause 8-02). */
  readonly creates: { readonly day: string; readonly count: number }
  /** The latest id or version, deleted commands included. New ones are later, so none repeats if clocks differ. */
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

export const emptyScope: ScopeRecord = /* @__PURE__ */ scopeDocument({
  commands: [],
  tenures: [],
  creates: { day: '', count: 0 },
  latest: '0',
})

const emptyPermissions: PermissionRecord = Object.freeze({ format: FORMAT, sets: [], tenures: [] })

export function scopeRecord(key: string, entry: Entry | undefined): ScopeRecord {
  return entry === undefined ? emptyScope : (readDocument(key, entry, isScope) as ScopeRecord)
}

export function permissionRecord(key: string, entry: Entry | undefined): PermissionRecord {
  return entry === undefined ? emptyPermissions : (readDocument(key, entry, isGuild) as PermissionRecord)
}

function readDocument(key: string, { value }: Entry, isValid: Check): unknown {
  if (isObject(value) && checked.has(value)) return value
  const isForeign = isObject(value) && value.format !== FORMAT
  if (isObject(value) && !isForeign && isValid(value)) {
    checked.add(value)
    return value
  }
  const reason = isForeign
    ? `has another format than ${FORMAT}; another version of commandry wrote it`
    : 'is damaged, or was not written by commandry'
  throw new RegistryError('storage', { message: `the stored document ${key} ${reason}` })
}

// --- The forms of documents -------------------------------------------------------------------------------------

type Check = (value: unknown) => boolean

/* @__NO_SIDE_EFFECTS__ */
function fields(checks: Readonly<Record<string, Check>>): Check {
  const all = Object.entries(checks)
  return (value) => isObject(value) && all.every(([key, isValid]) => isValid(value[key]))
}

/* @__NO_SIDE_EFFECTS__ */
function listOf(isValid: Check): Check {
  // `every` skips holes, which documents of a store in memory may have; `includes` finds them.
  return (value) => Array.isArray(value) && value.every(isValid) && !value.includes(undefined)
}

const isAbsent: Check = (value) => value === undefined || value === null

/* @__NO_SIDE_EFFECTS__ */
function optional(isValid: Check): Check {
  return (value) => isAbsent(value) || isValid(value)
}

const isText: Check = (value) => typeof value === 'string'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isBits: Check = (value) => canonicalBits(value) === value

const named = { name: isText, name_localizations: /* @__PURE__ */ optional(isObject) }
const texts = {
  ...named,
  type: Number.isInteger,
  description: isText,
  description_localizations: /* @__PURE__ */ optional(isObject),
}

/** @param nested the check of the options in an option: a group holds subcommands, and they options */
/* @__NO_SIDE_EFFECTS__ */
function optionsWith(nested: Check): Check {
  return optional(listOf(fields({ ...texts, options: nested, choices: optional(listOf(fields(named))) })))
}

/** A document with a list, and a tenure for each of its items. */
/* @__NO_SIDE_EFFECTS__ */
function documentOf(list: 'commands' | 'sets', item: Check, tenure: Check, others = {}): Check {
  const isWhole = fields({ [list]: listOf(item), tenures: listOf(tenure), ...others })
  return (value: any) => isWhole(value) && value[list].length === value.tenures.length
}

const isCommand = /* @__PURE__ */ fields({
  ...texts,
  id: isSnowflake,
  application_id: isSnowflake,
  version: isSnowflake,
  nsfw: isBoolean,
  guild_id: optional(isSnowflake),
  default_member_permissions: optional(isBits),
  dm_permission: optional(isBoolean),
  default_permission: optional(isBoolean),
  contexts: optional(listOf(Number.isInteger)),
  integration_types: optional(listOf(Number.isInteger)),
  handler: optional(Number.isInteger),
  options: optionsWith(optionsWith(optionsWith(isAbsent))),
} satisfies Readonly<Record<keyof ApplicationCommand, Check>>)

const isScope = /* @__PURE__ */ documentOf('commands', isCommand, isSnowflake, {
  creates: fields({ day: isText, count: Number.isInteger }),
  latest: isSnowflake,
})

const isPermission = /* @__PURE__ */ fields({
  id: isSnowflake,
  type: Number.isInteger,
  permission: isBoolean,
})
const isSet = /* @__PURE__ */ fields({
  id: isSnowflake,
  application_id: isSnowflake,
  guild_id: isSnowflake,
  permissions: listOf(isPermission),
})
const isGuild = /* @__PURE__ */ documentOf('sets', isSet, optional(isSnowflake))

// --- Parts of documents -----------------------------------------------------------------------------------------

/** A command with exactly the keys of a response, in their order (clause 2.1-21). */
export function commandOf(
  scope: Scope,
  definition: CommandDefinition,
  id: string,
  version: string,
): ApplicationCommand {
  const guild_id = scope.kind === 'guild' ? scope.guildId : undefined
  const given = { ...definition, id, application_id: scope.applicationId, version, guild_id }
  const command: Record<string, unknown> = {}
  for (const key of commandKeys) if (given[key] !== undefined) command[key] = given[key]
  return command as unknown as ApplicationCommand
}

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
