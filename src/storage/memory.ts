/**
 * The reference adapter and the default: documents in a `Map`.
 *
 * Guarantees: the contract, for one process. Nothing outlives the process. Costs: nothing is copied; a read
 * hands out the very object that was written.
 */
import { deepFreeze } from '../core/freeze.ts'
import type { Json } from '../core/json.ts'
import type { Entry, Store, Written } from './store.ts'

export function memoryStore(): Store {
  const documents = new Map<string, Entry>()
  let writes = 0
  return {
    async read(keys: readonly string[]): Promise<readonly (Entry | undefined)[]> {
      return keys.map((key) => documents.get(key))
    },
    async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
      if ((documents.get(key)?.revision ?? null) !== expected) return { ok: false }
      const revision = String(++writes)
      if (value === undefined) documents.delete(key)
      else documents.set(key, Object.freeze({ value: deepFreeze(value), revision }))
      return { ok: true, revision }
    },
    async *keys(prefix: string): AsyncGenerator<string> {
      yield* [...documents.keys()].filter((key) => key.startsWith(prefix)).sort()
    },
  }
}
