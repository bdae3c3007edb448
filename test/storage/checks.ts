/** Checks that the tests of several adapters share. */
import { expect } from 'vitest'
import { CommandRegistry, StoreError, type Store } from 'commandry'
import { storeWith } from '../support/stores.ts'
import type { Proxy } from './proxy.ts'

/** The keys of a store that start with a prefix, in the order of the listing. */
export async function listed(store: Store, prefix = ''): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.keys(prefix)) keys.push(key)
  return keys
}

/** Writes a document at the expected revision. Returns its new one. */
export async function put(
  store: Store,
  key: string,
  expected: string | null,
  value: Parameters<Store['write']>[2],
): Promise<string> {
  const written = await store.write(key, expected, value)
  return written.ok ? written.revision : expect.fail(`${key} is not at ${expected}`)
}

/** Expects a call of a store to fail with a `StoreError`. */
export async function expectStoreError(
  call: Promise<unknown>,
  expected: { mayHaveHappened?: boolean; cause?: unknown; message?: RegExp } = {},
): Promise<void> {
  const { message = /./, ...rest } = expected
  const error = { name: 'StoreError', message: expect.stringMatching(message) as string, ...rest }
  await expect(call).rejects.toMatchObject(error)
}

/** A registry over a store, and a way to interrupt its next write. */
export function interrupted(store: Store) {
  let before: (() => void) | undefined
  const interrupting = storeWith((apply) => {
    before?.()
    before = undefined
    return apply()
  }, store)
  const registry = new CommandRegistry({ store: interrupting })
  return { registry, beforeNextWrite: (interrupt: () => void) => void (before = interrupt) }
}

/** Expects an empty store to parse a document once for each revision, and none that it wrote: it returns the same object. */
export async function expectParsedOnce(store: Store): Promise<void> {
  await store.write('key', null, { a: [1] })
  const [first] = await store.read(['key'])
  expect((await store.read(['key']))[0]).toBe(first)
  expect((await store.read(['other', 'key', 'key']))[2]).toBe(first)
  const revision = await put(store, 'key', first!.revision, { a: [2] })
  expect((await store.read(['key']))[0]!.value).toEqual({ a: [2] })
  const frozen = Object.freeze({ a: 3 })
  const last = await put(store, 'key', revision, frozen)
  expect((await store.read(['key']))[0]!.value).toBe(frozen)
  await put(store, 'key', last, undefined)
}

/** Expects an announcement of every write, but of no refused one. @param settled resolves when all have arrived */
export async function expectAnnounced(
  store: Store,
  heard: readonly unknown[],
  settled: () => Promise<unknown>,
): Promise<void> {
  const key = 'a\0😀'
  const first = await put(store, key, null, 1)
  expect(await store.write(key, null, 2)).toEqual({ ok: false })
  const second = await put(store, key, first, 2)
  const third = await put(store, key, second, undefined)
  await settled()
  expect(heard).toEqual([first, second, third].map((revision) => ({ key, revision })))
}

/**
 * Expects one round trip for any read, and one for a write that creates, is refused, replaces or removes.
 *
 * @param trips the number of round trips so far
 */
export async function expectOneTrip(store: Store, trips: () => number): Promise<void> {
  let revision: string | null = null
  const write = (value?: number) => async () => {
    const written = await store.write('key', revision, value)
    revision = written.ok ? written.revision : null
  }
  const calls: readonly (() => Promise<unknown>)[] = [
    () => store.read([]),
    () => store.read(['key']),
    () => store.read(Array.from({ length: 2000 }, (_, i) => `key/${i}`)),
    write(1),
    () => store.write('key', null, 1),
    write(2),
    write(),
  ]
  let costs: number[] = []
  // Drivers may need more trips when a connection sees a statement for the first time.
  for (let round = 0; round < 2; round++) {
    costs = []
    revision = null
    for (const call of calls) {
      const before = trips()
      await call()
      costs.push(trips() - before)
    }
  }
  expect(costs).toEqual([0, 1, 1, 1, 1, 1, 1])
}

/**
 * Cuts the answer of a create, and removes the document before the store connects again. A driver that sends the
 * write again would create it a second time. @param to a text of the request
 */
export async function expectCreatedOnce(
  proxy: Proxy,
  store: Store,
  direct: Store,
  to: string,
): Promise<void> {
  // Also loads the script of Redis.
  await put(store, 'other', null, 1)
  const removed = new Promise<void>((resolve) => {
    const meanwhile = async () => {
      const [entry] = await direct.read(['key'])
      await put(direct, 'key', entry!.revision, undefined)
      resolve()
    }
    proxy.cutNextReply({ to, meanwhile })
  })
  await expect(store.write('key', null, 1)).rejects.not.toMatchObject({ mayHaveHappened: false })
  await removed
  // The driver has connected again.
  await store.read(['other']).catch(() => store.read(['other']))
  expect(await direct.read(['key'])).toEqual([undefined])
}

/**
 * Cuts the connection before a write, before its response, and before that of a read: the outcome of the writes is
 * uncertain, and repeating them is safe.
 *
 * @param direct a store of the same documents beside the proxy
 */
export async function expectUncertain(proxy: Proxy, store: Store, direct: Store): Promise<void> {
  const doubt = { mayHaveHappened: true, cause: expect.any(Error) }
  const revision = await put(store, 'key', null, 1)

  proxy.cutNextRequest()
  const unsent = store.write('key', revision, 2)
  await expectStoreError(unsent, doubt)
  await expect(unsent).rejects.toBeInstanceOf(StoreError)
  expect((await direct.read(['key']))[0]).toEqual({ value: 1, revision })

  // Reconnects and prepares the statement, so that the cut response is that of the write.
  expect(await store.write('key', crypto.randomUUID(), 0)).toEqual({ ok: false })
  proxy.cutNextReply()
  await expectStoreError(store.write('key', revision, 2), doubt)
  expect((await direct.read(['key']))[0]?.value).toBe(2)
  expect(await store.write('key', revision, 3)).toEqual({ ok: false })

  proxy.cutNextReply()
  await expectStoreError(store.read(['key']), { ...doubt, mayHaveHappened: false })
  expect((await store.read(['key']))[0]?.value).toBe(2)
}

/** Expects every call to fail, and to report that nothing was written. */
export async function expectNothingWritten(store: Store, cause: unknown = expect.any(Error)): Promise<void> {
  const calls = [() => store.write('key', null, 1), () => store.read(['key']), () => listed(store)]
  for (const call of calls) await expectStoreError(call(), { mayHaveHappened: false, cause })
}
