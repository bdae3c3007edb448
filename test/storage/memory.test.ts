import { expect, test } from 'vitest'
import { memoryStore } from '../../src/storage/memory.ts'
import { storeContract, storePromises } from '../../src/testing/store-contract.ts'

storeContract({ test, open: () => memoryStore() })

test('has a different title for each promise', () => {
  const titles = storePromises()
  expect(new Set(titles).size).toBe(titles.length)
})

test('declares its tests through the given runner, the durable ones only on request', () => {
  const declared: string[] = []
  const collect = (title: string) => declared.push(title)
  storeContract({ test: collect, open: () => memoryStore() })
  const lasting = 'keeps acknowledged writes through a restart'
  expect(declared).toEqual(storePromises().filter((title) => title !== lasting))
  declared.length = 0
  storeContract({ test: collect, open: () => memoryStore(), durable: true })
  expect(declared).toEqual(storePromises())
})

test('closes a store after its test, also when the test fails', async () => {
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
