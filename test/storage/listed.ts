import type { Store } from 'commandry'

/** The keys of a store that start with a prefix, in the order of the listing. */
export async function listed(store: Store, prefix = ''): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.keys(prefix)) keys.push(key)
  return keys
}
