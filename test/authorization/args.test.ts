import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { build } from 'tsup'
import { describe, expect, test } from 'vitest'
import { AuthorizationArgs, AuthorizationCodeChallenge } from 'commandry'
import { CHALLENGE, refusal } from './requests.ts'
import { anyCharacter, fc, forAny } from '../support/properties.ts'

const LARGEST = 2n ** 64n - 1n

const unset = {
  clientId: 0n,
  scopes: '',
  state: undefined as string | undefined,
  nonce: undefined as string | undefined,
  codeChallenge: undefined as { method: 0; challenge: string } | undefined,
  integrationType: undefined as 0 | 1 | undefined,
  customSchemeParam: undefined as string | undefined,
}
type Values = typeof unset

const text = fc.string({ unit: anyCharacter })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const values: fc.Arbitrary<Values> = fc.record({
  clientId: fc.bigInt({ min: 0n, max: LARGEST }),
  scopes: text,
  state: optional(text),
  nonce: optional(text),
  codeChallenge: optional(fc.record({ method: fc.constant(0 as const), challenge: text })),
  integrationType: optional(fc.constantFrom(0 as const, 1 as const)),
  customSchemeParam: optional(text),
})

const fill = (args: AuthorizationArgs, given: Partial<Values>) => Object.assign(args, given)
const argsOf = (given: Partial<Values>) => fill(new AuthorizationArgs(), given)

/** Arguments whose fields were moved elsewhere. */
function movedFrom(): AuthorizationArgs {
  const args = new AuthorizationArgs()
  AuthorizationArgs.move(args)
  return args
}

/** Every field; the challenge as a plain object. */
function read(args: AuthorizationArgs): Values {
  const fields = Object.keys(unset).map((name) => [name, args[name as keyof Values]])
  return { ...Object.fromEntries(fields), codeChallenge: args.codeChallenge && { ...args.codeChallenge } }
}

describe('fields', () => {
  test('[2.12-01] returns the value that was set, for every field and any characters', () => {
    forAny([values], 100, (given) => {
      expect(read(argsOf(given))).toEqual(given)
    })
  })

  test('[2.12-01] creates valid arguments without fields', () => {
    const args = new AuthorizationArgs()
    expect(args.isValid()).toBe(true)
    expect(read(args)).toEqual(unset)
  })

  test('[2.12-01] keeps 64-bit ids exactly, as bigint and as digits', () => {
    const ids = fc.oneof(
      fc.bigInt({ min: 0n, max: LARGEST }),
      fc.constantFrom(0n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, LARGEST),
    )
    forAny([ids, fc.boolean()], 100, (id, asText) => {
      const args = new AuthorizationArgs()
      args.clientId = asText ? String(id) : id
      expect(args.clientId).toBe(id)
    })
  })

  test('[2.12-01] accepts exact numbers as ids', () => {
    const idOf = (clientId: number) => Object.assign(new AuthorizationArgs(), { clientId }).clientId
    expect(idOf(Number.MAX_SAFE_INTEGER)).toBe(9007199254740991n)
    expect(idOf(-0)).toBe(0n)
  })

  test.each([
    [2 ** 53, 'the number 9007199254740992'],
    [1.5, 'the number 1.5'],
    [NaN, 'the number NaN'],
    [-1, 'the number -1'],
    [-1n, '-1n'],
    [LARGEST + 1n, '18446744073709551616n'],
    ['18446744073709551616', 'the string "18446744073709551616"'],
    ['007', 'the string "007"'],
    ['', 'the string ""'],
    ['0x10', 'the string "0x10"'],
    [null, 'null'],
    [undefined, 'missing'],
    [{}, 'an object'],
  ])('[2.12-01] rejects %s as an application id and changes nothing', (value, actual) => {
    const args = new AuthorizationArgs()
    args.clientId = 7n
    expect(() => (args.clientId = value as bigint)).toThrow(
      new TypeError(
        `clientId: expected a bigint from 0n to 18446744073709551615n, its digits, or a number up to 2^53 - 1, got ${actual}`,
      ),
    )
    expect(args.clientId).toBe(7n)
  })

  const unsettable = ['state', 'nonce', 'codeChallenge', 'integrationType', 'customSchemeParam'] as const
  test.each(unsettable)('[2.12-01] unsets %s by undefined and null', (field) => {
    const full = { state: 's', nonce: 'n', integrationType: 1, customSchemeParam: 'x' } as const
    for (const nothing of [undefined, null]) {
      const args = Object.assign(new AuthorizationArgs(), full, { codeChallenge: { challenge: CHALLENGE } })
      expect(args[field]).toBeDefined()
      Object.assign(args, { [field]: nothing })
      expect(args[field]).toBeUndefined()
    }
  })

  test.each([
    ['scopes', undefined, 'scopes: expected a string, got missing'],
    ['scopes', ['openid'], 'scopes: expected a string, got a list'],
    ['state', 5, 'state: expected a string, got the number 5'],
    ['nonce', true, 'nonce: expected a string, got true'],
    ['customSchemeParam', {}, 'customSchemeParam: expected a string, got an object'],
    [
      'integrationType',
      2,
      'integrationType: expected 0 for a guild install or 1 for a user install, got the number 2',
    ],
    ['codeChallenge', CHALLENGE, /^codeChallenge: expected an AuthorizationCodeChallenge, .* got the string/],
    ['codeChallenge', { verifier: 'v', challenge: {} }, /^codeChallenge: .* got an object$/],
  ])('[2.12-01] rejects %s set to %j with a TypeError', (field, value, message) => {
    const args = new AuthorizationArgs()
    expect(() => Object.assign(args, { [field]: value })).toThrow(TypeError)
    expect(() => Object.assign(args, { [field]: value })).toThrow(message)
    expect(read(args)).toEqual(unset)
  })

  test('[2.12-01] keeps a copy of the code challenge', () => {
    const args = new AuthorizationArgs()
    const challenge = new AuthorizationCodeChallenge({ challenge: CHALLENGE })
    args.codeChallenge = challenge
    challenge.challenge = 'changed'
    expect(args.codeChallenge).toEqual(new AuthorizationCodeChallenge({ challenge: CHALLENGE }))
    expect(args.codeChallenge).toBeInstanceOf(AuthorizationCodeChallenge)
    expect(() => Object.assign(args.codeChallenge as object, { challenge: 'changed' })).toThrow(TypeError)
  })
})

