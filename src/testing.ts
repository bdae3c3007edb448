/** For tests of bots, of libraries and of storage adapters. Needs no test runner and no assertion library. */

export {
  storeContract,
  storePromises,
  type OpenedStore,
  type StoreContractOptions,
} from './testing/store-contract.ts'
