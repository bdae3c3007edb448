import { expect } from 'vitest'
import type { Store } from 'commandry'

/** Expects an empty store to parse a document once for each revision, and none that it wrote: it returns the same object. */
export async function expectParsedOnce(store: Store): Promise<void> {
  await store.write('key', null, { a: [1] })
  const [first] = await store.read(['key'])
  expect((await store.read(['key']))[0]).toBe(first)
  expect((await store.read(['other', 'key', 'key']))[2]).toBe(first)
  const written = await store.write('key', first!.revision, { a: [2] })
  const [second] = await store.read(['key'])
  expect(second!.value).toEqual({ a: [2] })
  const frozen = Object.freeze({ a: 3 })
  const last = await store.write('key', written.ok ? written.revision : null, frozen)
  expect((await store.read(['key']))[0]!.value).toBe(frozen)
  await store.write('key', last.ok ? last.revision : null, undefined)
}
