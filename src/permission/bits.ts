/** Sets of permissions: `bigint` inside, decimal strings on the wire, never rounded (clause 2.1-12). */
import { described } from '../core/text.ts'
import { PermissionFlag } from './kinds.ts'

// 64 bits are at most 20 digits.
const SHAPE = /^[0-9]{1,20}$/

/**
 * A set of permissions as bits. Lossless: a string or a `bigint`, never a number.
 *
 * @throws TypeError, naming `label`, for anything else
 */
export function permissionBits(value: string | bigint, label: string): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (typeof value === 'string' && SHAPE.test(value)) return BigInt(value)
  const got = typeof value === 'bigint' ? String(value) : described(value)
  throw new TypeError(`${label}: expected a decimal string or a bigint that is not negative, got ${got}`)
}

const names: readonly (readonly [name: string, bit: bigint])[] = Object.entries(PermissionFlag)

/** Every permission there is. */
export const allPermissions: bigint = names.reduce((bits, [, bit]) => bits | bit, 0n)

/** The names of the permissions in a set, from the lowest bit up; `1 << n` for bits without a name. */
export function permissionNames(bits: bigint): readonly string[] {
  const found = names.filter(([, bit]) => (bits & bit) !== 0n).map(([name]) => name)
  let rest = bits & ~allPermissions
  for (let n = 0; rest !== 0n; n++, rest >>= 1n) if ((rest & 1n) === 1n) found.push(`1 << ${n}`)
  return found
}