describe('copy and move', () => {
  const copying: [string, (other: AuthorizationArgs) => AuthorizationArgs][] = [
    ['construction', (other) => new AuthorizationArgs(other)],
    ['assignment', (other) => argsOf({ state: 'old', customSchemeParam: 'old' }).assign(other)],
  ]
  const moving: [string, (other: AuthorizationArgs) => AuthorizationArgs][] = [
    ['construction', (other) => AuthorizationArgs.move(other)],
    ['assignment', (other) => argsOf({ state: 'old', customSchemeParam: 'old' }).moveFrom(other)],
  ]

  test.each(copying)('[2.12-07] makes an equal, independent copy (%s)', (_, copyOf) => {
    forAny([values, values, values], 100, (first, second, third) => {
      const original = argsOf(first)
      const copy = copyOf(original)
      expect(read(copy)).toEqual(first)
      fill(copy, second)
      expect(read(original)).toEqual(first)
      fill(original, third)
      expect(read(copy)).toEqual(second)
      AuthorizationArgs.move(original)
      expect([copy.isValid(), read(copy)]).toEqual([true, second])
    })
  })

  test.each(moving)('[2.12-07] moves everything and makes the source invalid (%s)', (_, moveFrom) => {
    forAny([values], 100, (given) => {
      const original = argsOf(given)
      const moved = moveFrom(original)
      expect([moved.isValid(), read(moved)]).toEqual([true, given])
      expect([original.isValid(), read(original)]).toEqual([false, unset])
    })
  })

  test.each(Object.keys(unset))('[2.12-07] rejects writing %s of a moved-from object', (field) => {
    const args = movedFrom()
    for (const value of [undefined, null, 'x', 1n]) {
      expect(() => Object.assign(args, { [field]: value })).toThrow(
        'these arguments are invalid, as after a move; assign to them or create a new AuthorizationArgs()',
      )
      expect(refusal(() => Object.assign(args, { [field]: value })).code).toBe('invalid_object')
    }
    expect(args.isValid()).toBe(false)
  })

  test('[2.12-07] makes an invalid object, but not nullobj, valid by assignment', () => {
    const given = { ...unset, clientId: 5n, scopes: 'identify' }
    for (const method of ['assign', 'moveFrom'] as const) {
      for (const args of [movedFrom(), new AuthorizationArgs(AuthorizationArgs.nullobj)]) {
        args[method](argsOf(given))
        expect([args.isValid(), read(args)]).toEqual([true, given])
        args.scopes = 'openid'
        expect([args.scopes, AuthorizationArgs.nullobj.isValid()]).toEqual(['openid', false])
      }
    }
  })

  test('[2.12-07] makes invalid copies and moves of an invalid object', () => {
    for (const [, derive] of [...copying, ...moving]) {
      expect(derive(movedFrom()).isValid()).toBe(false)
      expect(derive(AuthorizationArgs.nullobj).isValid()).toBe(false)
    }
  })

  test('[2.12-07] changes nothing when an object is assigned or moved to itself', () => {
    forAny([values], 100, (given) => {
      const args = argsOf(given)
      expect(args.assign(args)).toBe(args)
      expect(args.moveFrom(args)).toBe(args)
      expect([args.isValid(), read(args)]).toEqual([true, given])
    })
  })

  test('[2.12-07] accepts only AuthorizationArgs', () => {
    const message = 'other: expected AuthorizationArgs, got an object'
    const other = { ...unset } as unknown as AuthorizationArgs
    expect(() => new AuthorizationArgs(other)).toThrow(message)
    expect(() => new AuthorizationArgs().assign(other)).toThrow(message)
    expect(() => new AuthorizationArgs().moveFrom(other)).toThrow(message)
    expect(() => AuthorizationArgs.move(other)).toThrow(message)
  })
})

