/** A store in the storage of the browser, for a page without a server. */
import { deepFreeze } from '../../../core/freeze.ts'
import { isObject, parsedJson } from '../../../core/json.ts'
import { uniqueText } from '../../../core/random.ts'
import type { Entry, Store } from '../../../storage/store.ts'

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/**
 * A store that treats a damaged entry as missing, because other pages can write to the same storage.
 *
 * @param prefix the beginning of the keys that are this store's
 * @param onDamage called for each damaged entry that is read
 */
export function browserStore(storage: BrowserStorage, prefix: string, onDamage = () => {}): Store {
  const entryOf = (key: string): Entry | undefined => {
    const text = storage.getItem(prefix + key)
    if (text === null) return undefined
    const entry = parsedJson(text, Infinity)
    if (isObject(entry) && typeof entry.revision === 'string' && 'value' in entry)
      return deepFreeze(entry as unknown as Entry)
    onDamage()
    return undefined
  }
  return {
    read: async (keys) => keys.map(entryOf),
    async write(key, expected, value) {
      if ((entryOf(key)?.revision ?? null) !== expected) return { ok: false }
      const revision = uniqueText()
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
