/**
 * The promises of a store as tests. Needs no test runner and no assertion library: the caller passes the runner's
 * `test`, and a broken promise throws an error that states what was expected and what was found.
 */
import { knownOptions } from '../core/options.ts'
import type { Store } from '../storage/store.ts'
import { documentPromises } from './promises/documents.ts'
import { keyPromises } from './promises/keys.ts'
import type { OpenedStore, StorePromise } from './promises/promise.ts'
import { racePromises } from './promises/races.ts'
import { valuePromises } from './promises/values.ts'

export type { OpenedStore } from './promises/promise.ts'

/** The options of `storeContract`. */
export interface StoreContractOptions {
  /** The runner's function that declares a test: `test` of vitest, `node:test` or `bun:test`. */
  readonly test: (title: string, body: () => Promise<void>) => unknown
  /** Returns an empty store; called once for each test. */
  readonly open: () => Store | OpenedStore | Promise<Store | OpenedStore>
  /** True for a store whose documents outlive it: adds the promise about restarts, which needs `reopen`. */
  readonly durable?: boolean
}

const promises: readonly StorePromise[] = [
  ...documentPromises,
  ...racePromises,
  ...keyPromises,
  ...valuePromises,
]

/**
 * Declares one test for each promise of a store; the promise is the title.
 *
 * @example storeContract({ test, open: () => memoryStore() })
 */
export function storeContract(options: StoreContractOptions): void {
  knownOptions('storeContract', options, ['test', 'open', 'durable'])
  for (const promise of promises) {
    if (promise.durable === true && options.durable !== true) continue
    options.test(promise.title, async () => {
      const result = await options.open()
      const opened: OpenedStore = 'store' in result ? result : { store: result }
      try {
        await promise.check(opened.store, [opened.store, ...(opened.peers ?? [])], opened)
      } finally {
        await opened.close?.()
      }
    })
  }
}

/** The titles of the tests in their order: the promises of a store in words. */
export function storePromises(): readonly string[] {
  return promises.map((promise) => promise.title)
}
