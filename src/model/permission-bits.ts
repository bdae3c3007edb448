/** Sets of permissions: `bigint` inside, decimal strings on the wire, never rounded (clause 2.1-12). */
import { nearest } from '../core/nearest.ts'
import { describeValue } from '../core/text.ts'
import { PermissionFlag } from './permission-flags.ts'

// 64 bits are at most 20 digits.
const SHAPE = /^[0-9]{1,20}$/

/** Whether a value is a set of permissions: decimal digits, or a bigint that is not negative. */
export function isPermissionBits(value: unknown): value is string | bigint {
  return typeof value === 'bigint' ? value >= 0n : typeof value === 'string' && SHAPE.test(value)
}

/** A set of permissions as bits. Throws a TypeError, naming `label`, for a value that is not one. */
export function permissionBits(value: string | bigint, label: string): bigint {
  if (isPermissionBits(value)) return BigInt(value)
  const got = typeof value === 'bigint' ? String(value) : describeValue(value)
  throw new TypeError(`${label}: expected a decimal string or a bigint that is not negative, got ${got}`)
}

/**
 * The bit set of some permissions, as `default_member_permissions` takes it.
 *
 * @returns decimal digits; `'0'` without names, which means administrators only
 * @throws TypeError for a name that is not in `PermissionFlag`; the message suggests the nearest
 * @example permissions('BAN_MEMBERS', 'KICK_MEMBERS') // '6'
 */
export function permissions(...flags: readonly (keyof typeof PermissionFlag)[]): string {
  return String(flags.reduce((bits, flag) => bits | flagBit(flag), 0n))
}

function flagBit(flag: keyof typeof PermissionFlag): bigint {
  if (Object.hasOwn(PermissionFlag, flag)) return PermissionFlag[flag]
  const suggestion = nearest(String(flag), Object.keys(PermissionFlag))
  const advice = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  throw new TypeError(`permission: expected a name of PermissionFlag, got ${describeValue(flag)}${advice}`)
}

const names: readonly (readonly [name: string, bit: bigint])[] = Object.entries(PermissionFlag)

/** The bits of every permission of `PermissionFlag`. */
export const allPermissions: bigint = names.reduce((bits, [, bit]) => bits | bit, 0n)

/** The names of the permissions in a set, from the lowest bit up; `1 << n` for bits without a name. */
export function permissionNames(bits: bigint): readonly string[] {
  const found = names.filter(([, bit]) => (bits & bit) !== 0n).map(([name]) => name)
  let rest = bits & ~allPermissions
  for (let n = 0; rest !== 0n; n++, rest >>= 1n) if ((rest & 1n) === 1n) found.push(`1 << ${n}`)
  return found
}
