import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { turn } from '../../support/waiting.ts'

// The library takes its timers when it is loaded, so that fake timers of its users do not stop it.
beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.resetModules()
})

it('waits before an attempt beyond the third repetition, so that competing writers draw apart', async () => {
  const { CommandRegistry, globalScope, memoryStore } = await import('commandry')
  const memory = memoryStore()
  let writes = 0
  const store: typeof memory = {
    ...memory,
    read: (key) => memory.read(key),
    // Another writer was first five times.
    write: async (...given) => (++writes <= 5 ? { ok: false } : memory.write(...given)),
  }
  const registry = new CommandRegistry({ store })
  const creating = registry.overwrite(globalScope('1001'), [{ name: 'ping', description: 'x' }])
  await turn()
  expect([writes, vi.getTimerCount()]).toEqual([4, 1])
  vi.advanceTimersByTime(50)
  await turn()
  expect([writes, vi.getTimerCount()]).toEqual([5, 1])
  vi.advanceTimersByTime(50)
  await creating
  expect([writes, vi.getTimerCount()]).toEqual([6, 0])
})

it('leaves no timer of its own when it no longer follows changes', async () => {
  const { followChanges, memoryStore } = await import('commandry')
  const announcements = { announce: async () => {}, listen: async () => () => {} }
  const end = await followChanges({ ...memoryStore(), announcements }, () => {}, { heartbeat: 1_000 })
  expect(vi.getTimerCount()).toBe(1)
  end()
  await turn()
  expect(vi.getTimerCount()).toBe(0)
})
