import { describe, expect, it } from 'vitest'
import {
  duplicateKeys,
  jsonFault,
  jsonRemedy,
  nodeFinder,
  positionsIn,
  type ValueNode,
} from '../../../src/tools/authoring/locate.ts'
import type { Path } from 'commandry'
import { fc, forAny } from '../../support/properties.ts'

const textsOf = (text: string, { key, start, end }: ValueNode) => [
  key && text.slice(key.start, key.end),
  text.slice(start, end),
]

const at = (text: string, path: Path) => {
  const { node, depth } = nodeFinder(text)(path)
  return [...textsOf(text, node), depth]
}

/** Every path in a value, with the value at that path. */
function* paths(value: unknown, path: Path = []): Generator<readonly [Path, unknown]> {
  yield [path, value]
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* paths(item, [...path, index])
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* paths(item, [...path, key])
}

describe('nodeFinder', () => {
  const text = '{\n  "name": "ping",\n  "options": [\n    { "type": 3, "a\\"b": [] }, -1.5e3, null\n  ]\n}\n'

  it('finds values and their keys', () => {
    expect(at(text, ['name'])).toEqual(['"name"', '"ping"', 1])
    expect(at(text, ['options', 0, 'type'])).toEqual(['"type"', '3', 3])
    expect(at(text, ['options', 0])).toEqual([null, '{ "type": 3, "a\\"b": [] }', 2])
    expect(at(text, ['options', 0, 'a"b'])).toEqual(['"a\\"b"', '[]', 3])
    expect(at(text, ['options', 1])).toEqual([null, '-1.5e3', 2])
    expect(at(text, ['options', 2])).toEqual([null, 'null', 2])
    expect(at(text, [])).toEqual([null, text.trim(), 0])
  })

  it('returns the nearest parent of a missing path', () => {
    expect(at(text, ['description'])).toEqual([null, text.trim(), 0])
    expect(at(text, ['options', 0, 'name', 'x'])).toEqual([null, '{ "type": 3, "a\\"b": [] }', 2])
    expect(at(text, ['name', 'x'])).toEqual(['"name"', '"ping"', 1])
    const list = text.slice(text.indexOf('['), text.lastIndexOf(']') + 1)
    expect(at(text, ['options', 9])).toEqual(['"options"', list, 1])
    expect(at(text, ['options', '0'])[2]).toBe(1)
    expect(at('{ "0": 1 }', [0])[2]).toBe(0)
  })

  it('uses the last of duplicate keys and ignores earlier ones', () => {
    const twice = '{ "a": { "b": 1, "c": 2 }, "a": { "b": 3 } }'
    expect(at(twice, ['a', 'b'])).toEqual(['"b"', '3', 2])
    expect(at(twice, ['a', 'c'])).toEqual(['"a"', '{ "b": 3 }', 1])
  })

  it('finds duplicate keys, also those that are written in another way', () => {
    const text = '[{"a": 1, "b": {"c": 1, "c": 2}}, {"a": 1, "\\u0061": 2, "a": 3}]'
    expect(duplicateKeys(text).map(({ path, start }) => [path, text.slice(start, start + 3)])).toEqual([
      [[1, 'a'], '"\\u'],
      [[1, 'a'], '"a"'],
      [[0, 'b', 'c'], '"c"'],
    ])
    expect(duplicateKeys(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)).toEqual([])
  })

  it('finds every value that JSON.parse finds', () => {
    forAny([fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, 2)], 500, (generated, indent) => {
      const json = JSON.stringify(generated, null, indent)
      const all = [...paths(JSON.parse(json))]
      const places = all.map(([path]) => path).map(nodeFinder(json))
      places.forEach(({ node: { key, step, start, end }, depth }, index) => {
        const [path, expected] = all[index]!
        expect(depth).toBe(path.length)
        expect(JSON.parse(json.slice(start, end))).toEqual(expected)
        expect(key === null ? null : step).toBe(typeof path.at(-1) === 'string' ? path.at(-1) : null)
      })
    })
  })

  it('treats prototype keys like other keys', () => {
    expect(at('{ "__proto__": { "a": 1 }, "constructor": 2 }', ['__proto__', 'a'])[1]).toBe('1')
    expect(at('{}', ['constructor'])[2]).toBe(0)
  })

  it('terminates for any text at any depth', () => {
    const deep = `${'['.repeat(300_000)}1${']'.repeat(300_000)}`
    expect(nodeFinder(deep)(Array<number>(300_000).fill(0)).node.start).toBe(300_000)
    forAny(
      [fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', 'a', '0', ' ') })],
      100,
      (text) => {
        const find = nodeFinder(text)
        expect(find(['a', 0]).node.end).toBeLessThanOrEqual(text.length)
        expect(find([]).node.children.length).toBeLessThanOrEqual(text.length)
      },
    )
  })

  it('takes time in proportion to the text, however many paths and duplicates there are', () => {
    const wanted: Path[] = Array.from({ length: 2_000 }, (_, index) => ['a', `k${index}`])
    const many = `{${'"a":{"k1":1},'.repeat(200_000)}"b":0}`
    const places = wanted.map(nodeFinder(many))
    expect(places.filter(({ depth }) => depth === 2)).toHaveLength(1)
  })

  it.each(['\\n', 'x', '\\'])('reads a text of millions of %j, closed or not', (run) => {
    const long = run.repeat(4_000_000)
    expect(nodeFinder(`["${long}",1]`)([1]).depth).toBe(1)
    expect(nodeFinder(`["${long}`)([0]).depth).toBe(0)
  })

  it('lists members and items with their keys', () => {
    const text = '{ "a": [1, {"b": 2}], "c": { } , "d": "x" }'
    const texts = (...path: Path) => nodeFinder(text)(path).node.children.map((node) => textsOf(text, node))
    expect(texts()).toEqual([
      ['"a"', '[1, {"b": 2}]'],
      ['"c"', '{ }'],
      ['"d"', '"x"'],
    ])
    expect(texts('a')).toEqual([
      [null, '1'],
      [null, '{"b": 2}'],
    ])
    expect(texts('d')).toEqual([])
  })
})

