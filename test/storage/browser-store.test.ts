/** The store of a page without a server, over a storage as browsers have it: it needs no browser. */
import { test } from 'vitest'
import { storeContract } from 'commandry/testing'
import { browserStore } from '../../src/tools/page/browser/browser-store.ts'

/** A storage whose keys have a place, as in browsers: `key` finds one without a copy of all. */
function storage() {
  const items = new Map<string, string>()
  let keys: readonly string[] | undefined
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (!items.has(key)) keys = undefined
      items.set(key, value)
    },
    removeItem(key: string) {
      if (items.delete(key)) keys = undefined
    },
    key: (index: number) => (keys ??= [...items.keys()])[index] ?? null,
    get length() {
      return items.size
    },
  }
}

storeContract({ test, open: () => browserStore(storage(), 'commandry ') })
