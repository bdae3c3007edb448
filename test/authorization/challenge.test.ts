import { expect, onTestFinished, test, vi } from 'vitest'
import {
  AuthenticationCodeChallengeMethod,
  AuthorizationCodeChallenge,
  AuthorizationCodeVerifier,
} from 'commandry'
import {
  createVerifier,
  isCodeChallenge,
  isCodeVerifier,
  s256,
  secureRandom,
} from '../../src/authorization/challenge.ts'
import { CHALLENGE, OTHER_VERIFIER, VERIFIER } from './requests.ts'
import { fc, forAnyAsync } from '../support/properties.ts'

test.each([
  [VERIFIER, CHALLENGE],
  [OTHER_VERIFIER, 'CNPVOxIUDw5vcUaWT3Gn8fjrEeZs-kMEqpk2eNzqsmQ'],
])('[2.12-05] computes the S256 challenge of %s', async (verifier, challenge) => {
  expect(await s256(verifier)).toBe(challenge)
})

test('[2.12-05] names what is missing where there is no Web Crypto', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('crypto', {})
  await expect(s256(VERIFIER)).rejects.toThrow('crypto.subtle: expected Web Crypto, got undefined')
})

test('[2.12-05] encodes 32 random bytes as an unpadded base64url verifier', async () => {
  // The bytes of RFC 7636, appendix B.
  const bytes = [
    116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214,
    191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
  ]
  const made = await createVerifier((target) => target.set(bytes))
  expect(made.verifier).toBe(VERIFIER)
  expect({ ...made.challenge }).toEqual({ method: 0, challenge: CHALLENGE })
})

test('[2.12-05] creates a matching verifier and challenge in RFC 7636 form from any random bytes', async () => {
  await forAnyAsync([fc.uint8Array({ minLength: 32, maxLength: 32 })], 100, async (bytes) => {
    const { verifier, challenge } = await createVerifier((target) => target.set(bytes))
    expect(Buffer.from(verifier, 'base64url')).toEqual(Buffer.from(bytes))
    expect(verifier).toHaveLength(43)
    expect(isCodeVerifier(verifier)).toBe(true)
    expect(isCodeChallenge(challenge.challenge)).toBe(true)
    expect(challenge.challenge).toBe(await s256(verifier))
  })
})

test('[2.12-05] creates different verifiers from the secure source', async () => {
  const [a, b] = await Promise.all([createVerifier(secureRandom), createVerifier(secureRandom)])
  expect(a.verifier).not.toBe(b.verifier)
})

test('[2.12-05] has S256 as the only method, with number 0', () => {
  expect(AuthenticationCodeChallengeMethod).toEqual({ S256: 0 })
  expect({ ...new AuthorizationCodeChallenge() }).toEqual({ method: 0, challenge: '' })
})

test('[2.12-05] copies a challenge by construction', () => {
  const original = new AuthorizationCodeChallenge({ challenge: 'a' })
  const copy = new AuthorizationCodeChallenge(original)
  copy.challenge = 'b'
  expect([original.challenge, copy.challenge]).toEqual(['a', 'b'])
})

test.each([
  [{ challenge: 5 }, 'other.challenge: expected a string, got the number 5'],
  [{}, 'other.challenge: expected a string, got missing'],
  ['a', 'other: expected an object, got the string "a"'],
])('[2.12-05] rejects %j in place of a challenge', (other, message) => {
  expect(() => new AuthorizationCodeChallenge(other as { challenge: string })).toThrow(new TypeError(message))
})

test('[2.12-05] has verifiers that only the client creates and that cannot be changed', async () => {
  const Verifier = AuthorizationCodeVerifier as unknown as new (...args: unknown[]) => unknown
  expect(() => new Verifier()).toThrow(
    new TypeError('AuthorizationCodeVerifier: use AuthorizationClient.createAuthorizationCodeVerifier()'),
  )
  const made = await createVerifier(secureRandom)
  expect(made).toBeInstanceOf(AuthorizationCodeVerifier)
  expect(() => Object.assign(made, { verifier: 'other' })).toThrow(TypeError)
  expect(() => Object.assign(made.challenge, { challenge: 'other' })).toThrow(TypeError)
})

test.each([
  ['a'.repeat(42), false],
  ['a'.repeat(43), true],
  ['AZaz09-._~'.padEnd(128, 'x'), true],
  ['a'.repeat(129), false],
  [`${'a'.repeat(42)}+`, false],
  [`${'a'.repeat(43)}\n`, false],
])('[2.12-05] checks %j as a verifier: %s', (text, valid) => {
  expect(isCodeVerifier(text)).toBe(valid)
})
