/** A store in the storage of the browser, for a page without a server. */
import { deepFreeze } from '../../../core/freeze.ts'
import type { Entry, Store } from '../../../storage/store.ts'

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** @param prefix the beginning of the keys that are this store's */
export function browserStore(storage: BrowserStorage, prefix: string): Store {
  const entryOf = (key: string): Entry | undefined => {
    const text = storage.getItem(prefix + key)
    return text === null ? undefined : deepFreeze(JSON.parse(text) as Entry)
  }
  return {
    read: async (keys) => keys.map(entryOf),
    async write(key, expected, value) {
      if ((entryOf(key)?.revision ?? null) !== expected) return { ok: false }
      const revision = crypto.randomUUID()
      if (value === undefined) storage.removeItem(prefix + key)
      else storage.setItem(prefix + key, JSON.stringify({ value, revision }))
      return { ok: true, revision }
    },
    async *keys(start) {
      const all = Array.from({ length: storage.length }, (_, index) => storage.key(index)!)
      const own = all.filter((key) => key.startsWith(prefix + start)).map((key) => key.slice(prefix.length))
      yield* own.sort()
    },
  }
}
