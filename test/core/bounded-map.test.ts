import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../../src/core/bounded-map.ts'

it('forgets its oldest entries beyond a number', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ])
})

it('forgets its oldest entries beyond a total size, also of changed and deleted values', () => {
  const map = new BoundedMap<string, string>(10, (text) => text.length)
  map.set('a', 'xxxx').set('b', 'xxxx').set('a', 'xxxxxx')
  expect([...map.keys()]).toEqual(['a', 'b'])
  map.delete('a')
  map.set('c', 'xxxxxx')
  expect([...map.keys()]).toEqual(['b', 'c'])
  map.set('d', 'x')
  expect([...map.keys()]).toEqual(['c', 'd'])
  map.clear()
  map.set('e', 'x'.repeat(10))
  expect([...map.keys()]).toEqual(['e'])
})

describe('a map with owners', () => {
  interface Owned {
    readonly owner: string
    readonly size: number
  }
  const forgotten: string[] = []
  const open = () => {
    forgotten.length = 0
    return new BoundedMap<string, Owned>(10, ({ size }) => size, {
      share: { most: 6, ownerOf: ({ owner }) => owner },
      onForget: (_, key) => forgotten.push(key),
    })
  }
  const of = (owner: string, size: number) => ({ owner, size })

  it('forgets the oldest entries of an owner beyond its share, and those of all beyond the sum', () => {
    const map = open()
    map.set('a1', of('a', 3)).set('b1', of('b', 3)).set('a2', of('a', 3))
    expect([...map.keys()]).toEqual(['a1', 'b1', 'a2'])
    map.set('a3', of('a', 1))
    expect([...map.keys()]).toEqual(['b1', 'a2', 'a3'])
    map.set('c1', of('c', 4))
    expect([...map.keys()]).toEqual(['a2', 'a3', 'c1'])
    expect(forgotten).toEqual(['a1', 'b1'])
  })

  it('counts an entry that changes its size or its owner, and none that was deleted', () => {
    const map = open()
    map.set('1', of('a', 6)).set('1', of('a', 2)).set('2', of('a', 4))
    map.set('1', of('b', 6))
    expect([...map.keys()]).toEqual(['1', '2'])
    map.set('3', of('a', 2))
    expect([...map.keys()]).toEqual(['2', '3'])
    map.delete('2')
    map.set('4', of('a', 4))
    expect([...map.keys()]).toEqual(['3', '4'])
    map.clear()
    map.set('5', of('a', 6)).set('6', of('b', 4))
    expect([...map.keys()]).toEqual(['5', '6'])
    expect(forgotten).toEqual(['1'])
  })

  it('forgets the oldest entries as long as they have ended', () => {
    const map = open()
    map.set('1', of('a', 1)).set('2', of('a', 1)).set('3', of('a', 2)).set('4', of('a', 1))
    map.forgetWhile(({ size }) => size === 1)
    expect([[...map.keys()], forgotten]).toEqual([
      ['3', '4'],
      ['1', '2'],
    ])
  })
})
