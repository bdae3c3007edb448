import { test } from 'vitest'
import { memoryStore } from 'commandry'
import { storeContract } from 'commandry/testing'

storeContract({ test, open: () => memoryStore() })
