import { expect, it } from 'vitest'
import { isNestedDeeper } from '../../../src/interactions/answer/nesting.ts'

it('nesting counts lists and objects and ignores strings', () => {
  for (const [text, depth] of [
    ['[[[]]]', 3],
    ['[[],[],[[]]]', 3],
    ['{"a":{"b":[1]}}', 3],
    ['["[[[[[[[[", "]]"]', 1],
    ['["\\"[[[[", [1]]', 2],
    ['["\\\\", [[1]]]', 3],
    ['["\\\\\\"[[[[[[", [1]]', 2],
    ['"[[[', 0],
    ['', 0],
  ] as const) {
    if (depth > 0) expect([text, isNestedDeeper(text, depth - 1)]).toEqual([text, true])
    expect([text, isNestedDeeper(text, depth)]).toEqual([text, false])
  }
})

// A scan with backtracking would take days and exceed every time limit.
it('nesting reads millions of quotes and backslashes, each at most twice', () => {
  const brackets = '"[[[[[["'
  expect(isNestedDeeper(brackets + '"' + '\\'.repeat(4_000_000), 5)).toBe(false)
  expect(isNestedDeeper(brackets + '"\\"'.repeat(1_000_000), 5)).toBe(false)
  expect(isNestedDeeper('"\\"'.repeat(1_000_000) + '[[[[[[', 5)).toBe(false)
})
