import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  after,
  asciiJson,
  decodeKey,
  encodeKey,
  isRevision,
  keyRange,
  newRevision,
} from '../../src/storage/store-codec.ts'

// Any units at all, and many that are near each other.
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 0x1f, 0x20, 0x21, 0x7d, 0x7e, 0x7f),
)
const key = fc.array(unit, { maxLength: 6 }).map((units) => String.fromCharCode(...units))

const runs = { seed: 1, numRuns: 500 }

const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

test('an ordinary key is written as it is', () => {
  for (const each of ['scope/1001/global', 'scope/1001/guild/2001', 'permissions/1001/2001', ''])
    expect(encodeKey(each)).toBe(each)
})

test('any key is written in printable ASCII and found again', () => {
  fc.assert(
    fc.property(key, (each) => {
      expect(encodeKey(each)).toMatch(/^[ -~]*$/)
      expect(decodeKey(encodeKey(each))).toBe(each)
    }),
    runs,
  )
})

test('bytes sort as the keys do', () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(bytes(encodeKey(a), encodeKey(b)))).toBe(ascending(a, b))
    }),
    runs,
  )
})

test('what starts with a prefix is a range', () => {
  fc.assert(
    fc.property(key, key, key, (prefix, rest, other) => {
      const { from, to } = keyRange(prefix)
      for (const each of [prefix, prefix + rest, other, other + prefix]) {
        const written = encodeKey(each)
        expect(bytes(from, written) <= 0 && bytes(written, to) < 0).toBe(each.startsWith(prefix))
      }
    }),
    runs,
  )
})

test('a listing goes on right after the last key', () => {
  fc.assert(
    fc.property(key, key, (last, other) => {
      const next = bytes(after(encodeKey(last)), encodeKey(other)) <= 0
      expect(next).toBe(ascending(last, other) < 0)
    }),
    runs,
  )
})

test('JSON in ASCII alone says the same', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      expect(asciiJson(json)).toMatch(/^[\0-\x7f]*$/)
      expect(JSON.parse(asciiJson(json))).toEqual(JSON.parse(json))
    }),
    runs,
  )
})

test('revisions are recognised, and nothing else is', () => {
  expect(isRevision(newRevision())).toBe(true)
  for (const text of ['', 'null', newRevision().toUpperCase(), `${newRevision()} `, 'x'.repeat(36)])
    expect(isRevision(text)).toBe(false)
})
