/**
 * Shape checks of members, channels and permission entries that a host passes. A value of the wrong shape could hide an
 * entry that denies access, so each is a TypeError: checks of access fail closed.
 */
import { isSnowflake } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'

type Fields = { readonly [key: string]: unknown }

function fail(label: string, expected: string, value: unknown): never {
  throw new TypeError(`${label}: expected ${expected}, got ${describeValue(value)}`)
}

/** @throws TypeError, naming `label`, for anything but an object */
export function checkObject(value: unknown, label: string, expected = 'an object'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(label, expected, value)
  return value as Fields
}

/** @throws TypeError, naming `label`, for anything but a snowflake string */
export function checkSnowflake(value: unknown, label: string): void {
  if (!isSnowflake(value)) fail(label, 'a snowflake string such as "1029384756"', value)
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function checkList(value: unknown, label: string, expected: string): readonly unknown[] {
  if (!Array.isArray(value)) fail(label, expected, value)
  return value
}

function checkBits(value: unknown, label: string): void {
  const isBits =
    typeof value === 'bigint' ? value >= 0n : typeof value === 'string' && /^[0-9]{1,20}$/.test(value)
  if (!isBits) fail(label, 'a decimal string or a bigint that is not negative', value)
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
  if (!isAbsent(channel.permission_overwrites)) {
    checkOverwrites(channel.permission_overwrites, `${label}.permission_overwrites`)
  }
  if (isAbsent(channel.parent)) return
  // The parent of a parent is never read.
  const parent = checkObject(channel.parent, `${label}.parent`)
  checkSnowflake(parent.id, `${label}.parent.id`)
  if (!isAbsent(parent.permission_overwrites)) {
    checkOverwrites(parent.permission_overwrites, `${label}.parent.permission_overwrites`)
  }
}

function checkOverwrites(value: unknown, label: string): void {
  const list = checkList(value, label, 'a list of overwrites')
  for (let i = 0; i < list.length; i++) {
    const at = `${label}[${i}]`
    const { id, type, allow, deny } = checkObject(list[i], at)
    checkSnowflake(id, `${at}.id`)
    if (type !== 0 && type !== 1) fail(`${at}.type`, '0 for a role or 1 for a member', type)
    checkBits(allow, `${at}.allow`)
    checkBits(deny, `${at}.deny`)
  }
}

/** @throws TypeError, naming `label`, for anything but a list of roles with their permissions */
export function checkGuildRoles(value: unknown, label: string): void {
  if (value === undefined) return
  const list = checkList(value, label, 'the list of the roles of the server')
  for (let i = 0; i < list.length; i++) {
    const { id, permissions } = checkObject(list[i], `${label}[${i}]`)
    checkSnowflake(id, `${label}[${i}].id`)
    checkBits(permissions, `${label}[${i}].permissions`)
  }
}

/** @throws TypeError, naming `label`, for anything but a list of permission entries, null or undefined */
export function checkEntries(value: unknown, label: string): void {
  if (isAbsent(value)) return
  const list = checkList(
    value,
    label,
    'the list of permission entries, which is `permissions` of the stored object',
  )
  for (let i = 0; i < list.length; i++) {
    const at = `${label}[${i}]`
    const { id, type, permission } = checkObject(list[i], at)
    checkSnowflake(id, `${at}.id`)
    if (type !== 1 && type !== 2 && type !== 3) fail(`${at}.type`, '1 ROLE, 2 USER or 3 CHANNEL', type)
    if (typeof permission !== 'boolean') fail(`${at}.permission`, 'true or false', permission)
  }
}

/** @throws TypeError for a guild, an owner or a time of the wrong shape */
export function checkCircumstances({ guildId, ownerId, now }: Fields, label = ''): void {
  checkSnowflake(guildId, `${label}guildId`)
  if (ownerId !== undefined) checkSnowflake(ownerId, `${label}ownerId`)
  if (now !== undefined && !Number.isFinite(now)) fail(`${label}now`, 'milliseconds since 1970', now)
}

/** @throws TypeError for a command whose default permissions have the wrong shape */
export function checkDefaults(value: unknown, label: string): void {
  const { default_permission, default_member_permissions } = checkObject(value, label)
  if (!isAbsent(default_permission) && typeof default_permission !== 'boolean') {
    fail(`${label}.default_permission`, 'true or false', default_permission)
  }
  if (!isAbsent(default_member_permissions)) {
    checkBits(default_member_permissions, `${label}.default_member_permissions`)
  }
}
