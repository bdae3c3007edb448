import { deepFreeze } from '../core/freeze.ts'
import type { Json } from '../core/json.ts'
import { sortedKeys } from './sorted-keys.ts'
import type { Entry, Store, Written } from './store.ts'

/**
 * A store in the memory of this process: the reference implementation, and the default of a registry.
 *
 * Guarantees the contract for one process; everything is lost when the process ends. Copies nothing: a read returns
 * the object that was written. Listing keys costs what is listed, however many documents the store holds.
 */
export function memoryStore(): Store {
  const documents = new Map<string, Entry>()
  const keys = sortedKeys()
  let writes = 0
  return {
    async read(wanted: readonly string[]): Promise<readonly (Entry | undefined)[]> {
      return wanted.map((key) => documents.get(key))
    },
    async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
      const current = documents.get(key)
      if ((current?.revision ?? null) !== expected) return { ok: false }
      const revision = String(++writes)
      if (value !== undefined) {
        documents.set(key, Object.freeze({ value: deepFreeze(value), revision }))
        if (current === undefined) keys.add(key)
      } else if (documents.delete(key)) {
        keys.delete(key)
      }
      return { ok: true, revision }
    },
    async *keys(prefix: string): AsyncGenerator<string> {
      // Not `yield*`, which makes two more promises for each key.
      for (const key of keys.startingWith(prefix)) yield key
    },
  }
}
