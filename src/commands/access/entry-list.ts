/** The rules and the reader of permission entries (clauses 2.9-01 to 2.9-03, 8-05). */
import { isObject } from '../../core/json.ts'
import { readJson } from '../../core/rules/readable.ts'
import { known, wholeOf, type Fields } from '../../core/rules/readers.ts'
import { listRule, oneOfMembers } from '../../core/rules/rule-kinds.ts'
import { rule, warning } from '../../core/rules/rule.ts'
import { validation, type Validation } from '../../core/rules/validation.ts'
import { Reading, type ValidationContext } from '../definition/rules/reading.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import {
  entryKey,
  PermissionTargetType,
  type CommandPermission,
  type GuildCommandPermissions,
} from '../../model/permission-entry.ts'

export const PERMISSIONS_MAX = 100

export const permissionCount = rule({
  ...listRule({
    code: 'permissions.count',
    clause: '8-05',
    subject: 'A command has',
    item: 'entry',
    max: PERMISSIONS_MAX,
  }),
  summary: `A command has at most ${PERMISSIONS_MAX} permission entries in a guild.`,
  at: 'firstSurplusItem',
})

export const permissionTarget = rule({
  code: 'permission.type',
  clause: '2.9-02',
  summary: 'A permission entry is for 1 a role, 2 a user or 3 a channel.',
  ...oneOfMembers(PermissionTargetType),
})

export const permissionRepeated = warning({
  code: 'permissions.repeated',
  clause: '2.9-02',
  summary: 'The entries of a command are for different targets; of several for one the last counts.',
  check: (last: number, index: number) => (last === index ? undefined : { last }),
  message: ({ last }) => `has no effect: entry ${last + 1} is for the same target and counts instead`,
})

export const permissionRules = [permissionCount, permissionTarget, permissionRepeated] as const

/** The fields of an entry. */
const entryFields = {
  id: (reading, value) => (reading.required(shape.snowflake, value) ? value : undefined),
  type: (reading, value) =>
    reading.check(shape.present, value) && reading.check(permissionTarget, value)
      ? (value as PermissionTargetType)
      : undefined,
  permission: (reading, value) => (reading.required(shape.boolean, value) ? value : undefined),
} as const satisfies Fields<CommandPermission, Reading>

const readEntry = /* @__PURE__ */ wholeOf<CommandPermission, Reading>(entryFields, () => ({
  id: undefined,
  type: undefined,
  permission: undefined,
}))

/** The fields of the wire's body, those of responses included, which clients send back. */
const bodyFields = {
  id: known,
  application_id: known,
  guild_id: known,
  permissions: (reading, value) => readEntries(reading, value),
} as const satisfies Fields<GuildCommandPermissions, Reading>

const readBody = /* @__PURE__ */ wholeOf<Pick<GuildCommandPermissions, 'permissions'>, Reading>(
  bodyFields,
  () => ({ permissions: undefined }),
)

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
    const entries = isObject(source) ? readBody(reading, source).permissions : readEntries(reading, source)
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

function warnAboutRepeats(reading: Reading, entries: readonly CommandPermission[]): void {
  // An invalid id or type is reported already.
  const keys = entries.map((entry) =>
    entry.id === undefined || entry.type === undefined ? null : entryKey(entry),
  )
  const last = new Map(keys.map((key, index) => [key, index]))
  keys.forEach((key, index) => {
    if (key !== null) reading.at(index, () => reading.check(permissionRepeated, last.get(key)!, index))
  })
}
