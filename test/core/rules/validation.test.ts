import { describe, expect, it } from 'vitest'
import { type Issue, validateCommand } from 'commandry'
import { documentOrder } from '../../../src/core/rules/validation.ts'
import { several } from '../../support/bodies.ts'
import { words } from '../../support/words.ts'

const invalid = { name: 'Ping', description: '', hint: 'unknown' }

describe('an invalid result', () => {
  it('is compared, copied and written as JSON like a plain object', () => {
    const found = validateCommand(invalid)
    const plain = { ...found }
    expect(Object.keys(plain)).toEqual(['ok', 'issues', 'warnings'])
    expect(found).toStrictEqual(plain)
    expect(structuredClone(found)).toStrictEqual(plain)
    expect(JSON.parse(JSON.stringify(found))).toEqual(plain)
  })

  it('differs from the result of another body', () => {
    expect(validateCommand(invalid)).not.toEqual(validateCommand({ ...invalid, name: 'Pong' }))
  })

  it('makes its issues and warnings once', () => {
    const found = validateCommand(invalid)
    if (found.ok) throw new Error('expected issues')
    expect(found.issues).toBe(found.issues)
    expect(found.warnings).toBe(found.warnings)
  })

  it('keeps the order of its issues when the keys of the body are reordered afterwards', () => {
    const body: Record<string, unknown> = { ...invalid, nsfw: 5, color: 'unknown' }
    const { name } = body
    const found = validateCommand(body)
    delete body.name
    delete body.hint
    Object.assign(body, { name, hint: 'unknown' })
    const paths = (issues: readonly Issue[]) => issues.map(({ path }) => path.join('.'))
    if (found.ok) throw new Error('expected issues')
    expect(paths(found.issues)).toEqual(['name', 'description', 'nsfw'])
    expect(paths(found.warnings)).toEqual(['hint', 'color'])
    const again = validateCommand(body)
    expect(paths(again.ok ? [] : again.issues)).toEqual(['description', 'nsfw', 'name'])
    expect(paths(again.warnings)).toEqual(['color', 'hint'])
  })
})

type Path = readonly (string | number)[]

/** Paths, in the order of a body, written with dots. */
function ordered(body: unknown, ...paths: Path[]): string[] {
  return documentOrder(
    paths.map((path) => ({ path })),
    body,
  ).map(({ path }) => path.join('.'))
}

describe('documentOrder', () => {
  const body = { z: 1, list: [{ b: 1, a: 2 }, { c: 3 }], y: { q: 1, p: { r: 1 } }, a: 2 }

  it.each<[string, string, string]>([
    ['follows the keys as written, not the alphabet', 'a y z', 'z y a'],
    ['follows the keys of nested objects', 'y.p.r y.q', 'y.q y.p.r'],
    ['sorts list items by index', 'list.1.c list.0.a list.0.b', 'list.0.b list.0.a list.1.c'],
    ['puts an object before its members', 'y.p.r y.p y', 'y y.p y.p.r'],
    ['puts a list before its items', 'list.0 list', 'list list.0'],
    ['puts the body first', 'a  y', ' y a'],
    ['puts missing fields first in their object', 'z missing', 'missing z'],
    [
      'puts missing fields of items there',
      'list.1.c list.1.missing list.0.a',
      'list.0.a list.1.missing list.1.c',
    ],
  ])('[7-01] %s', (_, given, sorted) => {
    const step = (one: string) => (/^\d+$/.test(one) ? Number(one) : one)
    const paths = given.split(' ').map((path) => path.split('.').filter(Boolean).map(step))
    expect(ordered(body, ...paths)).toEqual(sorted.split(' '))
  })

  it('[7-01] sorts indexes as numbers', () => {
    const list = several(12, () => 0)
    expect(ordered(list, [10], [9], [0])).toEqual(['0', '9', '10'])
  })

  it('[7-01] keeps the given order at one path', () => {
    const items = ['a', 'z', 'a', 'z'].map((key, index) => ({ path: [key], index }))
    expect(documentOrder(items, body).map(({ index }) => index)).toEqual([1, 3, 0, 2])
  })

  it('[7-01] keeps the given order where the body lacks the paths', () => {
    for (const nothing of [undefined, null, 5, 'text']) {
      expect(ordered(nothing, ['b'], ['a'], ['c'])).toEqual(['b', 'a', 'c'])
      expect(ordered({ z: nothing }, ['z', 'y', 'b'], ['z', 'y', 'a'])).toEqual(['z.y.b', 'z.y.a'])
    }
  })

  it('[7-01] sorts prototype keys like other keys', () => {
    const parsed: unknown = JSON.parse(
      '{ "b": 1, "__proto__": { "d": 1, "c": 2 }, "constructor": 1, "a": 1 }',
    )
    expect(ordered(parsed, ['a'], ['constructor'], ['__proto__', 'c'], ['__proto__', 'd'], ['b'])).toEqual(
      words('b __proto__.d __proto__.c constructor a'),
    )
  })

  it('[7-01] accepts lists of one item and of none', () => {
    expect(ordered(body)).toEqual([])
    expect(ordered(body, ['nowhere', 3])).toEqual(['nowhere.3'])
  })
})
