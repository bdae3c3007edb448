import { describe, expect, it } from 'vitest'
import { isNestedDeeper } from '../../src/core/nesting.ts'

describe('nesting', () => {
  it('counts lists and objects and ignores strings', () => {
    const pad = ' '.repeat(20)
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
      const long = text + pad
      if (depth > 0) expect([text, isNestedDeeper(long, depth - 1)]).toEqual([text, true])
      expect([text, isNestedDeeper(long, depth)]).toEqual([text, false])
    }
  })

  // A scan with backtracking would take days and exceed every time limit.
  it('reads millions of quotes and backslashes, each at most twice', () => {
    expect(isNestedDeeper('"' + '\\'.repeat(4_000_000), 5)).toBe(false)
    expect(isNestedDeeper('"\\"'.repeat(1_000_000), 5)).toBe(false)
    expect(isNestedDeeper('"\\"'.repeat(1_000_000) + '[[[[[[', 5)).toBe(false)
  })
})
