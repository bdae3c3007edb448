import { expect, it } from 'vitest'
import { editDistance, nearest } from '../../src/core/nearest.ts'

it('nearest suggests the word with the fewest changes', () => {
  expect(nearest('option.ordr', ['options.order', 'option.type', 'choices.count'])).toBe('options.order')
  expect(nearest('Ban', ['kick', 'ban'])).toBe('ban')
  expect(nearest('bna', ['ban'])).toBeUndefined()
  expect(nearest('srever', ['server'])).toBe('server')
})

it('nearest suggests nothing for a word that is unlike all, or far too long', () => {
  expect(nearest('help', ['choices.count'])).toBeUndefined()
  expect(nearest('a', [])).toBeUndefined()
  expect(nearest('a'.repeat(65), ['a'.repeat(65)])).toBeUndefined()
  expect(nearest('a'.repeat(64), ['a'.repeat(64)])).toBe('a'.repeat(64))
})

it('nearest counts replaced, removed and inserted characters', () => {
  expect(editDistance('', 'abc')).toBe(3)
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('abc', 'abc')).toBe(0)
})
