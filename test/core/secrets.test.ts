import { expect, it } from 'vitest'
import { uniqueText } from '../../src/core/random.ts'
import { equalsSecret, newSecret, type Secret } from '../../src/core/secrets.ts'
import { several } from '../support/bodies.ts'

it('[5-06] makes secrets of random bytes, which no text made by hand can stand for', () => {
  const secrets = several(200, () => newSecret(30, 'webhook-'))
  expect(new Set(secrets).size).toBe(200)
  for (const secret of secrets) expect(secret).toMatch(/^webhook-[0-9a-f]{60}$/)
  // Each place has each digit: none of them follows from another.
  for (let place = 8; place < 68; place++)
    expect(new Set(secrets.map((one) => one[place])).size).toBeGreaterThan(8)
  // @ts-expect-error A text is no secret.
  const byHand: Secret = 'webhook-1'
  expect(equalsSecret(byHand, newSecret(4, 'webhook-'))).toBe(false)
})

it.each([
  ['same', 'same', true],
  ['same', 'samE', false],
  ['sam', 'same', false],
  ['same', 'sam', false],
  ['', '', true],
  ['', 'a', false],
])('compares %j with the secret %j: %s', (given, secret, isSame) => {
  expect(equalsSecret(given, secret)).toBe(isSame)
})

it('makes texts that differ each time', () => {
  expect(new Set(several(1_000, uniqueText)).size).toBe(1_000)
})
