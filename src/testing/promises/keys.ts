/** Promises about keys: listing them, and keeping them apart. */
import {
  create,
  expectAbsent,
  expectDocuments,
  expectFound,
  expectKeys,
  expectSame,
  print,
  readOne,
  remove,
  replace,
} from './operations.ts'
import type { StorePromise } from './promise.ts'

export const keyPromises: readonly StorePromise[] = [
  {
    title: 'lists exactly the keys that start with a prefix',
    async check(store) {
      const keys = [
        'scope/1/global',
        'scope/1/guild/7',
        'scope/10/global',
        'scope/1',
        'Scope/1/global',
        'scope-1/',
        'permissions/1/7',
        ...['%', '_', '*', '?', '[a]', '^', '\\', "'", '"', '.', '+', '(', '{x}', '$', '|', '-'].flatMap(
          (sign) => [`${sign}/x`, `scope${sign}1/x`, `s${sign}`],
        ),
        ' ',
        'é/1',
        'é/10',
        '😀/1',
        '😁/1',
      ]
      for (const key of new Set(keys)) await create(store, key, true)
      const similar = (key: string) => [key, `${key}/`, key.slice(0, -1), key.slice(0, 1), key.slice(0, -2)]
      const others = ['', 'nothing', 's%', 's_', 's*', 's?', 's[a-z]', 'scope/_/']
      for (const prefix of new Set([...others, ...keys.flatMap(similar)])) {
        const wanted = [...new Set(keys)].filter((key) => key.startsWith(prefix)).sort()
        await expectKeys(store, prefix, wanted, `the keys that start with ${print(prefix)}`)
      }
    },
  },
  {
    title: 'lists keys in ascending order of their UTF-16 units, however many',
    async check(store) {
      const keys = new Set([
        'key',
        ...['', '\u0001', '!', '-', '/', '0', '9', ':', 'A', 'Z', '_', 'a', 'z', '{', '~'].map(
          (c) => `key${c}x`,
        ),
        ...['ß', 'é', 'z\u0301', 'ｚ', '\uffff', '\ue000', '😀', '\u{10ffff}', 'ä'].map((c) => `key${c}x`),
      ])
      // More keys than a store fetches in one page, created neither in the order of numbers nor of text.
      for (let i = 0; i < 1200; i++) keys.add(`key/${(i * 7919) % 1200}`)
      await Promise.all([...keys].map((key) => create(store, key, null)))
      await create(store, 'ke', null)
      await create(store, 'kez', null)
      await expectKeys(store, 'key', [...keys].sort())
    },
  },
  {
    title: 'allows a listing to end early and the store to be written during it',
    async check(store) {
      const keys = Array.from({ length: 30 }, (_, i) => `key/${String(i).padStart(2, '0')}`)
      const revisions = new Map<string, string>()
      for (const key of keys) revisions.set(key, await create(store, key, 0))
      for await (const key of store.keys('key/')) {
        await replace(store, key, expectFound(revisions.get(key)), 1)
        break
      }
      // Keys that exist during the whole listing must be listed; keys created meanwhile may be.
      const found: string[] = []
      const remaining: string[] = []
      for await (const key of store.keys('key/')) {
        if (key.endsWith('/new')) continue
        found.push(key)
        await create(store, `${key}/new`, 'new')
        const entry = expectFound(await readOne(store, key))
        if (found.length % 2 === 0) await remove(store, key, entry.revision)
        else remaining.push(key)
        remaining.push(`${key}/new`)
      }
      expectSame(found, keys, 'the keys that existed when the listing started')
      await expectKeys(store, 'key/', remaining, 'the remaining keys')
    },
  },
  {
    title: 'distinguishes keys by every UTF-16 unit',
    async check(store) {
      const keys = [
        ...['', ' ', 'a', 'a ', ' a', 'A', 'a\0', 'a\0b', '\0', 'a\n', 'a\r\n', '~', '~0041', ' 0041'],
        ...['é', 'e\u0301', 'ﬁ', 'fi', 'İ', 'i', 'ı', 'ß', 'ss'],
        ...['😀', '\ud83d', '\ude00', '\ud800', '\ufffd'],
        ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', '0', '00', '1e3'],
        ...["'; DROP TABLE documents; --", '"', '`', '\\', '\\0', '$1', '?', ':key', '{}'],
        ...['../x', './x', 'x/'],
      ]
      const revisions: string[] = []
      for (const key of keys) {
        await expectAbsent(store, key, `${print(key)} exists before it was written`)
        revisions.push(await create(store, key, [key]))
      }
      await expectDocuments(store, keys, (key, i) => ({ value: [key], revision: revisions[i] as string }))
      await expectKeys(store, '', [...keys].sort())
      for (const [i, key] of keys.entries()) await remove(store, key, revisions[i] as string)
      await expectKeys(store, '', [], 'the keys after all were removed')
    },
  },
]
