import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { formatIssues, validateCommand, validateCommands, validatePermissions } from 'commandry'
import { toErrorBody } from 'commandry/http'
import { command, commandSet, permissions } from 'commandry/arbitraries'
import { accepted } from './support/found.ts'
import { words } from './support/words.ts'
import { anyCharacter, fc, forAny } from './support/properties.ts'

/** Any JSON, mixed with the keys and values that readers look for, so that every reader runs. */
function nearly(): fc.Arbitrary<unknown> {
  const keys = fc.constantFrom(
    ...words(`
      name type description options choices value required autocomplete nsfw handler
      name_localizations description_localizations de en-US en-GB es-419 pt_BR contexts
      integration_types channel_types min_value max_value min_length max_length dm_permission
      default_member_permissions default_permission id permission permissions __proto__ toJSON
      constructor hasOwnProperty length 0 toString valueOf
    `),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.oneof(
        fc.integer({ min: -1, max: 12 }),
        fc.string({ unit: anyCharacter, maxLength: 40 }),
        fc.boolean(),
      ),
      fc.constantFrom(null, undefined, 0.5, -0, 1e300, Number.NaN, '', 'a', '\ud800', '0'),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.array(fc.tuple(keys, tie('tree')), { maxLength: 8 }).map((entries) => Object.fromEntries(entries)),
    ),
  }))
  return tree
}

/** A command with something at one place replaced by any JSON. */
function damaged(): fc.Arbitrary<unknown> {
  return fc.tuple(command(), nearly(), fc.nat(), fc.nat(6)).map(([body, value, seed, depth]) => {
    const copy = structuredClone({ ...body }) as Record<string, unknown>
    let holder = copy
    for (let i = 0; i <= depth; i++) {
      const keys = Object.keys(holder)
      if (keys.length === 0) break
      const key = keys[(seed + i) % keys.length]!
      const next = holder[key]
      if (i === depth || typeof next !== 'object' || next === null) {
        holder[key] = value
        break
      }
      holder = next as Record<string, unknown>
    }
    return copy
  })
}

