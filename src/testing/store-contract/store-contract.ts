/**
 * The promises of a store as tests. Needs no test runner and no assertion library: the caller passes the runner's
 * `test`, and a broken promise throws an error that states what was expected and what was found.
 */
import { aFlag, aFunction, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import type { Store } from '../../storage/store.ts'
import { CheckedStore, type OpenedStore, type Promises } from './checked-store.ts'
import { documentPromises, durablePromises, restorablePromises } from './single-documents.ts'
import { failingPromises } from './failing-medium.ts'
import { keyPromises } from './keys.ts'
import { racePromises } from './races.ts'
import { valuePromises } from './values.ts'

export type { OpenedStore, Outage } from './checked-store.ts'

/** The options of `storeContract`. */
export interface StoreContractOptions {
  /** The runner's function that declares a test: `test` of vitest, `node:test` or `bun:test`. */
  readonly test: (title: string, body: () => Promise<void>) => unknown
  /** Returns an empty store; called once for each test. */
  readonly open: () => Store | OpenedStore | Promise<Store | OpenedStore>
  /** True for a store whose documents outlive it: adds the promise about restarts, which needs `reopen`. */
  readonly durable?: boolean
  /** True for a store whose documents can be restored: adds the promise about backups, which needs `backUp`. */
  readonly restorable?: boolean
  /** True for a store whose medium a test can make fail: adds the promises about failures, which need `fail`. */
  readonly failing?: boolean
}

const checkedOptions = /* @__PURE__ */ optionsOf<StoreContractOptions>('storeContract', {
  test: aFunction,
  open: aFunction,
  durable: optional(aFlag),
  restorable: optional(aFlag),
  failing: optional(aFlag),
})

/**
 * Declares one test for each promise of a store; the promise is the title.
 *
 * @example storeContract({ test, open: () => memoryStore() })
 */
export function storeContract(options: StoreContractOptions): void {
  const { test, open, durable = false, restorable = false, failing = false } = checkedOptions(options)
  for (const [title, check] of Object.entries(promisesOf(durable, restorable, failing))) {
    test(title, async () => {
      const result = await open()
      const opened: OpenedStore = 'store' in result ? result : { store: result }
      try {
        await check(new CheckedStore(opened))
      } finally {
        await opened.close?.()
      }
    })
  }
}

function promisesOf(isDurable: boolean, isRestorable: boolean, isFailing: boolean): Promises {
  const durable = isDurable ? durablePromises : {}
  const restorable = isRestorable ? restorablePromises : {}
  const failing = isFailing ? failingPromises : {}
  return {
    ...documentPromises,
    ...durable,
    ...restorable,
    ...failing,
    ...racePromises,
    ...keyPromises,
    ...valuePromises,
  }
}

/** The titles of the tests in their order: the promises of a store in words. */
export function storePromises(): readonly string[] {
  return Object.keys(promisesOf(true, true, true))
}
