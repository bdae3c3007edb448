import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../../src/tools/authoring/edits.ts'
import type { Path } from 'commandry'
import { fc, forAny } from '../../support/properties.ts'

/** Applies an edit to a parsed body; undefined when the edit does not match it. */
type Edit = Parameters<typeof applyEdits>[1][number]

function edited(body: unknown, edit: Edit): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(body))
  const parent: any = edit.path.slice(0, -1).reduce((value: any, step) => value[step], copy)
  const last: any = edit.path.at(-1)
  if (edit.op === 'set') parent[last] = edit.value
  else if (edit.op === 'remove') {
    if (Array.isArray(parent)) parent.splice(last, 1)
    else delete parent[last]
  } else if (edit.op === 'move') parent.splice(edit.to, 0, ...parent.splice(last, 1))
  else {
    const members = Object.entries(parent).map(([key, value]) => [key === last ? edit.to : key, value])
    for (const key of Object.keys(parent)) delete parent[key]
    for (const [key, value] of members as [string, unknown][]) parent[key] = value
  }
  return copy
}

function* editsOf(value: unknown, path: Path = []): Generator<Edit> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const at = [...path, index]
      yield { op: 'set', path: at, value: { new: [1] } }
      yield { op: 'remove', path: at }
      yield { op: 'move', path: at, to: (index * 7 + 1) % value.length }
      yield* editsOf(item, at)
    }
  } else if (typeof value === 'object' && value !== null) {
    yield { op: 'set', path: [...path, 'added "here"'], value: 'x' }
    for (const [key, item] of Object.entries(value)) {
      const at = [...path, key]
      yield { op: 'set', path: at, value: null }
      yield { op: 'remove', path: at }
      yield { op: 'rename', path: at, to: 'renamed\n' }
      yield* editsOf(item, at)
    }
  }
}

// Integer-like keys have an order of their own in JavaScript, and `__proto__` is a setter in the model. No escapes:
// `JSON.parse` of Node 24.9 reads `{"renamed\n":1,"\\a":1}` wrong once it has read `{"renamed\n":1,"\\\\":1}`.
const key = fc.stringMatching(/^[a-z\u00e9]{1,4}$/)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(1, 'a "b"', true, null, '', [], {}),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

describe('applyEdits', () => {
  const text = `{
  "name": "Ping",
  "options": [
    { "type": 3,   "name": "a" },
    { "type": 3, "name": "b", "required": true }
  ],
  "nsfw": false
}
`

  const [a, b] = ['{ "type": 3,   "name": "a" }', '{ "type": 3, "name": "b", "required": true }']
  const moved = text.replace(`${a},\n    ${b}`, `${b},\n    ${a}`)

  const set = (value: unknown, ...path: Path): Edit => ({ op: 'set', path, value })
  const remove = (...path: Path): Edit => ({ op: 'remove', path })
  const rename = (to: string, ...path: Path): Edit => ({ op: 'rename', path, to })
  const move = (to: number, ...path: Path): Edit => ({ op: 'move', path, to })

  it.each<[string, Edit[], string]>([
    ['sets a value', [set('ping', 'name')], text.replace('Ping', 'ping')],
    [
      'adds a member as the others are laid out',
      [set(1, 'type')],
      text.replace('"nsfw": false', '"nsfw": false,\n  "type": 1'),
    ],
    ['renames a key', [rename('kind', 'options', 0, 'type')], text.replace('"type": 3,   ', '"kind": 3,   ')],
    [
      'removes a member in the middle and one at the end',
      [remove('options', 0, 'name'), remove('nsfw')],
      text.replace(',   "name": "a"', '').replace(',\n  "nsfw": false', ''),
    ],
    ['removes the first member and its comma', [remove('name')], text.replace('"name": "Ping",\n  ', '')],
    ['moves an item, and leaves line breaks where they are', [move(0, 'options', 1)], moved],
    [
      'leaves out what does not exist',
      [remove('gone'), remove('options', 0, 'gone'), remove(), move(9, 'options', 0)],
      text,
    ],
    ['leaves out a name that is taken', [rename('nsfw', 'name')], text],
    [
      'leaves out an edit that overlaps an earlier one',
      [move(0, 'options', 1), remove('options', 0, 'type'), remove('nsfw')],
      moved.replace(',\n  "nsfw": false', ''),
    ],
  ])('%s', (_, edits, expected) => {
    expect(applyEdits(text, edits)).toBe(expected)
  })

  it('finds keys that are written with escapes', () => {
    const escaped = '{ "a\\\\b": 1, "\\"c\\u00e9": 2 }'
    expect(applyEdits(escaped, [remove('a\\b')])).toBe('{ "\\"c\\u00e9": 2 }')
    expect(applyEdits(escaped, [set(3, '"cé')])).toBe('{ "a\\\\b": 1, "\\"c\\u00e9": 3 }')
  })

  it('changes the text as the edit changes the body', () => {
    let checked = 0
    forAny([json, fc.constantFrom(0, 1, 3), fc.nat()], 2_000, (body, indent, pick) => {
      const all = [...editsOf(body)]
      if (all.length === 0) return
      const edit = all[pick % all.length]!
      checked++
      const result: unknown = JSON.parse(applyEdits(JSON.stringify(body, null, indent), [edit]))
      expect(JSON.stringify(result)).toBe(JSON.stringify(edited(body, edit)))
    })
    expect(checked).toBeGreaterThan(500)
  })

  it('leaves valid JSON when edits overlap', () => {
    forAny(
      [json, fc.constantFrom(0, 2), fc.array(fc.nat(), { maxLength: 20 })],
      2_000,
      (body, indent, picks) => {
        const all = [...editsOf(body)]
        const edits = picks.flatMap((pick) => (all.length === 0 ? [] : [all[pick % all.length]!]))
        JSON.parse(applyEdits(JSON.stringify(body, null, indent), edits))
      },
    )
  })

  it('takes time in proportion to the text for thousands of edits', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => ({ name: `N${index}` }))
    const edits = list.slice(0, 2_000).map((_, index) => set(`n${index}`, index, 'name'))
    const result = JSON.parse(applyEdits(JSON.stringify(list), edits)) as typeof list
    expect([result[1_999]!.name, result[2_000]!.name]).toEqual(['n1999', 'N2000'])
  })
})
