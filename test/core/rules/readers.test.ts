import { describe, expect, it } from 'vitest'
import {
  known,
  lenient,
  listOf,
  nullable,
  objectOf,
  optional,
  orNull,
  partial,
  valueOf,
  wholeOf,
  type Reader,
} from '../../../src/core/rules/readers.ts'
import { Report } from '../../../src/core/rules/report.ts'
import * as shape from '../../../src/core/rules/shape-rules.ts'

const text = valueOf(shape.string)
const flag = valueOf(shape.boolean)

function read<T>(reader: Reader<T> | ((report: Report, body: unknown) => T), body: unknown) {
  const report = new Report()
  const value = reader(report, body)
  const issues = [...report.errors, ...report.warnings]
  return { value, problems: issues.map(({ code, path }) => [path.join('.'), code].join(' ').trim()) }
}

describe('a field', () => {
  const kinds = objectOf({
    required: text,
    optional: optional(text),
    nullable: nullable(text),
    lenient: lenient(text),
    known,
  })

  it.each<[string, object, object, string[]]>([
    ['absent', {}, { required: undefined }, ['required shape.required']],
    [
      'null',
      { required: null, optional: null, nullable: null, lenient: null, known: null },
      { required: undefined, optional: undefined },
      ['required shape.required', 'optional shape.string', 'lenient shape.null'],
    ],
    [
      'given',
      { required: 'a', optional: 'b', nullable: 'c', lenient: 'd', known: 5, other: 6 },
      { required: 'a', optional: 'b', nullable: 'c', lenient: 'd' },
      [],
    ],
    [
      'of another type',
      { required: 1, optional: 2, nullable: 3, lenient: 4 },
      { required: undefined, optional: undefined, nullable: undefined, lenient: undefined },
      ['required', 'optional', 'nullable', 'lenient'].map((name) => `${name} shape.string`),
    ],
  ])('that is %s is read by its kind', (_, body, value, problems) => {
    expect(read(kinds, body)).toEqual({ value, problems })
    expect(Object.keys(read(kinds, body).value!)).toEqual(Object.keys(value))
  })

  it('[1-06] that is inherited is absent', () => {
    const inheriting = Object.create({ required: 'a', optional: 'b', nullable: 'c' })
    expect(read(kinds, inheriting)).toEqual({
      value: { required: undefined },
      problems: ['required shape.required'],
    })
  })

  it('of a table of optional ones may be absent', () => {
    expect(read(objectOf(partial(nullable, { a: text, b: flag })), { a: null })).toEqual({
      value: {},
      problems: [],
    })
  })

  it('is unknown to a rule of the object, or ignored', () => {
    const unknownKey = {
      ...shape.unknownKey,
      check: (key: string, names: readonly string[]) => (names.includes(key) ? undefined : {}),
      message: () => 'is unknown',
    }
    expect(read(objectOf({ a: text }, { unknownKey }), { a: 'x', b: 1 }).problems).toEqual(['b keys.unknown'])
  })
})

describe('an object whose fields depend on each other', () => {
  const body = wholeOf<{ type: number; name: string; note?: string; flag?: true }>(
    {
      type: lenient(valueOf(shape.integer)),
      name: (report: Report, value: unknown, { type }: { type: number }) =>
        type === 1 ? text(report, value) : undefined,
      note: lenient(text),
      flag: lenient((report: Report, value: unknown) => (flag(report, value) ? true : undefined)),
    },
    () => ({ type: 1, name: '' }),
  )

  it('is read with its type first, and kept in the order of the table', () => {
    const { value, problems } = read(body, { flag: true, note: 'n', name: 5, type: 2 })
    expect(JSON.stringify(value)).toBe('{"type":2,"name":"","note":"n","flag":true}')
    expect(problems).toEqual([])
  })

  it('reports problems in the order of the body, and missing fields last', () => {
    expect(read(body, { flag: 1, note: 2, unknown: 3 }).problems).toEqual([
      'flag shape.boolean',
      'note shape.string',
      'name shape.string',
      'unknown keys.unknown',
    ])
  })

  it('keeps an invalid type as undefined, and what is always there of an invalid object', () => {
    expect(read(body, { type: 'x', name: 'n' }).value).toEqual({ type: undefined, name: '' })
    expect(read(body, 5)).toEqual({ value: { type: 1, name: '' }, problems: ['shape.object'] })
  })
})

it('a list is read up to its limit, and null by a reader that allows it', () => {
  expect(read(listOf(orNull(text), undefined, 3), ['a', null, 5, 6])).toEqual({
    value: ['a', null, undefined],
    problems: ['2 shape.string'],
  })
})
