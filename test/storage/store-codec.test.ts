import { expect, test } from 'vitest'
import {
  after,
  asciiJson,
  decodeKey,
  encodeKey,
  entryCache,
  isRevision,
  keyRange,
  newRevision,
} from '../../src/storage/store-codec.ts'
import { anyCharacter, fc, forAny } from '../support/properties.ts'

// Arbitrary units, many of them close to each other.
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 0x1f, 0x20, 0x21, 0x7d, 0x7e, 0x7f),
)
const key = fc.array(unit, { maxLength: 6 }).map((units) => String.fromCharCode(...units))

const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

test('writes ordinary keys unchanged', () => {
  for (const each of ['scope/1001/global', 'scope/1001/guild/2001', 'permissions/1001/2001', ''])
    expect(encodeKey(each)).toBe(each)
})

/** Declares a test of a property of arbitrary keys. */
const testKeys = (title: string, check: (a: string, b: string, c: string) => void) =>
  test(title, () => forAny([key, key, key], 500, check))

testKeys('encodes any key in printable ASCII, reversibly', (each) => {
  expect(encodeKey(each)).toMatch(/^[ -~]*$/)
  expect(decodeKey(encodeKey(each))).toBe(each)
})

testKeys('keeps the order of keys in their bytes', (a, b) => {
  expect(Math.sign(bytes(encodeKey(a), encodeKey(b)))).toBe(ascending(a, b))
})

testKeys('maps a prefix to a range', (prefix, rest, other) => {
  const { from, to } = keyRange(encodeKey(prefix))
  for (const each of [prefix, prefix + rest, other, other + prefix]) {
    const written = encodeKey(each)
    expect(bytes(from, written) <= 0 && bytes(written, to) < 0).toBe(each.startsWith(prefix))
  }
})

testKeys('continues a listing directly after the last key', (last, other) => {
  expect(bytes(after(encodeKey(last)), encodeKey(other)) <= 0).toBe(ascending(last, other) < 0)
})

test('writes equivalent JSON in ASCII', () => {
  forAny([fc.json({ stringUnit: anyCharacter })], 500, (json) => {
    expect(asciiJson(json)).toMatch(/^[\0-\x7f]*$/)
    expect(JSON.parse(asciiJson(json))).toEqual(JSON.parse(json))
  })
})

test('recognizes revisions and no other text', () => {
  expect(isRevision(newRevision())).toBe(true)
  for (const text of ['', 'null', newRevision().toUpperCase(), `${newRevision()} `, 'x'.repeat(36)])
    expect(isRevision(text)).toBe(false)
})

test('parses a recently read revision once', () => {
  const { decode } = entryCache()
  const first = decode('{"a":[1]}', 'r1')
  expect(first).toEqual({ value: { a: [1] }, revision: 'r1' })
  const { a } = first.value as { a: unknown }
  expect([first, first.value, a].every(Object.isFrozen)).toBe(true)
  expect(decode('{"a":[1]}', 'r1')).toBe(first)
  expect(decode('{"a":[1]}', 'r2')).toEqual({ value: { a: [1] }, revision: 'r2' })
})

test('does not parse a frozen document that was written', () => {
  const { decode, replace } = entryCache()
  const [frozen, open] = [Object.freeze({ a: 1 }), { a: 2 }]
  replace(null, 'r1', frozen, '{"a":1}')
  replace(null, 'r2', open, '{"a":2}')
  expect(decode('{"a":1}', 'r1').value).toBe(frozen)
  expect(decode('{"a":2}', 'r2').value).not.toBe(open)
})

test('does not keep the document that a write replaced or removed', () => {
  const { decode, replace } = entryCache(10)
  const [first, other] = [decode('1111', 'a'), decode('2222', 'b')]
  replace('a', 'c', 3333, '3333')
  replace('c', 'd', undefined, undefined)
  // Only the document of `b` takes room, so another one has its place beside it.
  decode('4444', 'e')
  expect(decode('2222', 'b')).toBe(other)
  expect(decode('1111', 'a')).not.toBe(first)
})

test('keeps the most recently decoded entries, up to a number of characters', () => {
  const { decode } = entryCache(10)
  const [a, b] = [decode('1111', 'a'), decode('2222', 'b')]
  // Read again, so `b` is now the oldest.
  expect(decode('1111', 'a')).toBe(a)
  decode('3333', 'c')
  expect(decode('1111', 'a')).toBe(a)
  expect(decode('2222', 'b')).not.toBe(b)
  const large = decode('"longer than that"', 'd')
  expect(decode('"longer than that"', 'd')).not.toBe(large)
  expect(large).toEqual({ value: 'longer than that', revision: 'd' })
})
