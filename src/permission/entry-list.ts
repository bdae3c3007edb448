/** The rules and the reader of permission entries (clauses 2.9-01 to 2.9-03, 8-05). */
import { isObject, jsonValue, type JsonObject } from '../core/json.ts'
import { rule, warning } from '../core/rule.ts'
import { validation, type Validation } from '../core/validation.ts'
import { maxLength, oneOfNumbers } from '../core/wire.ts'
import { several, type Body } from '../command/breaking.ts'
import { Reading, type ValidationContext } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { PermissionTargetType, type CommandPermission } from './entry.ts'

export const PERMISSIONS_MAX = 100

export const permissionCount = rule({
  code: 'permissions.count',
  clause: '8-05',
  limit: { max: PERMISSIONS_MAX },
  summary: `A command has at most ${PERMISSIONS_MAX} permission entries in a guild.`,
  on: 'permissions',
  check: (entries: readonly unknown[]) =>
    entries.length <= PERMISSIONS_MAX ? undefined : { actual: entries.length },
  message: ({ actual }: { actual: number }) =>
    `has ${actual} entries; at most ${PERMISSIONS_MAX} are allowed`,
  wire: maxLength(PERMISSIONS_MAX),
  at: 'firstSurplusItem',
  breaks: () => ({
    body: several(PERMISSIONS_MAX + 1, (i) => ({ id: `${i + 1}`, type: 1, permission: true })),
    path: [],
  }),
})

export const permissionTarget = rule({
  code: 'permission.type',
  clause: '2.9-02',
  summary: 'A permission entry is for 1 a role, 2 a user or 3 a channel.',
  on: 'permissions',
  check: (type: unknown) => (type === 1 || type === 2 || type === 3 ? undefined : shape.found(type)),
  message: ({ actual }: shape.Found) => `is ${actual}; expected 1 ROLE, 2 USER or 3 CHANNEL`,
  wire: oneOfNumbers(Object.values(PermissionTargetType)),
  breaks: (entries: Body[]) => ({
    body: [{ id: '1', type: 4, permission: true }, ...entries.slice(1)],
    path: [0, 'type'],
  }),
})

export const permissionRepeated = warning({
  code: 'permissions.repeated',
  clause: '2.9-02',
  summary: 'The entries of a command are for different targets; of several for one the last counts.',
  on: 'permissions',
  check: (last: number, index: number) => (last === index ? undefined : { last }),
  message: ({ last }: { last: number }) =>
    `has no effect: entry ${last + 1} is for the same target and counts instead`,
  breaks: () => ({
    body: [
      { id: '1', type: 1, permission: true },
      { id: '1', type: 1, permission: false },
    ],
    path: [0],
  }),
})

export const permissionRules = [permissionCount, permissionTarget, permissionRepeated] as const

// The fields of an entry, and of the body that a response has and clients send back.
const entryFields = { id: undefined, type: undefined, permission: undefined }
const bodyFields = { id: undefined, application_id: undefined, guild_id: undefined, permissions: undefined }

/**
 * Reads the entries of a command: a list of them, or the wire's body `{ permissions: [...] }`. Entries beyond the limit
 * are counted but not read.
 */
export function parsePermissions(
  body: unknown,
  context?: ValidationContext,
): Validation<readonly CommandPermission[]> {
  const reading = new Reading(context)
  const source = jsonValue(body)
  let list = source
  if (isObject(source)) {
    warnAboutKeys(reading, source, bodyFields)
    list = jsonValue(source.permissions, 'permissions')
    reading.path[reading.depth++] = 'permissions'
  }
  if (!reading.required(shape.list, list))
    return validation<readonly CommandPermission[]>(undefined, reading, source)
  reading.run(permissionCount, list)
  const entries = reading.each(list, PERMISSIONS_MAX, (item) => readEntry(reading, item))
  warnAboutRepeats(reading, entries)
  return validation<readonly CommandPermission[]>(entries, reading, source)
}

function warnAboutKeys(reading: Reading, body: JsonObject, fields: object): void {
  for (const key in body) if (body[key] !== undefined) reading.warnUnknownKey(key, () => fields)
}

function readEntry(reading: Reading, body: unknown): CommandPermission {
  if (!reading.run(shape.object, body)) return {} as CommandPermission
  warnAboutKeys(reading, body, entryFields)
  const id = jsonValue(body.id, 'id')
  const type = jsonValue(body.type, 'type')
  const permission = jsonValue(body.permission, 'permission')
  reading.required(shape.snowflake, id, 'id')
  if (reading.run(shape.present, type, 'type')) reading.run(permissionTarget, type, 'type')
  reading.required(shape.boolean, permission, 'permission')
  return { id, type, permission } as CommandPermission
}

function warnAboutRepeats(reading: Reading, entries: readonly CommandPermission[]): void {
  // An invalid id or type may be any value, even one that has no text.
  const keys = entries.map(({ type, id }) =>
    typeof id === 'string' && typeof type === 'number' ? `${type} ${id}` : null,
  )
  const last = new Map(keys.map((key, index) => [key, index]))
  keys.forEach((key, index) => {
    if (key !== null) reading.run(permissionRepeated, last.get(key)!, index, index)
  })
}