it('positionsIn counts lines and columns from 1', () => {
  expect(positionsIn('ab\ncd')(0)).toEqual({ line: 1, column: 1 })
  expect(positionsIn('ab\ncd')(2)).toEqual({ line: 1, column: 3 })
  expect(positionsIn('\ncd')(1)).toEqual({ line: 2, column: 1 })
  expect(positionsIn('ab\ncd')(5)).toEqual({ line: 2, column: 3 })
  expect(positionsIn('a\r\nb')(3)).toEqual({ line: 2, column: 1 })
})

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

it.each([
  [' \n', 'the file is empty'],
  ['[{"a": 1}', 'the end is missing'],
  ['{\n  // a\n  "a": 1 }', 'JSON has no comments; remove it'],
  ['{ "a": 1 /* a */ }', 'JSON has no comments; remove it'],
  ['{ "a": 1, }', 'remove the comma before it'],
  ['name: ping', 'expected JSON, or a module such as commands.js'],
  ["{ 'a': 1 }", 'write keys and texts in double quotes'],
  ['{ a: 1 }', 'write keys and texts in double quotes'],
  ['{ “a”: 1 }', 'write keys and texts in double quotes'],
  ['{ "a": "x" "b": 1 }', 'a comma or a colon is missing before it'],
  ['{ "a" "b" }', 'a comma or a colon is missing before it'],
  ['{ "a": "x\ty" }', 'write \\n, \\t and \\\\ for the line breaks, tabs and backslashes of this text'],
  ['{ "a": @ }', 'expected another character'],
])('says what to change in %j', (text, remedy) => {
  expect(jsonRemedy(text, jsonFault(text)!)).toBe(remedy)
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

  it('accepts long texts, and lists up to 100 levels', () => {
    const long = JSON.stringify('x'.repeat(5_000_000))
    expect(jsonFault(long)).toBeUndefined()
    expect(jsonFault(long.slice(0, -1))).toBe(0)
    expect(jsonFault('['.repeat(100) + ']'.repeat(100))).toBeUndefined()
    expect(jsonFault('['.repeat(200_000))).toBe(100)
    expect(jsonRemedy('['.repeat(200_000), 100)).toBe('at most 100 levels of lists and objects are allowed')
    // The first fault counts.
    expect(jsonFault('[x' + '['.repeat(200))).toBe(1)
  })
})
