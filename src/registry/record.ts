/** What is stored: one document for each scope, one for the permissions of an application in a guild. */
import type { ApplicationCommand } from '../command/definition.ts'
import type { Json } from '../core/json.ts'
import { isObject } from '../core/json.ts'
import type { GuildCommandPermissions } from '../permission/overwrite.ts'
import { RegistryError } from './error.ts'

export const FORMAT = 1

export interface ScopeRecord {
  readonly format: typeof FORMAT
  /** The very objects that are handed out. */
  readonly commands: readonly ApplicationCommand[]
  /**
   * For each command, in their order, its tenure: a value that is new whenever the command is created or renamed.
   * Permissions count only under the tenure they were written in, so one write to this document takes them away
   * in every guild, and a permission set at the same moment cannot survive it (clause 2.9-09).
   */
  readonly tenures: readonly string[]
  /** How many commands were created on a day (clause 8-02); `count` is of `day` only. */
  readonly creates: { readonly day: string; readonly count: number }
  /**
   * The latest id or version the scope has seen, of deleted commands too. New ones are later, so none comes back
   * even when several writers' id sources agree by accident or their clocks do not.
   */
  readonly latest: string
}

export interface PermissionRecord {
  readonly format: typeof FORMAT
  readonly sets: readonly GuildCommandPermissions[]
  /** For each set, in their order, the tenure of its command; null for the application's own. */
  readonly tenures: readonly (string | null)[]
}

const none: readonly never[] = Object.freeze([])

export const emptyScope: ScopeRecord = Object.freeze({
  format: FORMAT,
  commands: none,
  tenures: none,
  creates: Object.freeze({ day: '', count: 0 }),
  latest: '0',
})

export const emptyPermissions: PermissionRecord = Object.freeze({ format: FORMAT, sets: none, tenures: none })

/** A stored document as the record it is. What stands in the store was written by this library. */
export function recordOf<T extends ScopeRecord | PermissionRecord>(value: Json | undefined, empty: T): T {
  if (value === undefined) return empty
  if (isObject(value) && value.format === FORMAT) return value as unknown as T
  throw new RegistryError('storage', {
    message: `the store holds a document of another format than ${FORMAT}; it was written by another version of commandry`,
  })
}

const indices = new WeakMap<ScopeRecord, ReadonlyMap<string, number>>()

/** The place of a command in a record, or -1. */
export function indexOfCommand(record: ScopeRecord, commandId: string): number {
  const { commands } = record
  // A short list is searched faster than an index of it is found.
  if (commands.length <= 8) return commands.findIndex(({ id }) => id === commandId)
  let index = indices.get(record)
  if (index === undefined)
    indices.set(record, (index = new Map(commands.map(({ id }, place) => [id, place]))))
  return index.get(commandId) ?? -1
}

/** The tenure of a command in whichever of the records has it; `undefined` when none does. */
export function tenureOf(records: readonly ScopeRecord[], commandId: string): string | undefined {
  for (const record of records) {
    const index = indexOfCommand(record, commandId)
    if (index >= 0) return record.tenures[index]
  }
  return undefined
}
