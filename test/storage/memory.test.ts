import { test } from 'vitest'
import { memoryStore } from '../../src/storage/memory.ts'
import { storeContract } from '../../src/testing/store-contract.ts'

storeContract({ test, open: () => memoryStore() })
