import { expect, it } from 'vitest'
import { findTooDeep } from '../../src/core/json.ts'

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
    if (depth > 0) expect([text, '[{'.includes(text[findTooDeep(text, depth - 1)!]!)]).toEqual([text, true])
    expect([text, findTooDeep(text, depth)]).toEqual([text, undefined])
  }
})

// A scan with backtracking would take days and exceed every time limit.
it('nesting reads millions of quotes and backslashes, each at most twice', () => {
  const brackets = '"[[[[[["'
  expect(findTooDeep(brackets + '"' + '\\'.repeat(4_000_000), 5)).toBeUndefined()
  expect(findTooDeep(brackets + '"\\"'.repeat(1_000_000), 5)).toBeUndefined()
  expect(findTooDeep('"\\"'.repeat(1_000_000) + '[[[[[[', 5)).toBeUndefined()
})
