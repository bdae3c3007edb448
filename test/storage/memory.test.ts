import { expect, test } from 'vitest'
import { memoryStore } from '../../src/storage/memory.ts'
import { storeContract, storePromises } from '../../src/testing/store-contract.ts'

storeContract({ test, open: () => memoryStore() })

test('every promise of the contract has a title of its own', () => {
  const titles = storePromises()
  expect(new Set(titles).size).toBe(titles.length)
})

test('the contract is declared through whatever runner is handed in, the durable part only on request', () => {
  const declared: string[] = []
  const collect = (title: string) => declared.push(title)
  storeContract({ test: collect, open: () => memoryStore() })
  const lasting = 'keeps acknowledged writes through a restart'
  expect(declared).toEqual(storePromises().filter((title) => title !== lasting))
  declared.length = 0
  storeContract({ test: collect, open: () => memoryStore(), durable: true })
  expect(declared).toEqual(storePromises())
})

test('a store is closed when its test is over, also when the test fails', async () => {
  let open = 0
  const bodies: (() => Promise<void>)[] = []
  storeContract({
    test: (_, body) => bodies.push(body),
    open: () => {
      open++
      const broken = () => Promise.reject(new Error('broken'))
      return { store: { ...memoryStore(), read: broken, write: broken }, close: () => open-- }
    },
  })
  const ends = await Promise.allSettled(bodies.map((body) => body()))
  expect(ends.every((end) => end.status === 'rejected')).toBe(true)
  expect(open).toBe(0)
})