describe('nullobj', () => {
  const { nullobj } = AuthorizationArgs
  const writable = nullobj as unknown as Record<string, unknown>

  test('[2.12-07] is a single invalid object without fields', () => {
    expect(AuthorizationArgs.nullobj).toBe(nullobj)
    expect(nullobj).toBeInstanceOf(AuthorizationArgs)
    expect([nullobj.isValid(), Object.isFrozen(nullobj), read(nullobj)]).toEqual([false, true, unset])
  })

  test.each(Object.keys(unset))('[2.12-07] rejects writing its %s', (field) => {
    expect(() => (writable[field] = undefined)).toThrow(
      'AuthorizationArgs.nullobj cannot be changed; create a new AuthorizationArgs()',
    )
    expect(refusal(() => (writable[field] = undefined)).code).toBe('invalid_object')
  })

  test('[2.12-07] cannot be changed', () => {
    const attempts: readonly ((given: Values) => unknown)[] = [
      (given) => fill(nullobj, given),
      (given) => nullobj.assign(argsOf(given)),
      (given) => nullobj.moveFrom(argsOf(given)),
      () => nullobj.assign(nullobj),
      () => nullobj.moveFrom(nullobj),
      () => AuthorizationArgs.move(nullobj),
      (given) => AuthorizationArgs.move(nullobj).assign(argsOf(given)),
      (given) => fill(new AuthorizationArgs(nullobj).assign(argsOf(given)), given),
      () => (writable.isValid = () => true),
      (given) => Object.defineProperty(nullobj, 'scopes', { value: given.scopes }),
      () => Object.setPrototypeOf(nullobj, { isValid: () => true }),
      (given) => Object.assign(AuthorizationArgs, { nullobj: argsOf(given) }),
    ]
    forAny(
      [fc.array(fc.tuple(fc.nat(attempts.length - 1), values), { minLength: 1, maxLength: 20 })],
      100,
      (moves) => {
        for (const [index, given] of moves) {
          try {
            attempts[index]?.(given)
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
          }
        }
        expect(AuthorizationArgs.nullobj).toBe(nullobj)
        expect([nullobj.isValid(), read(nullobj), Object.keys(nullobj)]).toEqual([false, unset, []])
      },
    )
  })
})

describe('output', () => {
  const given: Values = {
    clientId: LARGEST,
    scopes: 'openid',
    state: 'state-secret',
    nonce: 'nonce-secret',
    codeChallenge: { method: 0, challenge: CHALLENGE },
    integrationType: 1,
    customSchemeParam: 'mygame',
  }
  const hidden = { state: '(hidden)', nonce: '(hidden)' }
  const shown = { valid: true, ...given, ...hidden, clientId: String(LARGEST) }

  test('[2.12-01] writes every set field to JSON, with state and nonce hidden', () => {
    expect(JSON.parse(JSON.stringify(argsOf(given)))).toEqual(shown)
    expect(JSON.parse(JSON.stringify(argsOf(unset)))).toEqual({ valid: true, clientId: '0', scopes: '' })
    expect(JSON.parse(JSON.stringify(AuthorizationArgs.nullobj))).toEqual({ valid: false, clientId: '0' })
  })

  test('[2.12-01] shows the class name and the same fields in Node.js inspection', () => {
    const text = inspect({ args: argsOf(given) }, { depth: 5 })
    expect(text).toContain('args: AuthorizationArgs {')
    expect(text).toContain("customSchemeParam: 'mygame'")
    expect(text).toContain("state: '(hidden)'")
    expect(text).not.toMatch(/secret/)
  })

  test('[2.12-01] rejects an unknown property with a TypeError that names it', () => {
    const args = new AuthorizationArgs()
    expect(() => Object.assign(args, { scope: 'openid' })).toThrow(TypeError)
    expect(() => Object.assign(args, { scope: 'openid' })).toThrow(/scope/)
    expect(() => Object.assign(AuthorizationArgs.move(args), { clientID: 5n })).toThrow(/clientID/)
    expect('scope' in args).toBe(false)
  })

  test('[2.12-01] keeps the class name in bundles', async () => {
    const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url))
    const outDir = path(`node_modules/.cache/commandry/args-${process.pid}`)
    const entry = { args: path('src/authorization/args.ts') }
    await build({ entry, format: ['esm'], target: 'es2022', outDir, config: false, silent: true })
    const bundled = await import(/* @vite-ignore */ `${outDir}/args.mjs`).catch(
      () => import(`${outDir}/args.js`),
    )
    expect(bundled.AuthorizationArgs.name).toBe('AuthorizationArgs')
  })
})
