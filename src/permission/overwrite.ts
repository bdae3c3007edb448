/** The permissions of a command in a guild: entries, their constants, rules and reader (clauses 2.9-01 to 2.9-04, 8-05). */
import { isObject } from '../core/json.ts'
import { rule, warning } from '../core/rule.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { described } from '../core/text.ts'
import { validation, type Validation } from '../core/validation.ts'
import { maxLength, oneOfNumbers } from '../core/wire.ts'
import { several, type Body } from '../command/breaking.ts'
import { Reading, type ValidationContext } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { PermissionTargetType } from './kinds.ts'

export interface CommandPermission {
  /** A role, user or channel, or one of the constants `everyoneId` and `allChannelsId`. */
  readonly id: string
  readonly type: PermissionTargetType
  /** True allows, false denies. */
  readonly permission: boolean
}

/** All entries of one command, or of the app as a whole, in one guild. */
export interface GuildCommandPermissions {
  /** A command, or the application: then the entries are for all commands without entries of their own. */
  readonly id: string
  readonly application_id: string
  readonly guild_id: string
  readonly permissions: readonly CommandPermission[]
}

/** The id that stands for all members of a guild: the guild's own (clause 2.9-04). */
export function everyoneId(guildId: string): string {
  return guildId
}

/**
 * The id that stands for all channels of a guild: the guild's, less one (clause 2.9-04). Exact at 64 bits.
 *
 * @throws TypeError when the guild id is no snowflake
 */
export function allChannelsId(guildId: string): string {
  if (!isSnowflake(guildId)) throw new TypeError(`guildId: expected a snowflake, got ${described(guildId)}`)
  return String(BigInt(guildId) - 1n)
}

export const PERMISSIONS_MAX = 100

export const permissionCount = rule({
  code: 'permissions.count',
  clause: '8-05',
  limit: { max: PERMISSIONS_MAX },
  summary: `A command has at most ${PERMISSIONS_MAX} permission entries in a guild.`,
  on: 'permissions',
  check: (count: number) => count <= PERMISSIONS_MAX,
  message: ({ actual }: { actual: number }) =>
    `has ${actual} entries; at most ${PERMISSIONS_MAX} are allowed`,
  wire: maxLength(PERMISSIONS_MAX),
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
  check: (type: unknown) => type === 1 || type === 2 || type === 3,
  message: ({ actual }: shape.Found) => `is ${actual}; it has to be 1 ROLE, 2 USER or 3 CHANNEL`,
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
  check: (last: number, index: number) => last === index,
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

const known: ReadonlySet<string> = new Set(['id', 'type', 'permission'])
// Clients send back whole objects as they were answered.
const bodyKeys: ReadonlySet<string> = new Set(['id', 'application_id', 'guild_id', 'permissions'])

/**
 * Reads the entries of a command: a list of them, or the wire's body `{ permissions: [...] }`. More than the
 * limit are counted, not read.
 */
export function parsePermissions(
  body: unknown,
  context?: ValidationContext,
): Validation<readonly CommandPermission[]> {
  const reading = new Reading(context)
  let values = body
  if (isObject(body)) {
    values = body.permissions
    for (const key in body) if (!bodyKeys.has(key) && body[key] !== undefined) reading.unknown(bodyKeys, key)
    reading.path[0] = 'permissions'
    reading.depth = 1
  }
  if (!reading.is(shape.present, values) || !reading.is<readonly unknown[]>(shape.list, values)) {
    return validation<readonly CommandPermission[]>(undefined, reading, body)
  }
  if (!permissionCount.check(values.length)) reading.add(permissionCount, { actual: values.length })
  const at = reading.depth++
  const entries = values.slice(0, PERMISSIONS_MAX).map((value, index) => {
    reading.path[at] = index
    return readEntry(reading, value)
  })
  warnOfRepeats(reading, entries)
  reading.depth = at
  return validation<readonly CommandPermission[]>(entries, reading, body)
}

function readEntry(reading: Reading, body: unknown): CommandPermission {
  const entry = reading.object(body)
  if (entry === undefined) return {} as CommandPermission
  for (const key in entry) if (!known.has(key) && entry[key] !== undefined) reading.unknown(known, key)
  const { id, type, permission } = entry
  if (reading.is(shape.present, id, 'id')) reading.is(shape.snowflake, id, 'id')
  if (reading.is(shape.present, type, 'type') && !permissionTarget.check(type)) {
    reading.add(permissionTarget, shape.found(type), 'type')
  }
  if (reading.is(shape.present, permission, 'permission')) reading.is(shape.boolean, permission, 'permission')
  return { id, type, permission } as CommandPermission
}

function warnOfRepeats(reading: Reading, entries: readonly CommandPermission[]): void {
  // Where an id or a type is none, it may be anything at all, even what has no text.
  const keys = entries.map(({ type, id }) =>
    typeof id === 'string' && typeof type === 'number' ? `${type} ${id}` : null,
  )
  const last = new Map(keys.map((key, index) => [key, index]))
  keys.forEach((key, index) => {
    if (key === null) return
    const counts = last.get(key)!
    if (permissionRepeated.check(counts, index)) return
    reading.path[reading.depth - 1] = index
    reading.add(permissionRepeated, { last: counts })
  })
}
