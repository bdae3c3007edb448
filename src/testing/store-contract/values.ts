/** Promises about the values of documents. */
import type { CheckedStore, StoredValue, Promises } from './checked-store.ts'

export const valuePromises: Promises = {
  async 'keeps every UTF-16 unit of a string'(store) {
    const every = Array.from({ length: 0x1_00 }, (_, i) => String.fromCharCode(i)).join('')
    await expectRoundTrips(store, [
      ...['', ' ', '  two  ', '\0', 'a\0b', '\u0001\u001f\u007f\u0080', every, '\\u0000'],
      ...["'", '"', '\\', '\r\n'],
      ...['😀', 'e\u0301', 'é', 'ﬁ', '\u2028\u2029', '\ufeff', '\ufffd', '\ufffe', '\uffff', '\u{10ffff}'],
      ...['\ud800', '\udc00', '\udc00\ud800', 'a\ud83d', '\ude00b'],
      // An unpaired surrogate before a pair; some tools misread it as a literal.
      String.fromCharCode(0xd83d, 0xd83d, 0xde00),
      ...['2026-01-01T00:00:00Z', '2026-01-01', 'null', 'true', 'NaN', '1', '1.0', '0x10'],
      ...[
        '2026-01-01T00:00:00.000Z',
        '[object Object]',
        '{"a":1}',
        '[1]',
        'ABCDEF01-2345-4ABC-8DEF-0123456789AB',
      ],
    ])
  },

  async 'keeps object keys and their order, whatever their names'(store) {
    const texts = [
      '{"__proto__":{"a":1},"b":2}',
      '{"a":{"__proto__":null}}',
      '{"constructor":1,"toString":2,"hasOwnProperty":3,"length":4,"toJSON":5}',
      '{"z":1,"a":2,"M":3,"":4," ":5,"é":6,"e\u0301":7}',
      '{"$ref":1,"$date":"2026-01-01","a.b":2,"a":{"b":3}}',
      '{"\\ud800":1,"\\udc00":2,"\\u0000":3}',
      '{"b":[],"a":{}}',
      '{"0":1,"1":2}',
      '{"_id":1,"id":2,"_a":3,"__v":4,"key":5,"value":6,"type":"Buffer","data":[1]}',
      `{"${'k'.repeat(300)}1":1,"${'k'.repeat(300)}2":2}`,
    ]
    await expectRoundTrips(
      store,
      texts.map((text) => JSON.parse(text) as StoredValue),
    )
  },

  async 'keeps numbers exactly, and strings of digits as strings'(store) {
    await expectRoundTrips(store, [
      ...[0, 1, -1, 0.1, 0.1 + 0.2, 1 / 3, 1e21, 1e-7, 1e300, -1e300, 5e-324, Number.MAX_VALUE],
      ...[16_777_217, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 53, 2 ** 64],
      ...['9007199254740993', '18446744073709551615', '1.10', '-0', '007', '1e3'],
    ])
  },

  async 'stores null, false, zero and empty values as documents'(store) {
    const inObjects = [{ a: null }, { a: [] }, { a: '' }]
    await expectRoundTrips(store, [null, false, 0, '', [], {}, [null], [[]], [{}], ...inObjects])
  },

  async 'keeps a document of several megabytes'(store) {
    const items = Array.from({ length: 12_000 }, (_, i) => ({
      id: String(i),
      name: `name-${i} é😀`,
      n: i / 7,
    }))
    const long = 'x'.repeat(4_000_000)
    const value = { items, long, wide: 'é😀'.repeat(200_000), deep: nested(100), end: 'end' }
    await store.create('large', value)
    await store.expectDocument('large')
    await store.replace('large', { ...value, end: 'another end' })
    await store.expectDocument('large', 'the replaced document')
    // Of fewer parts, and of none; a store that writes parts does not list them.
    await store.replace('large', { ...value, long: 'y'.repeat(100_000) })
    await store.expectDocument('large', 'the document after it became smaller')
    await store.expectKeys('', 'the keys beside a document of several megabytes')
    await store.remove('large')
    await store.expectKeys('', 'the keys after a document of several megabytes was removed')
  },
}

/** Writes each value under its own key, and reads it alone and together with the others. */
async function expectRoundTrips(store: CheckedStore, values: readonly StoredValue[]): Promise<void> {
  for (const [i, value] of values.entries()) {
    await store.create(`value/${i}`, value)
    await store.expectDocument(`value/${i}`)
  }
  await store.expectDocuments(values.map((_, i) => `value/${i}`))
}

function nested(depth: number): StoredValue {
  return depth === 0 ? 'deep' : depth % 2 === 0 ? [nested(depth - 1)] : { in: nested(depth - 1) }
}
