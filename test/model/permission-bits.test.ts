import { expect, test } from 'vitest'
import { PermissionFlag, permissions } from 'commandry'
import { allPermissions, permissionBits, permissionNames } from '../../src/model/permission-bits.ts'
import { fc, forAny } from '../support/properties.ts'

test('[2.1-12] sets of permissions are equal as a decimal string and as a bigint, without loss', () => {
  forAny([fc.bigInt(0n, 2n ** 64n - 1n)], 100, (bits) => {
    expect(permissionBits(String(bits), 'x')).toBe(bits)
    expect(permissionBits(bits, 'x')).toBe(bits)
  })
  expect(permissionBits('9007199254740993', 'x')).toBe(9007199254740993n)
  expect(permissionBits('008', 'x')).toBe(8n)
})

test.each(['', ' 8', '8n', '0x8', '-1', '1.0', '1e3', '1'.repeat(21), -1n, 8, null, undefined, {}, true])(
  '[2.1-12] sets of permissions reject %s with an error that names the field',
  (value) => {
    expect(() => permissionBits(value as string, 'member.permissions')).toThrow(
      /^member\.permissions: expected a decimal string or a bigint that is not negative, got /,
    )
  },
)

test('[2.1-12] sets of permissions name a negative bigint by its digits and a text in quotes', () => {
  expect(() => permissionBits(-1n, 'x')).toThrow(/, got -1$/)
  expect(() => permissionBits('8n', 'x')).toThrow(/, got .*"8n"$/)
})

test('[2.1-12] sets of permissions have a name for every flag, and a number for other bits', () => {
  for (const [name, bit] of Object.entries(PermissionFlag)) expect(permissionNames(bit)).toEqual([name])
  expect(permissionNames(allPermissions)).toEqual(Object.keys(PermissionFlag))
  expect(permissionNames((1n << 47n) | 8n | (1n << 63n))).toEqual(['ADMINISTRATOR', '1 << 47', '1 << 63'])
  expect(permissionNames(0n)).toEqual([])
})

test('[2.1-12] sets of permissions are created from names by permissions()', () => {
  expect(permissions('BAN_MEMBERS', 'KICK_MEMBERS')).toBe('6')
  expect(permissions('BAN_MEMBERS', 'BAN_MEMBERS')).toBe('4')
  expect(permissions()).toBe('0')
  expect(permissions(...(Object.keys(PermissionFlag) as 'SPEAK'[]))).toBe(String(allPermissions))
})

test('[2.1-12] sets of permissions reject unknown names and suggest the nearest', () => {
  expect(() => permissions('BAN_MEMBER' as 'BAN_MEMBERS')).toThrow('did you mean "BAN_MEMBERS"?')
  expect(() => permissions('toString' as 'SPEAK')).toThrow(/^flags: expected a name of PermissionFlag/)
})
