import type { Entry, Store } from '../../storage/store.ts'

/** An empty store that no other test uses, as `open` returns it. */
export interface OpenedStore {
  readonly store: Store
  /** More stores over the same documents, each with its own connection. The promises about concurrency use all. */
  readonly peers?: readonly Store[]
  /** Called when the test ends, whether it passed or failed. */
  close?(): unknown
  /** Closes the store as a restart would, and returns a new one over the same documents. */
  reopen?(): Store | Promise<Store>
}

/** One promise of a store: the title of its test, and the test. */
export interface StorePromise {
  readonly title: string
  /** True when only stores whose documents outlive them make this promise. */
  readonly durable?: true
  /** @param all the store and its peers */
  readonly check: (store: Store, all: readonly Store[], opened: OpenedStore) => Promise<void>
}

export type Json = Entry['value']
