/** Promises about keys: listing them, and keeping them apart. */
import { expectSame, expectTrue, shortText, type Promises } from './checked-store.ts'

const SIGNS = [...`%_*?^\\'".+($|-#&;,\x7f\xff\ud7ff\uffff`, '[a]', '{x}']
const LONG = 'p'.repeat(300)

export const keyPromises: Promises = {
  async 'lists exactly the keys that start with a prefix'(store) {
    const keys = new Set([
      ...['scope/1/global', 'scope/1/guild/7', 'scope/10/global', 'scope/1', 'Scope/1/global', 'scope-1/'],
      ...SIGNS.flatMap((sign) => [`${sign}/x`, `scope${sign}1/x`, `s${sign}`]),
      ...['permissions/1/7', ' ', 'é/1', 'é/10', 'e/1', '😀/1', '😁/1', `${LONG}/1`, `${LONG}/2`],
    ])
    for (const key of keys) await store.create(key, true)
    const similar = (key: string) => [key, `${key}/`, key.slice(0, -1), key.slice(0, 1), key.slice(0, -2)]
    const others = ['', 'nothing', 's%', 's_', 's*', 's?', 's[a-z]', 'scope/_/']
    for (const prefix of new Set([...others, ...[...keys].flatMap(similar)]))
      await store.expectKeys(prefix, `the keys that start with ${shortText(prefix)}`)
  },

  async 'lists keys in ascending order of their UTF-16 units, however many'(store) {
    const signs = ['', ...'\u0001!-/09:AZ_az{~ß', 'é', 'z\u0301', ...'ｚ\uffff\ue000😀\u{10ffff}ä']
    const keys = ['key', ...signs.map((sign) => `key${sign}x`)]
    // More keys than a store fetches in one page, created neither in the order of numbers nor of text.
    for (let i = 0; i < 1200; i++) keys.push(`key/${(i * 7919) % 1200}`)
    await Promise.all(keys.map((key) => store.create(key, null)))
    await store.create('ke', null)
    await store.create('kez', null)
    await store.expectKeys('key')
  },

  async 'allows a listing to end early and the store to be written during it'(store) {
    const keys = Array.from({ length: 30 }, (_, i) => `key/${String(i).padStart(2, '0')}`)
    for (const key of keys) await store.create(key, 0)
    for await (const key of store.list('key/')) {
      await store.replace(key, 1)
      break
    }
    // Keys that exist during the whole listing must be listed; keys created meanwhile may be.
    const found: string[] = []
    for await (const key of store.list('key/')) {
      if (key.endsWith('/new')) continue
      found.push(key)
      expectTrue(
        found.length <= keys.length,
        `a listing during which documents are written: ${shortText(key)} is listed again`,
      )
      await store.create(`${key}/new`, 'new')
      if (found.length % 2 === 0) await store.remove(key)
    }
    expectSame(found, keys, 'the keys that existed when the listing started')
    await store.expectKeys('key/', 'the remaining keys')
  },

  async 'reads and lists eleven thousand documents, whatever the size of a page'(store) {
    // Around the sizes of pages and batches that engines and drivers have.
    const counts = [64, 100, 128, 256, 500, 512, 1000, 1024].flatMap((size) => [size - 1, size, size + 1])
    const keys = counts.flatMap((count) => Array.from({ length: count }, (_, i) => `n/${count}/${i}`))
    for (let i = keys.length; i < 11_000; i++) keys.push(`n/more/${i}`)
    for (let from = 0; from < keys.length; from += 500)
      await Promise.all(keys.slice(from, from + 500).map((key) => store.create(key, key)))
    for (const count of counts) await store.expectKeys(`n/${count}/`)
    for (const reader of store.all) await store.expectKeys('n/', 'the keys', reader)
    await store.expectDocuments(keys)
  },

  async 'lists what every connection wrote before, and nothing that one removed'(store) {
    for (let round = 0; round < 4; round++) {
      for (const [i, writer] of store.all.entries()) {
        // A store that remembers listings now has one.
        for (const reader of store.all) await store.expectKeys('key/', 'the keys', reader)
        await store.create(`key/${round}/${i}`, round, writer)
        if (round > 0) await store.removeIfPresent(`key/${round - 1}/${i}`, writer)
        for (const reader of store.all) await store.expectKeys('key/', 'the keys after a write', reader)
      }
      // Removed and created again: it is listed once.
      await store.create('key/again', round)
      for (const reader of store.all) await store.expectKeys('key/', 'the keys', reader)
      await store.remove('key/again')
    }
  },

  async 'keeps listings apart that are open at the same time'(store) {
    const keysOf = (name: string) => Array.from({ length: 600 }, (_, i) => `${name}/${1000 + i}`)
    const [a, b] = [keysOf('a'), keysOf('b')]
    await Promise.all([...a, ...b].map((key) => store.create(key, 0)))
    const open = [...store.all, ...store.all].map((reader, i) => ({
      listing: reader.keys(i % 2 === 0 ? 'a/' : 'b/')[Symbol.asyncIterator](),
      found: [] as string[],
      wanted: i % 2 === 0 ? a : b,
    }))
    for (let step = 0; step < a.length; step++) {
      for (const { listing, found } of open) found.push((await listing.next()).value as string)
      // Others write meanwhile, outside of what is listed.
      if (step % 100 === 0) await store.create(`c/${step}`, step, store.writers[step % store.writers.length])
    }
    for (const { listing, found, wanted } of open) {
      expectSame(found, wanted, 'the keys of one of several listings')
      expectSame((await listing.next()).done, true, 'the end of a listing')
    }
    // Listings that are given up hold no connection and no lock.
    for (let i = 0; i < 40; i++) {
      for await (const key of store.list('a/')) {
        expectSame(key, a[0], 'the first key')
        break
      }
    }
    await store.replace('a/1000', 1)
    await store.expectKeys('b/')
  },

  async 'distinguishes keys by every UTF-16 unit'(store) {
    const keys = [
      ...['', ' ', 'a', 'a ', ' a', 'A', 'a\0', 'a\0b', '\0', 'a\n', 'a\r\n', '~', '~0041', ' 0041'],
      ...['é', 'e\u0301', 'ﬁ', 'fi', 'İ', 'i', 'ı', 'ß', 'ss'],
      ...['😀', '\ud83d', '\ude00', '\ud800', '\ufffd'],
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', '0', '00', '1e3'],
      ...["'; DROP TABLE documents; --", '"', '`', '\\', '\\0', '$1', '?', ':key', '{}'],
      ...[
        '../x',
        './x',
        'x/',
        '/x',
        'x',
        'x/y',
        'x//y',
        'x/./y',
        'x\\y',
        'x#y',
        'x#z',
        'x&y',
        'x&z',
        'x;y',
        'x;z',
      ],
      ...[
        '%41',
        '%2e',
        '.',
        'x%2Fy',
        'a+b',
        'a b',
        'a%20b',
        'a\tb',
        'ab',
        'a\u200bb',
        'a\u00adb',
        'a\u00a0b',
        '\ufeffa',
      ],
      ...['あ', 'ア', 'ς', 'σ', 'Σ', 'k', 'K', '\u212a', 'ａ', 'ä', 'æ', 'ae', 'ﾊ', 'ハ'],
    ]
    for (const key of keys) {
      await store.expectDocument(key, `${shortText(key)} before it was written`)
      await store.create(key, [key])
    }
    await store.expectDocuments(keys)
    await store.expectKeys()
    for (const key of keys) await store.remove(key)
    await store.expectKeys('', 'the keys after all were removed')
  },
}
