import { describe, expect, it } from 'vitest'
import { counted, countCharacters, describeValue, fits, given, listed, quoted } from '../../src/core/text.ts'

describe('countCharacters and fits', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['é', 1],
    ['e\u0301', 2],
    ['🎉', 1],
    ['🎉🎉', 2],
    ['👨‍👩‍👧‍👦', 7],
    ['a🎉b', 3],
    ['x'.repeat(50_001), 50_001],
    ['🎉'.repeat(50_000), 50_000],
  ])('[2.1-04] counts the code points of %j', (text, count) => {
    expect(countCharacters(text)).toBe(count)
    expect(countCharacters(text)).toBe(Array.from(text).length)
  })

  it('[2.1-04] counts two surrogates as one code point if they are a pair', () => {
    const edges = ['\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff', '\ue000', '🎉']
    for (const text of edges.flatMap((one) => edges.map((other) => one + other)))
      expect(countCharacters(text)).toBe(Array.from(text).length)
  })

  it.each([0, 1, 2, 32, 100, 6000])('[2.1-04] accepts a text of %i code points, and no longer one', (max) => {
    for (const letter of ['x', '🎉']) {
      expect(fits(letter.repeat(max), max)).toBe(true)
      expect(fits(letter.repeat(max + 1), max)).toBe(false)
      expect(fits(letter.repeat(3 * max + 3), max)).toBe(false)
    }
    expect(fits('x' + '🎉'.repeat(max), max)).toBe(false)
  })
})

describe('words for messages', () => {
  it('writes a number with its noun', () => {
    expect([0, 1, 2].map((count) => counted(count, 'choice'))).toEqual(['0 choices', '1 choice', '2 choices'])
    expect([counted(2, 'alias'), counted(2, 'entry'), counted(2, 'key')]).toEqual([
      '2 aliases',
      '2 entries',
      '2 keys',
    ])
  })

  it('writes a list with a conjunction', () => {
    expect(listed([])).toBe('')
    expect(listed(['a'])).toBe('a')
    expect(listed(['a', 'b'])).toBe('a and b')
    expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c')
  })

  it.each([
    ['a', '"a"'],
    ['', '""'],
    ['say "hi"\\', '"say \\"hi\\"\\\\"'],
    ['🎉 ß', '"🎉 ß"'],
    ['a\nb\tc', '"a\\nb\\tc"'],
    ['\u0000\u001b[31m', '"\\u0000\\u001b[31m"'],
    ['\u007f\u0085\u009b', '"\\u007f\\u0085\\u009b"'],
    ['\u2028\u2029', '"\\u2028\\u2029"'],
    ['\u202eabc\u2066', '"\\u202eabc\\u2066"'],
    ['\ud83d', '"\\ud83d"'],
  ])('quotes a text and escapes invisible characters: %j', (text, quotation) => {
    expect(quoted(text)).toBe(quotation)
    expect(JSON.parse(quoted(text))).toBe(text)
  })

  it('shortens a long text between two characters', () => {
    expect(quoted('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
    expect(quoted('x'.repeat(61))).toBe(`"${'x'.repeat(59)}…"`)
    expect(quoted('🎉'.repeat(5), 5)).toBe(`"${'🎉'.repeat(5)}"`)
    expect(quoted('🎉'.repeat(6), 5)).toBe(`"${'🎉'.repeat(4)}…"`)
    expect(quoted(`x${'🎉'.repeat(50_000)}`, 5)).toBe('"x🎉🎉🎉…"')
  })

  it.each([
    ['a', 'the string "a"'],
    ['x'.repeat(40), `the string "${'x'.repeat(40)}"`],
    ['x'.repeat(41), `the string "${'x'.repeat(39)}…"`],
    [5, 'the number 5'],
    [Number.NaN, 'the number NaN'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'missing'],
    [[], 'a list'],
    [{}, 'an object'],
    [5n, 'a bigint, which JSON cannot carry'],
    [() => 5, 'a function'],
    [Symbol('a'), 'a symbol'],
  ])('describes a value: %o', (value, words) => {
    expect(describeValue(value)).toBe(words)
  })

  it.each([
    ['a', 'a'],
    [5, 5],
    [-0, 0],
    [Infinity, 'Infinity'],
    [true, true],
    [null, null],
    [undefined, 'missing'],
    [['a'], 'a list'],
    [{ a: 1 }, 'an object'],
    [5n, '5'],
    ['x'.repeat(200), `${'x'.repeat(99)}…`],
  ])('converts a value for params, unchanged by JSON: %o', (value, small) => {
    expect(given(value)).toBe(small)
    expect(JSON.parse(JSON.stringify(given(value)))).toBe(small)
  })
})
