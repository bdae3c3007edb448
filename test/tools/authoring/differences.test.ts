import { expect, it } from 'vitest'
import { differenceText } from '../../../src/tools/authoring/differences.ts'

const text = (before: unknown, after: unknown) => differenceText({ path: ['field'], before, after })

it('the text of a difference shows the first six items of a list', () => {
  expect(text([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7])).toBe(
    'field  [1, 2, 3, 4, 5, 6] → [1, 2, 3, 4, 5, 6, …]',
  )
})

it('the text of a difference counts items that are objects', () => {
  expect(text([{}], [{}, {}])).toBe('field  1 item → 2 items')
})

it('the text of a difference shows what is absent as none', () => {
  expect(text(undefined, true)).toBe('field  none → true')
  expect(text('x', null)).toBe('field  "x" → none')
})

it('the text of a difference begins long texts a little before the first difference', () => {
  const start = 'a'.repeat(40)
  expect(text(`${start}b`, `${start}c`)).toBe('field  "…aaaaaaaaaaaab" → "…aaaaaaaaaaaac"')
  expect(text('short b', 'short c')).toBe('field  "short b" → "short c"')
})

it('the text of a difference quotes names that a path cannot hold as they are', () => {
  expect(differenceText({ path: ['options', 'Red one'], before: 1, after: 2 })).toBe(
    'options."Red one"  1 → 2',
  )
})
