import { StoreError } from '../storage/store-error.ts'
import type { Store } from '../storage/store.ts'

/** One failure of a store: which call fails, and whether it took effect first. */
export interface StoreFault {
  readonly on: 'read' | 'write' | 'keys'
  /** Which call of that kind fails, counted from 1. Default: the next one that the other fields fit. */
  readonly call?: number
  /** Only a call with a key (or prefix) that starts with this. */
  readonly key?: string
  /**
   * `'before'`: nothing was written, and the error says so. `'after'`: the write was applied and its answer was lost, so
   * the error cannot say. Default `'before'`. Reads fail without an effect either way.
   */
  readonly when?: 'before' | 'after'
  /** What the call rejects with. Default: a `StoreError` as an adapter throws it. */
  readonly error?: unknown
}

/** A store that fails as planned. */
export interface FaultyStore extends Store {
  /** The faults that were used, in the order in which they occurred. */
  readonly used: readonly StoreFault[]
  /** The faults that no call has met so far. A test expects it to be empty. */
  readonly unused: readonly StoreFault[]
}

/**
 * A store that fails the calls a plan names, each once, and otherwise is the store it is given. For tests of what a
 * program does when its storage fails.
 *
 * @example
 * const store = faultyStore(memoryStore(), [{ on: 'write', call: 2, when: 'after' }])
 */
export function faultyStore(store: Store, plan: readonly StoreFault[]): FaultyStore {
  const calls = { read: 0, write: 0, keys: 0 }
  const used: StoreFault[] = []
  const unused = () => plan.filter((fault) => !used.includes(fault))
  const next = (on: StoreFault['on'], keys: readonly string[]): StoreFault | undefined => {
    calls[on]++
    const fault = unused().find(
      ({ on: kind, call = calls[on], key = '' }) =>
        kind === on && call === calls[on] && keys.some((one) => one.startsWith(key)),
    )
    if (fault !== undefined) used.push(fault)
    return fault
  }
  return {
    get used() {
      return Object.freeze([...used])
    },
    get unused() {
      return Object.freeze(unused())
    },
    async read(keys) {
      const fault = next('read', keys)
      if (fault !== undefined) throw failure(fault, false)
      return store.read(keys)
    },
    async write(key, expected, value) {
      const fault = next('write', [key])
      if (fault === undefined) return store.write(key, expected, value)
      if (fault.when !== 'after') throw failure(fault, false)
      await store.write(key, expected, value)
      throw failure(fault, true)
    },
    async *keys(prefix) {
      const fault = next('keys', [prefix])
      if (fault !== undefined) throw failure(fault, false)
      yield* store.keys(prefix)
    },
  }
}

function failure(fault: StoreFault, mayHaveHappened: boolean): unknown {
  const cause = new Error(`planned fault on ${fault.on}`)
  return fault.error ?? new StoreError(cause.message, { cause, mayHaveHappened })
}
