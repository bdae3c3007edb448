import { describe, expect, it } from 'vitest'
import { documentOrder } from '../../src/core/document-order.ts'
import { several } from '../support/found.ts'

type Path = readonly (string | number)[]

/** Paths, in the order of a body, written with dots. */
function ordered(body: unknown, ...paths: Path[]): string[] {
  return documentOrder(
    paths.map((path) => ({ path })),
    body,
  ).map(({ path }) => path.join('.'))
}

describe('the order of a document', () => {
  const body = { z: 1, list: [{ b: 1, a: 2 }, { c: 3 }], y: { q: 1, p: { r: 1 } }, a: 2 }

  it('[7-01] is that of the keys as they were written, and not of the alphabet', () => {
    expect(ordered(body, ['a'], ['y'], ['z'])).toEqual(['z', 'y', 'a'])
    expect(ordered(body, ['y', 'p', 'r'], ['y', 'q'])).toEqual(['y.q', 'y.p.r'])
  })

  it('[7-01] is that of the items of a list, by number', () => {
    const list = several(12, () => 0)
    expect(ordered(list, [10], [9], [0])).toEqual(['0', '9', '10'])
    expect(ordered(body, ['list', 1, 'c'], ['list', 0, 'a'], ['list', 0, 'b'])).toEqual([
      'list.0.b',
      'list.0.a',
      'list.1.c',
    ])
  })

  it('[7-01] puts a thing before what it holds', () => {
    expect(ordered(body, ['y', 'p', 'r'], ['y', 'p'], [], ['y'])).toEqual(['', 'y', 'y.p', 'y.p.r'])
  })

  it('[7-01] puts what is missing first in its place', () => {
    expect(ordered(body, ['z'], ['missing'])).toEqual(['missing', 'z'])
    expect(ordered(body, ['list', 1, 'c'], ['list', 1, 'missing'], ['list', 0, 'a'])).toEqual([
      'list.0.a',
      'list.1.missing',
      'list.1.c',
    ])
  })

  it('[7-01] keeps things at one place as they were found', () => {
    const items = [
      { path: ['a'], n: 1 },
      { path: ['z'], n: 2 },
      { path: ['a'], n: 3 },
      { path: ['z'], n: 4 },
    ]
    expect(documentOrder(items, body).map(({ n }) => n)).toEqual([2, 4, 1, 3])
  })

  it('[7-01] keeps things as they were found where the body says nothing of them', () => {
    for (const nothing of [undefined, null, 5, 'text']) {
      expect(ordered(nothing, ['b'], ['a'], ['c'])).toEqual(['b', 'a', 'c'])
    }
  })

  it('[7-01] takes keys that mean something to JavaScript as keys', () => {
    const parsed: unknown = JSON.parse(
      '{ "b": 1, "__proto__": { "d": 1, "c": 2 }, "constructor": 1, "a": 1 }',
    )
    expect(ordered(parsed, ['a'], ['constructor'], ['__proto__', 'c'], ['__proto__', 'd'], ['b'])).toEqual([
      'b',
      '__proto__.d',
      '__proto__.c',
      'constructor',
      'a',
    ])
  })

  it('[7-01] of one thing or none is easy', () => {
    expect(ordered(body)).toEqual([])
    expect(ordered(body, ['nowhere', 3])).toEqual(['nowhere.3'])
  })
})
