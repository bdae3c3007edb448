/**
 * Shape checks of members, channels and permission entries that a host passes. A value of the wrong shape could hide an
 * entry that denies access, so each throws a TypeError that names the value: checks of access fail closed.
 */
import { isObject, type JsonObject } from '../../core/json.ts'
import { expected, type OptionCheck } from '../../core/known-options.ts'
import { checkSnowflake } from '../../core/snowflake.ts'
import { isPermissionBits } from '../../model/permission-bits.ts'

type Checks = Readonly<Record<string, OptionCheck>>

export function checkObject(value: unknown, label: string, form = 'an object'): JsonObject {
  expected(form, isObject)(value, label)
  return value as JsonObject
}

/** An object with these fields, of which the optional ones may be undefined. */
/* @__NO_SIDE_EFFECTS__ */
function object(required: Checks, optional: Checks = {}, form?: string): OptionCheck {
  return (value, label) => {
    const fields = checkObject(value, label, form)
    const at = (name: string) => (label === '' ? name : `${label}.${name}`)
    for (const [name, check] of Object.entries(required)) check(fields[name], at(name))
    for (const [name, check] of Object.entries(optional))
      if (fields[name] !== undefined) check(fields[name], at(name))
  }
}

/* @__NO_SIDE_EFFECTS__ */
function list(item: OptionCheck, form: string): OptionCheck {
  return (value, label) => {
    expected(form, Array.isArray)(value, label)
    const items = value as readonly unknown[]
    // By index, so that a hole is refused too.
    for (let i = 0; i < items.length; i++) item(items[i], `${label}[${i}]`)
  }
}

/* @__NO_SIDE_EFFECTS__ */
function orNull(check: OptionCheck): OptionCheck {
  return (value, label) => value === null || check(value, label)
}

const id: OptionCheck = checkSnowflake
const bits = expected('a decimal string or a bigint that is not negative', isPermissionBits)
const flag = expected('true or false', (value) => typeof value === 'boolean')
const time = expected(
  'an ISO 8601 timestamp or null',
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
)

/* @__NO_SIDE_EFFECTS__ */
function oneOf(form: string, ...values: readonly number[]): OptionCheck {
  return expected(form, (value) => values.includes(value))
}

const member = /* @__PURE__ */ object(
  { user: object({ id }), roles: list(id, "the ids of the member's roles") },
  { permissions: orNull(bits), communication_disabled_until: orNull(time) },
  'a member with its user and the ids of its roles',
)

const overwrites = /* @__PURE__ */ list(
  object({ id, type: oneOf('0 for a role or 1 for a member', 0, 1), allow: bits, deny: bits }),
  'a list of overwrites',
)

const channel = /* @__PURE__ */ object(
  { id },
  {
    type: orNull(expected('an integer', Number.isInteger)),
    parent_id: orNull(id),
    permission_overwrites: orNull(overwrites),
    // The parent of a parent is never read.
    parent: orNull(object({ id }, { permission_overwrites: orNull(overwrites) })),
  },
  'a channel with its id',
)

const roles = /* @__PURE__ */ list(object({ id, permissions: bits }), 'the list of the roles of the server')

const entries = /* @__PURE__ */ orNull(
  list(
    object({ id, type: oneOf('1 ROLE, 2 USER or 3 CHANNEL', 1, 2, 3), permission: flag }),
    'the list of permission entries, which is `permissions` of the stored object',
  ),
)

const now = /* @__PURE__ */ expected('milliseconds since 1970', Number.isFinite)

/** The default permissions of a command. */
const command = /* @__PURE__ */ object(
  {},
  { default_permission: orNull(flag), default_member_permissions: orNull(bits) },
)

export const checkCommand: OptionCheck = /* @__PURE__ */ object({ command }, { overwrites: entries })

export const checkMemberInChannel: OptionCheck = /* @__PURE__ */ object(
  { guildId: id, member, channel },
  { ownerId: id, now, roles, appOverwrites: entries },
)

export const checkManagement: OptionCheck = /* @__PURE__ */ object(
  { guildId: id, manager: object({ member }, { roles, ownerId: id }), command: orNull(command) },
  { now, before: entries, after: entries, appOverwrites: entries },
)
