import { expect, it } from 'vitest'
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
