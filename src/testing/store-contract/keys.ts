/** Promises about keys: listing them, and keeping them apart. */
import { expectSame, print, type Promises } from './checked-store.ts'

const SIGNS = [...`%_*?^\\'".+($|-`, '[a]', '{x}']

export const keyPromises: Promises = {
  async 'lists exactly the keys that start with a prefix'(store) {
    const keys = new Set([
      ...['scope/1/global', 'scope/1/guild/7', 'scope/10/global', 'scope/1', 'Scope/1/global', 'scope-1/'],
      ...SIGNS.flatMap((sign) => [`${sign}/x`, `scope${sign}1/x`, `s${sign}`]),
      ...['permissions/1/7', ' ', 'é/1', 'é/10', '😀/1', '😁/1'],
    ])
    for (const key of keys) await store.create(key, true)
    const similar = (key: string) => [key, `${key}/`, key.slice(0, -1), key.slice(0, 1), key.slice(0, -2)]
    const others = ['', 'nothing', 's%', 's_', 's*', 's?', 's[a-z]', 'scope/_/']
    for (const prefix of new Set([...others, ...[...keys].flatMap(similar)]))
      await store.expectKeys(prefix, `the keys that start with ${print(prefix)}`)
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
      await store.create(`${key}/new`, 'new')
      if (found.length % 2 === 0) await store.remove(key)
    }
    expectSame(found, keys, 'the keys that existed when the listing started')
    await store.expectKeys('key/', 'the remaining keys')
  },

  async 'distinguishes keys by every UTF-16 unit'(store) {
    const keys = [
      ...['', ' ', 'a', 'a ', ' a', 'A', 'a\0', 'a\0b', '\0', 'a\n', 'a\r\n', '~', '~0041', ' 0041'],
      ...['é', 'e\u0301', 'ﬁ', 'fi', 'İ', 'i', 'ı', 'ß', 'ss'],
      ...['😀', '\ud83d', '\ude00', '\ud800', '\ufffd'],
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', '0', '00', '1e3'],
      ...["'; DROP TABLE documents; --", '"', '`', '\\', '\\0', '$1', '?', ':key', '{}'],
      ...['../x', './x', 'x/'],
    ]
    for (const key of keys) {
      await store.expectDocument(key, `${print(key)} before it was written`)
      await store.create(key, [key])
    }
    await store.expectDocuments(keys)
    await store.expectKeys()
    for (const key of keys) await store.remove(key)
    await store.expectKeys('', 'the keys after all were removed')
  },
}
