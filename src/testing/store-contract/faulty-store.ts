import { aString, argument, demand, listArgument, objectArgument, oneOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { StoreError } from '../../storage/store-error.ts'
import { demandStore, type Store } from '../../storage/store.ts'

/** A failure of a store: the call that fails, and whether it takes effect first. */
export interface StoreFault {
  /** The method that fails. */
  readonly on: 'read' | 'write' | 'keys'
  /** The number of the call of that kind, from 1. Default: the next call that matches the other fields. */
  readonly call?: number
  /** The start of the key or prefix of the call. Default: any. */
  readonly key?: string
  /**
   * `'before'`: nothing is written, and the error has `mayHaveHappened: false`. `'after'`: the write is applied, but its
   * result is lost. Default `'before'`. Reads never have an effect.
   */
  readonly when?: 'before' | 'after'
  /** The error of the call. Default: a `StoreError`, like that of an adapter. */
  readonly error?: unknown
}

const readPlan = /* @__PURE__ */ demand(
  listArgument(
    objectArgument({
      on: oneOf("'read', 'write' or 'keys'", 'read', 'write', 'keys'),
      call: optional(argument('a whole number from 1', (call) => Number.isInteger(call) && call >= 1)),
      key: optional(aString),
      when: optional(oneOf("'before' or 'after'", 'before', 'after')),
    }),
    'a list of faults',
  ),
)

/** A store with planned failures. */
export interface FaultyStore extends Store {
  /** The faults that were used, in the order in which they occurred. */
  readonly used: readonly StoreFault[]
  /** The faults that no call has matched yet. A test expects it to be empty. */
  readonly unused: readonly StoreFault[]
}

/**
 * A store in which planned calls fail, each once; all other calls reach the given store. For tests of programs whose
 * storage fails.
 *
 * @example
 * const store = faultyStore(memoryStore(), [{ on: 'write', call: 2, when: 'after' }])
 */
export function faultyStore(store: Store, plan: readonly StoreFault[]): FaultyStore {
  demandStore(store, 'store')
  readPlan(plan, 'plan')
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
