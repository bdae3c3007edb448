import { expect, it } from 'vitest'
import { isObject, jsonValue, parseIds, sameJson } from '../../src/core/json.ts'

it('JSON reads texts, numbers and truth values without toJSON, as JSON.stringify does', () => {
  const prototypes = [String.prototype, Number.prototype, Boolean.prototype]
  for (const one of prototypes)
    Object.defineProperty(one, 'toJSON', { value: () => 'other', configurable: true })
  try {
    expect(['a', 5, true].map((value) => jsonValue(value))).toEqual(['a', 5, true])
  } finally {
    for (const one of prototypes) Reflect.deleteProperty(one, 'toJSON')
  }
})

it.each([[{}], [{ a: 1 }], [Object.create(null)]])('a JSON object includes %o', (value) => {
  expect(isObject(value)).toBe(true)
})

it.each([[null], [undefined], [[]], ['a'], [5], [true], [() => 5]])('a JSON object excludes %o', (value) => {
  expect(isObject(value)).toBe(false)
})

it.each([
  ['{"id":1234567890123456789}', { id: '1234567890123456789' }],
  ['[1234567890123456789, 42]', ['1234567890123456789', 42]],
  ['[9007199254740992, -1234567890123456789]', [2 ** 53, -1234567890123456800]],
  ['{"text":"a \\" 1234567890123456789, b"}', { text: 'a " 1234567890123456789, b' }],
  ['[0.1234567890123456789,1234567890123456789.5]', [0.12345678901234568, 1234567890123456800]],
  ['[1234567890123456789e2]', [1234567890123456800e2]],
])('a JSON text with ids %s keeps integers that a number cannot hold as strings', (text, value) => {
  expect(parseIds(text)).toEqual(value)
})

it.each(['', '{"a":1234567890123456789', '"1234567890123456789', '{1234567890123456789:1}'])(
  'a JSON text with ids is refused if it is not JSON: %s',
  (text) => expect(() => parseIds(text)).toThrow(SyntaxError),
)

it.each([
  [null, null],
  ['a', 'a'],
  [0, 0],
  [[], []],
  [{}, {}],
  [
    { a: 1, b: [1, { c: 2 }] },
    { b: [1, { c: 2 }], a: 1 },
  ],
  [{ a: undefined }, {}],
  [
    { a: undefined, b: 1 },
    { b: 1, c: undefined },
  ],
  [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
])('[2.1-18] two JSON values are equal: %j and %j', (a, b) => {
  expect(sameJson(a, b)).toBe(true)
  expect(sameJson(b, a)).toBe(true)
})

it.each([
  [null, undefined],
  [null, {}],
  [null, 0],
  ['1', 1],
  [0, false],
  ['', null],
  [[], {}],
  [[1], { 0: 1, length: 1 }],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 1]],
  [[1], [1, undefined]],
  [{ a: 1 }, {}],
  [{ a: null }, {}],
  [{ a: 1 }, { b: 1 }],
  [
    { a: 1, b: undefined },
    { a: undefined, b: 1 },
  ],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
  [{}, JSON.parse('{"__proto__":{}}')],
  [{ toString: 1 }, {}],
])('[2.1-18] two JSON values differ: %j and %j', (a, b) => {
  expect(sameJson(a, b)).toBe(false)
  expect(sameJson(b, a)).toBe(false)
})
