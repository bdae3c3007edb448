import { expect, it } from 'vitest'
import { CommandRegistry, globalScope, memoryStore } from 'commandry'
import { faultyStore, slashCommand } from 'commandry/testing'

const scope = globalScope('1001')

it('faultyStore fails before a write, with an error that states that nothing was written', async () => {
  const store = faultyStore(memoryStore(), [{ on: 'write' }])
  const registry = new CommandRegistry({ store })
  const failed = { code: 'storage', mayHaveHappened: false }
  await expect(registry.upsert(scope, slashCommand())).rejects.toMatchObject(failed)
  expect(await registry.list(scope)).toEqual([])
  expect(store.used).toEqual([{ on: 'write' }])
  expect(store.unused).toEqual([])
  expect(await registry.upsert(scope, slashCommand())).toMatchObject({ created: true })
})

it('faultyStore fails after a write, with an error that leaves it open', async () => {
  const store = faultyStore(memoryStore(), [{ on: 'write', when: 'after' }])
  const registry = new CommandRegistry({ store })
  const failed = { code: 'storage', mayHaveHappened: true }
  await expect(registry.upsert(scope, slashCommand())).rejects.toMatchObject(failed)
  expect(await registry.list(scope)).toHaveLength(1)
})

it('faultyStore selects the call by number and key, and lists unused faults', async () => {
  const second = { on: 'write', call: 2 } as const
  const other = { on: 'write', key: 'permissions/' } as const
  const store = faultyStore(memoryStore(), [second, other])
  expect(await store.write('scope/a', null, 1)).toMatchObject({ ok: true })
  await expect(store.write('scope/b', null, 1)).rejects.toThrow('planned fault on write')
  expect(await store.write('scope/c', null, 1)).toMatchObject({ ok: true })
  expect(store.used).toEqual([second])
  expect(store.unused).toEqual([other])
  await expect(store.write('permissions/a', null, 1)).rejects.toThrow()
  expect(store.unused).toEqual([])
})

it('faultyStore fails reads and listings of keys, with the given error if any', async () => {
  const error = new Error('unplugged')
  const store = faultyStore(memoryStore(), [{ on: 'read', error }, { on: 'keys' }])
  await expect(store.read(['a'])).rejects.toBe(error)
  expect(await store.read(['a'])).toEqual([undefined])
  const keys = async () => {
    const found = []
    for await (const key of store.keys('')) found.push(key)
    return found
  }
  await store.write('a', null, 1)
  await expect(keys()).rejects.toThrow('planned fault on keys')
  expect(await keys()).toEqual(['a'])
})
