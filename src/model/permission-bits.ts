/** Sets of permissions: `bigint` inside, decimal strings on the wire, never rounded (clause 2.1-12). */
import { suggestion } from '../core/nearest.ts'
import { describeValue } from '../core/text.ts'
import { PermissionFlag } from './permission-flags.ts'

/** The largest bit set of the service: 2^64 - 1. */
export const LARGEST_BITS = '18446744073709551615'

/** A bit set as the service answers it; `undefined` if the value is not one. Real clients send numbers too. */
export function canonicalBits(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value >= 0n ? canonicalBits(String(value)) : undefined
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  if (typeof value !== 'string' || !/^[0-9]{1,100}$/.test(value)) return undefined
  const digits = value.startsWith('0') ? value.replace(/^0+(?=[0-9])/, '') : value
  const fits =
    digits.length < LARGEST_BITS.length || (digits.length === LARGEST_BITS.length && digits <= LARGEST_BITS)
  return fits ? digits : undefined
}

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
  const bit = permissionBit(flag)
  if (bit !== undefined) return bit
  const advice = suggestion(String(flag), Object.keys(PermissionFlag))
  throw new TypeError(`flags: expected a name of PermissionFlag, got ${describeValue(flag)}${advice}`)
}

/** The bit of a permission; `undefined` for a name that is not in `PermissionFlag`. */
export function permissionBit(name: string): bigint | undefined {
  return Object.hasOwn(PermissionFlag, name) ? PermissionFlag[name as keyof typeof PermissionFlag] : undefined
}

const names: readonly (readonly [name: string, bit: bigint])[] = Object.entries(PermissionFlag)

/** The bits of every permission of `PermissionFlag`. */
export const allPermissions: bigint = names.reduce((bits, [, bit]) => bits | bit, 0n)

/**
 * The permissions that a text or a list of texts names, in the specification's or a library's spelling; none if one of
 * them is not a name.
 */
export function namedPermissions(value: unknown): readonly string[] {
  // `Array.from` makes holes undefined (clause 1-05).
  const texts: unknown[] = Array.isArray(value) ? Array.from(value.slice(0, names.length)) : [value]
  const found = texts.map((text) =>
    typeof text === 'string' && text.length < 100
      ? text.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
      : '',
  )
  return found.every((name) => permissionBit(name) !== undefined) ? found : []
}

/** The names of the permissions in a set, from the lowest bit up; `1 << n` for bits without a name. */
export function permissionNames(bits: bigint): readonly string[] {
  const found = names.filter(([, bit]) => (bits & bit) !== 0n).map(([name]) => name)
  const unnamed = Array.from((bits & ~allPermissions).toString(2)).reverse()
  return [...found, ...unnamed.flatMap((digit, n) => (digit === '1' ? [`1 << ${n}`] : []))]
}
