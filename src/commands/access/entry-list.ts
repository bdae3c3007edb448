/** The rules and the reader of permission entries (clauses 2.9-01 to 2.9-03, 8-05). */
import { isObject, jsonValue, ownField } from '../../core/json.ts'
import { readJson } from '../../core/rules/readable.ts'
import { warnUnknownKey } from '../../core/rules/readers.ts'
import { listRule, memberOf } from '../../core/rules/rule-kinds.ts'
import { rule, warning } from '../../core/rules/rule.ts'
import { validation, type Validation } from '../../core/rules/validation.ts'
import { Reading, type ValidationContext } from '../definition/fields/reading.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { entryKey, PermissionTargetType, type CommandPermission } from '../../model/permission-entry.ts'

export const PERMISSIONS_MAX = 100

export const permissionCount = rule({
  ...listRule({
    code: 'permissions.count',
    clause: '8-05',
    subject: 'A command has',
    items: 'entries',
    max: PERMISSIONS_MAX,
  }),
  summary: `A command has at most ${PERMISSIONS_MAX} permission entries in a guild.`,
  at: 'firstSurplusItem',
})

export const permissionTarget = rule({
  code: 'permission.type',
  clause: '2.9-02',
  summary: 'A permission entry is for 1 a role, 2 a user or 3 a channel.',
  ...memberOf(PermissionTargetType),
})

export const permissionRepeated = warning({
  code: 'permissions.repeated',
  clause: '2.9-02',
  summary: 'The entries of a command are for different targets; of several for one the last counts.',
  check: (last: number, index: number) => (last === index ? undefined : { last }),
  message: ({ last }) => `has no effect: entry ${last + 1} is for the same target and counts instead`,
})

export const permissionRules = [permissionCount, permissionTarget, permissionRepeated] as const

// The fields of an entry, and of the body that a response has and clients send back.
const entryFields = new Set(['id', 'type', 'permission'])
const bodyFields = new Set(['id', 'application_id', 'guild_id', 'permissions'])

/**
 * Reads the entries of a command: a list of them, or the wire's body `{ permissions: [...] }`. Entries beyond the limit
 * are counted but not read.
 */
export function parsePermissions(
  body: unknown,
  context?: ValidationContext,
): Validation<readonly CommandPermission[]> {
  return readJson(body, (source) => {
    const reading = new Reading(context)
    if (!isObject(source)) return validation(readEntries(reading, source), reading, source)
    for (const key in source) if (source[key] !== undefined) warnUnknownKey(reading, key, bodyFields)
    const entries = reading.at('permissions', readEntries, jsonValue(source.permissions, 'permissions'))
    return validation(entries, reading, source)
  })
}

function readEntries(reading: Reading, list: unknown): readonly CommandPermission[] {
  if (!reading.required(shape.list, list)) return []
  reading.check(permissionCount, list)
  const entries = reading.items(list, PERMISSIONS_MAX, readEntry)
  warnAboutRepeats(reading, entries)
  return entries
}

function readEntry(reading: Reading, body: unknown): CommandPermission {
  if (!reading.check(shape.object, body)) return {} as CommandPermission
  for (const key of Object.keys(body)) if (body[key] !== undefined) warnUnknownKey(reading, key, entryFields)
  const [id, type, permission] = ['id', 'type', 'permission'].map((key) =>
    jsonValue(ownField(body, key), key),
  )
  reading.at('id', () => reading.required(shape.snowflake, id))
  reading.at('type', () => reading.check(shape.present, type) && reading.check(permissionTarget, type))
  reading.at('permission', () => reading.required(shape.boolean, permission))
  return { id, type, permission } as CommandPermission
}

function warnAboutRepeats(reading: Reading, entries: readonly CommandPermission[]): void {
  // An invalid id or type may be any value, even one that has no text.
  const keys = entries.map((entry) =>
    typeof entry.id === 'string' && typeof entry.type === 'number' ? entryKey(entry) : null,
  )
  const last = new Map(keys.map((key, index) => [key, index]))
  keys.forEach((key, index) => {
    if (key !== null) reading.at(index, () => reading.check(permissionRepeated, last.get(key)!, index))
  })
}
