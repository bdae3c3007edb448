/**
 * Shape checks of members, channels and permission entries that a host passes. A value of the wrong shape could hide an
 * entry that denies access, so each is a TypeError: checks of access fail closed.
 */
import { checkSnowflake } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'
import { isPermissionBits } from '../command/permission-bits.ts'

type Fields = { readonly [key: string]: unknown }

function fail(label: string, expected: string, value: unknown): never {
  throw new TypeError(`${label}: expected ${expected}, got ${describeValue(value)}`)
}

/** @throws TypeError, naming `label`, for anything but an object */
export function checkObject(value: unknown, label: string, expected = 'an object'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(label, expected, value)
  return value as Fields
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function checkList(value: unknown, label: string, expected: string): readonly unknown[] {
  if (!Array.isArray(value)) fail(label, expected, value)
  return value
}

/** Checks a list of objects, each at its index. */
function checkItems(
  value: unknown,
  label: string,
  expected: string,
  check: (item: Fields, label: string) => void,
): void {
  const list = checkList(value, label, expected)
  // By index, so that a hole is refused too.
  for (let i = 0; i < list.length; i++) check(checkObject(list[i], `${label}[${i}]`), `${label}[${i}]`)
}

function checkBits(value: unknown, label: string): void {
  if (!isPermissionBits(value)) fail(label, 'a decimal string or a bigint that is not negative', value)
}

/** @throws TypeError, naming `label`, for a member whose user, roles, permissions or timeout have the wrong shape */
export function checkMember(value: unknown, label: string): void {
  const member = checkObject(value, label, 'a member with its user and the ids of its roles')
  const user = checkObject(member.user, `${label}.user`)
  checkSnowflake(user.id, `${label}.user.id`)
  const roles = checkList(member.roles, `${label}.roles`, "the ids of the member's roles")
  for (let i = 0; i < roles.length; i++) checkSnowflake(roles[i], `${label}.roles[${i}]`)
  if (!isAbsent(member.permissions)) checkBits(member.permissions, `${label}.permissions`)
  const until = member.communication_disabled_until
  if (!isAbsent(until) && (typeof until !== 'string' || Number.isNaN(Date.parse(until)))) {
    fail(`${label}.communication_disabled_until`, 'an ISO 8601 timestamp or null', until)
  }
}

/** @throws TypeError, naming `label`, for a channel whose id, type, parent or overwrites have the wrong shape */
export function checkChannel(value: unknown, label: string): void {
  const channel = checkObject(value, label, 'a channel with its id')
  checkSnowflake(channel.id, `${label}.id`)
  if (!isAbsent(channel.type) && !Number.isInteger(channel.type))
    fail(`${label}.type`, 'an integer', channel.type)
  if (!isAbsent(channel.parent_id)) checkSnowflake(channel.parent_id, `${label}.parent_id`)
  checkOverwrites(channel.permission_overwrites, `${label}.permission_overwrites`)
  if (isAbsent(channel.parent)) return
  // The parent of a parent is never read.
  const parent = checkObject(channel.parent, `${label}.parent`)
  checkSnowflake(parent.id, `${label}.parent.id`)
  checkOverwrites(parent.permission_overwrites, `${label}.parent.permission_overwrites`)
}

function checkOverwrites(value: unknown, label: string): void {
  if (isAbsent(value)) return
  checkItems(value, label, 'a list of overwrites', ({ id, type, allow, deny }, at) => {
    checkSnowflake(id, `${at}.id`)
    if (type !== 0 && type !== 1) fail(`${at}.type`, '0 for a role or 1 for a member', type)
    checkBits(allow, `${at}.allow`)
    checkBits(deny, `${at}.deny`)
  })
}

/** @throws TypeError, naming `label`, for anything but a list of roles with their permissions */
export function checkGuildRoles(value: unknown, label: string): void {
  if (value === undefined) return
  checkItems(value, label, 'the list of the roles of the server', ({ id, permissions }, at) => {
    checkSnowflake(id, `${at}.id`)
    checkBits(permissions, `${at}.permissions`)
  })
}

/** @throws TypeError, naming `label`, for anything but a list of permission entries, null or undefined */
export function checkEntries(value: unknown, label: string): void {
  if (isAbsent(value)) return
  const expected = 'the list of permission entries, which is `permissions` of the stored object'
  checkItems(value, label, expected, ({ id, type, permission }, at) => {
    checkSnowflake(id, `${at}.id`)
    if (type !== 1 && type !== 2 && type !== 3) fail(`${at}.type`, '1 ROLE, 2 USER or 3 CHANNEL', type)
    if (typeof permission !== 'boolean') fail(`${at}.permission`, 'true or false', permission)
  })
}

/** @throws TypeError for a guild, an owner or a time of the wrong shape */
export function checkCircumstances({ guildId, ownerId, now }: Fields, label = ''): void {
  checkSnowflake(guildId, `${label}guildId`)
  if (ownerId !== undefined) checkSnowflake(ownerId, `${label}ownerId`)
  if (now !== undefined && !Number.isFinite(now)) fail(`${label}now`, 'milliseconds since 1970', now)
}

/** @throws TypeError for a command whose default permissions have the wrong shape */
export function checkDefaults(command: unknown): void {
  const { default_permission, default_member_permissions } = checkObject(command, 'command')
  if (!isAbsent(default_permission) && typeof default_permission !== 'boolean')
    fail('command.default_permission', 'true or false', default_permission)
  if (!isAbsent(default_member_permissions))
    checkBits(default_member_permissions, 'command.default_member_permissions')
}
