import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFault } from '../../src/authoring/json-fault.ts'
import { forAny } from '../support/properties.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON with a deletion, an insertion or a cut; sometimes it stays valid. */
const nearJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }).map((text) => JSON.stringify(JSON.parse(text), null, 1)),
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ',', ':', '"', '[', ']', '{', '}', '0', '-', '1.', 't', '\\', '\n', '\u00a0'),
  )
  .map(([text, at, gone, more]) => {
    const index = at % (text.length + 1)
    return text.slice(0, index) + more + text.slice(index + gone)
  })

describe('jsonFault', () => {
  it('reads strings with millions of escapes', () => {
    expect(jsonFault(`["${'\\n'.repeat(4_000_000)}",]`)).toBe(8_000_004)
  })

  it.each([
    ['{ "tokens": tru }', 12],
    ['{ "tokens": "x ', 12],
    ['{ "a": "\\x" }', 7],
    ['{ "a": "\n" }', 7],
    ['{ "a": 01 }', 8],
    ['{ "a": 1, }', 10],
    ['[1, ]', 4],
    ['[1 2]', 3],
    ['{ "a" 1 }', 6],
    ['{ a: 1 }', 2],
    ['{ 1: 1 }', 2],
    ['[1}', 2],
    ['{ "a": 1 ]', 9],
    ['{ "a": }', 7],
    ['[] []', 3],
    ['{ "a": [', 8],
    ['', 0],
    [' ', 1],
    ["'a'", 0],
    ['\u00a0[]', 0],
  ])('%j: %i', (text, index) => {
    expect(jsonFault(text)).toBe(index)
  })

  it('finds a fault exactly where JSON.parse fails', () => {
    forAny([nearJson], 2000, (text) => {
      expect(jsonFault(text) === undefined).toBe(isJson(text))
    })
  })

  it('accepts long texts and deep lists', () => {
    const long = JSON.stringify('x'.repeat(5_000_000))
    expect(jsonFault(long)).toBeUndefined()
    expect(jsonFault(long.slice(0, -1))).toBe(0)
    expect(jsonFault('['.repeat(200_000))).toBe(200_000)
  })
})
