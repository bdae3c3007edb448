import { expect, test } from 'vitest'
import { sortedKeys } from '../../src/storage/sorted-keys.ts'
import { memoryStore } from 'commandry'
import { fc, forAny } from '../support/properties.ts'

test('lists the same keys as a sorted and filtered Set after any additions and deletions', () => {
  // Few letters, so that prefixes match; more keys than fit in one block.
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\uffff', '\ud83d'), maxLength: 5 })
  forAny([fc.array(key, { minLength: 1500, maxLength: 3000 }), fc.array(key)], 20, (moves, prefixes) => {
    const keys = sortedKeys()
    const model = new Set<string>()
    for (const [i, each] of moves.entries()) {
      if (!model.has(each)) {
        model.add(each)
        keys.add(each)
      } else if (i % 3 === 0) {
        model.delete(each)
        keys.delete(each)
      }
    }
    for (const prefix of ['', ...prefixes])
      expect(keys.startingWith(prefix)).toEqual([...model].filter((each) => each.startsWith(prefix)).sort())
    for (const each of model) keys.delete(each)
    expect(keys.startingWith('')).toEqual([])
  })
})

test('compares only a few more keys than it lists', async () => {
  const store = memoryStore()
  for (let i = 0; i < 20_000; i++) await store.write(`scope/${i}/global`, null, i)
  const original = String.prototype.startsWith
  let compared = 0
  String.prototype.startsWith = function (...args) {
    compared++
    return original.apply(this, args)
  }
  const listed: string[] = []
  try {
    for await (const key of store.keys('scope/12/')) listed.push(key)
  } finally {
    String.prototype.startsWith = original
  }
  expect(listed).toEqual(['scope/12/global'])
  expect(compared).toBeLessThan(10)
})