function resolves(body: unknown, path: readonly (string | number)[]): boolean {
  // A missing field has no place: the path leads to its object.
  let value = body
  for (const step of path.slice(0, -1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false
    value = (value as Record<string, unknown>)[step]
  }
  return path.length === 0 || (typeof value === 'object' && value !== null)
}

/** Every path in document order. */
function pathsInOrder(body: unknown, at: readonly (string | number)[] = []): string[] {
  const here = [JSON.stringify(at)]
  if (typeof body !== 'object' || body === null) return here
  const entries = Array.isArray(body) ? [...body.entries()] : Object.entries(body)
  return [...here, ...entries.flatMap(([key, value]) => pathsInOrder(value, [...at, key]))]
}

const validators = [
  ['validateCommand', validateCommand],
  ['validateCommands', validateCommands],
  ['validatePermissions', validatePermissions],
] as const

describe('reading', () => {
  it.each(validators)('accepts or rejects any JSON without changing it: %s', (_, validate) => {
    forAny([fc.oneof(nearly(), damaged(), fc.array(damaged(), { maxLength: 3 }))], 500, (body) => {
      const before = structuredClone(body)
      const found = validate(body)
      expect(isDeepStrictEqual(body, before)).toBe(true)
      expect(Object.getPrototypeOf({})).toBe(Object.prototype)
      expect(Object.keys(Object.prototype)).toEqual([])
      const issues = found.ok ? [] : found.issues
      if (!found.ok) expect(issues.length).toBeGreaterThan(0)
      for (const { path, message, clause } of [...issues, ...found.warnings]) {
        expect(resolves(body, path)).toBe(true)
        expect(message).not.toMatch(/undefined|\[object/)
        expect(clause).toMatch(/^\d/)
      }
    })
  })

  it('is idempotent', () => {
    forAny([fc.constantFrom('global', 'guild')], 2, (scope) => {
      forAny([command({ scope })], 100, (body) => {
        const first = accepted(validateCommand(body, { scope }))
        expect(accepted(validateCommand(first, { scope }))).toStrictEqual(first)
      })
    })
  })

  it('returns frozen definitions, independent of the body', () => {
    forAny([command()], 100, (body) => {
      const read = accepted(validateCommand(body))
      const before = structuredClone(read)
      scramble(body)
      expect(read).toStrictEqual(before)
      expectFrozen(read)
    })
  })

  it('ignores the order of keys', () => {
    forAny([command(), fc.infiniteStream(fc.nat(1000))], 100, (body, order) => {
      const shuffled = accepted(validateCommand(reordered(body, order)))
      expect(shuffled).toEqual(accepted(validateCommand(body)))
    })
  })

  it('reports issues in document order', () => {
    forAny(
      [fc.oneof(damaged(), fc.array(damaged(), { maxLength: 4 })), fc.infiniteStream(fc.nat(1000))],
      300,
      (body, order) => {
        const shuffled = reordered(body, order)
        const places = pathsInOrder(shuffled)
        const found = Array.isArray(shuffled) ? validateCommands(shuffled) : validateCommand(shuffled)
        for (const list of [found.warnings, found.ok ? [] : found.issues]) {
          const known = list
            .map(({ path }) => places.indexOf(JSON.stringify(path)))
            .filter((place) => place >= 0)
          expect(known).toEqual([...known].sort((a, b) => a - b))
        }
      },
    )
  })

  it('[7-01] writes every issue into an error body that clients can read', () => {
    forAny([fc.oneof(damaged(), fc.array(damaged(), { minLength: 1, maxLength: 4 }))], 300, (body) => {
      const found = Array.isArray(body) ? validateCommands(body) : validateCommand(body)
      if (found.ok) return
      const { errors } = toErrorBody(found.issues)
      const leaves = leavesOf(errors)
      expect(leaves.length).toBeGreaterThan(0)
      for (const leaf of leaves) {
        expect(leaf.length).toBeGreaterThan(0)
        for (const error of leaf) {
          expect(Object.keys(error)).toEqual(['code', 'message'])
          expect(error.code).toMatch(/^[A-Z_]+$/)
        }
      }
      const lines = formatIssues(found.issues, body).split('\n')
      expect(lines).toHaveLength(found.issues.length)
    })
  })
})

describe('a valid command stays valid', () => {
  const nothings = [undefined, null, false, [], {}]

  it('[2.1-22] with null on every field that may be left out', () => {
    forAny([command()], 100, (body) => {
      const fields = words(`
          name_localizations description_localizations default_member_permissions contexts
          integration_types nsfw dm_permission default_permission handler
        `)
      for (const field of fields) expectValid({ ...body, [field]: null })
      if (body.type === undefined || body.type === 1) expectValid({ ...body, type: null, options: null })
    })
  })

  it('[2.1-23] with default values on options of every type', () => {
    forAny([fc.integer({ min: 1, max: 11 }), fc.constantFrom(...nothings)], 100, (type, nothing) => {
      const option = { type, name: 'a', description: 'b' }
      for (const field of ['required', 'autocomplete']) {
        if (!Array.isArray(nothing) && typeof nothing !== 'object')
          expectValid(withOption({ ...option, [field]: nothing }))
      }
      for (const field of ['choices', 'options', 'channel_types']) {
        if (Array.isArray(nothing) || nothing == null)
          expectValid(withOption({ ...option, [field]: nothing }))
      }
      for (const field of ['name_localizations', 'description_localizations']) {
        if (!Array.isArray(nothing) && nothing !== false)
          expectValid(withOption({ ...option, [field]: nothing }))
      }
    })
  })

  it('[2.1-20] with unknown keys, which are reported as warnings and dropped', () => {
    forAny([command(), fc.string({ unit: anyCharacter }), fc.jsonValue()], 100, (body, key, value) => {
      const read = validateCommand(body)
      fc.pre(read.ok && !Object.hasOwn(body, key) && !knownKeys.has(key))
      const extended = JSON.parse(
        `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(value)}}`,
      )
      const again = validateCommand(extended)
      if (!again.ok || !read.ok) throw new Error('an unknown key was refused')
      expect(again.value).toEqual(read.value)
      expect(again.warnings).toContainEqual(expect.objectContaining({ code: 'keys.unknown', path: [key] }))
    })
  })

  it('[2.6-02] after a store has kept it as JSON', () => {
    forAny([command()], 100, (body) => {
      const read = accepted(validateCommand(body))
      expect(JSON.parse(JSON.stringify(read))).toEqual(read)
    })
  })

  it('[2.5-01] [2.6-02] with -0 for 0, which is then 0, as JSON writes it', () => {
    const body = (zero: number) => ({
      name: 'a',
      description: 'b',
      contexts: [zero],
      integration_types: [zero],
      options: [
        { type: 4, name: 'c', description: 'd', choices: [{ name: 'e', value: zero }] },
        { type: 10, name: 'f', description: 'g', min_value: zero, max_value: zero },
        { type: 3, name: 'h', description: 'i', min_length: zero },
        { type: 7, name: 'j', description: 'k', channel_types: [zero] },
      ],
    })
    const [negative, positive] = [validateCommand(body(-0)), validateCommand(body(0))]
    expect(positive.ok).toBe(true)
    expect(negative).toEqual(positive)
  })

  it('[4.4-01] in any set whose names differ by type, and in any order of it', () => {
    forAny([commandSet({ maxCommands: 6 })], 100, (bodies) => {
      expect(accepted(validateCommands(bodies))).toHaveLength(bodies.length)
      expect(validateCommands([...bodies].reverse()).ok).toBe(true)
    })
  })

  it('[2.9-02] with any permissions of known kinds', () => {
    forAny([permissions()], 100, (entries) => {
      expect(validatePermissions(entries)).toMatchObject({ ok: true, value: entries })
      expect(validatePermissions({ permissions: entries })).toMatchObject({ ok: true, value: entries })
    })
  })
})

const knownKeys = new Set(
  words(`
    id application_id guild_id version name_localized description_localized options handler type name
    description name_localizations description_localizations default_member_permissions dm_permission
    default_permission nsfw integration_types contexts
  `),
)

function withOption(option: object): object {
  return { name: 'a', description: 'b', options: [option] }
}

const expectValid = (body: object) => accepted(validateCommand(body))

function expectFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  expect(Object.isFrozen(value)).toBe(true)
  Object.values(value).forEach(expectFrozen)
}

function scramble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(scramble)
  if (Array.isArray(value)) value.length = 0
  else for (const key of Object.keys(value)) (value as Record<string, unknown>)[key] = 'changed'
}

/** The same value with the keys of every object in another order. */
function reordered(value: unknown, order: fc.Stream<number>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => reordered(item, order))
  const entries = Object.entries(value).map(
    ([key, item]) => [order.next().value!, key, reordered(item, order)] as const,
  )
  return Object.fromEntries([...entries].sort((a, b) => a[0] - b[0]).map(([, key, item]) => [key, item]))
}

function leavesOf(node: unknown): { code: string; message: string }[][] {
  expect(typeof node === 'object' && node !== null && !Array.isArray(node)).toBe(true)
  const { _errors, ...children } = node as { _errors?: { code: string; message: string }[] }
  if (_errors !== undefined) {
    // Real clients stop at a node's own errors and ignore its children.
    expect(children).toEqual({})
    return [_errors]
  }
  return Object.values(children).flatMap(leavesOf)
}
