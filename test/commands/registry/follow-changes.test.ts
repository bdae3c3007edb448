import { expect, it, onTestFinished } from 'vitest'
import {
  CommandRegistry,
  followChanges,
  globalScope,
  memoryStore,
  type Announcements,
  type Store,
  type StoreChange,
} from 'commandry'
import { here } from '../../support/fixtures.ts'
import { turn } from '../../support/waiting.ts'

type Listener = Parameters<Announcements['listen']>[0]

/** A store that announces its writes to the listeners of this process, and a wire that a test can cut. */
function announcing() {
  const store = memoryStore()
  const listeners = new Set<Listener>()
  const wire = { isSilent: false, refusals: 0, connections: 0 }
  const announce = async (message: string) => {
    if (!wire.isSilent) for (const { received } of listeners) received(message)
  }
  const announced: Store = {
    ...store,
    async write(key, expected, value) {
      const written = await store.write(key, expected, value)
      if (written.ok) await announce(JSON.stringify({ key, revision: written.revision }))
      return written
    },
    announcements: {
      announce,
      async listen(listener) {
        if (wire.refusals > 0) {
          wire.refusals--
          throw new Error('refused')
        }
        wire.connections++
        wire.isSilent = false
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  }
  return { store: announced, listeners, wire, announce }
}

/** Follows a store. `next` resolves with the next change. */
async function followed(store: Store, options: { heartbeat?: number; signal?: AbortSignal } = {}) {
  const changes: StoreChange[] = []
  let wake = () => {}
  const end = await followChanges(store, (change) => (changes.push(change), wake()), {
    heartbeat: Infinity,
    ...options,
  })
  onTestFinished(end)
  const next = async () => {
    while (changes.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return changes.shift()!
  }
  return { end, changes, next }
}

it('reports changes of commands and permissions with their application and guild', async () => {
  const { store } = announcing()
  const { changes } = await followed(store)
  const registry = new CommandRegistry({ store })
  const { command } = await registry.upsert(globalScope('1001'), { name: 'one', description: 'b' })
  await registry.upsert(here, { name: 'two', description: 'b' })
  await registry.setPermissions('1001', '2001', command.id, [{ id: '5', type: 1, permission: true }])
  const revision = expect.any(String) as string
  const { applicationId, guildId } = here as { applicationId: string; guildId: string }
  expect(changes).toEqual([
    { type: 'changed', of: 'commands', applicationId: '1001', guildId: null, revision },
    { type: 'changed', of: 'commands', applicationId, guildId, revision },
    { type: 'changed', of: 'permissions', applicationId: '1001', guildId: '2001', revision },
  ])
})

it('ignores other messages on the channel and other documents', async () => {
  const { store, announce } = announcing()
  const { changes } = await followed(store)
  const others = ['', 'null', '{"key":1}', '{"key":"scope/1001/global"}', '{"heartbeat":"x"}', '[']
  for (const message of others) await announce(message)
  await store.write('other/1001/global', null, 1)
  await store.write('scope/x/global', null, 1)
  expect(changes).toEqual([])
})

it('connects again after a loss, and says when changes may have been missed', async () => {
  const { store, listeners, wire } = announcing()
  const { next } = await followed(store)
  wire.refusals = 2
  for (const { lost } of listeners) lost()
  expect(await next()).toEqual({ type: 'interrupted' })
  expect(await next()).toEqual({ type: 'missed' })
  expect([wire.connections, listeners.size]).toEqual([2, 1])
  await store.write('scope/1001/global', null, 1)
  expect(await next()).toMatchObject({ type: 'changed', applicationId: '1001' })
})

it('connects again directly after a loss', async () => {
  const { listeners, wire, store } = announcing()
  const { changes } = await followed(store)
  for (const { lost } of listeners) lost()
  await turn()
  expect(changes).toEqual([{ type: 'interrupted' }, { type: 'missed' }])
  expect([wire.connections, listeners.size]).toEqual([2, 1])
})

it('says when changes may have been missed after the driver connected again by itself', async () => {
  const { store, listeners, wire } = announcing()
  const { changes, end } = await followed(store)
  const [listener] = listeners
  listener!.again()
  expect(changes).toEqual([{ type: 'interrupted' }, { type: 'missed' }])
  expect(wire.connections).toBe(1)
  end()
  listener!.again()
  expect(changes).toHaveLength(2)
})

it('notices a connection on which nothing arrives any more', async () => {
  const { store, wire } = announcing()
  const { next } = await followed(store, { heartbeat: 50 })
  wire.isSilent = true
  expect(await next()).toEqual({ type: 'interrupted' })
  expect(await next()).toEqual({ type: 'missed' })
  expect(wire.connections).toBe(2)
})

it('notices a connection on which only heartbeats of other processes arrive', async () => {
  const { store, listeners } = announcing()
  let sent = 0
  let keep = (_: string) => {}
  const kept = new Promise<string>((resolve) => (keep = resolve))
  const announce = async () => {
    for (const { received } of listeners) received('{"heartbeat":"of another process"}')
    if (++sent === 2) keep('the first connection is still in use')
  }
  const { next } = await followed(
    { ...store, announcements: { ...store.announcements!, announce } },
    { heartbeat: 50 },
  )
  expect(await Promise.race([next(), kept])).toEqual({ type: 'interrupted' })
})

it('gives up a connection that is not made in time, and closes it when it comes late', async () => {
  const { store } = announcing()
  const { listen } = store.announcements!
  let arrive = () => {}
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    const late = new Promise<void>((come) => (arrive = come))
    const slow = {
      ...store,
      announcements: {
        ...store.announcements!,
        listen: async (listener: Listener) => {
          await late
          const end = await listen(listener)
          return () => (end(), (isClosed = true), resolve())
        },
      },
    }
    void expect(followChanges(slow, () => {}, { heartbeat: 10 }))
      .rejects.toThrow('the database did not answer within 10 ms')
      .then(() => arrive())
  })
  await closed
  expect(isClosed).toBe(true)
})

it('ends by its function, by a signal, and while it is connecting again', async () => {
  const { store, listeners, wire } = announcing()
  const controller = new AbortController()
  const one = await followed(store)
  const other = await followed(store, { signal: controller.signal })
  const third = await followed(store)
  expect(listeners.size).toBe(3)
  one.end()
  controller.abort()
  wire.refusals = Infinity
  for (const { lost } of [...listeners]) lost()
  expect(await third.next()).toEqual({ type: 'interrupted' })
  third.end()
  await store.write('scope/1001/global', null, 1)
  expect([one.changes, other.changes, third.changes, listeners.size]).toEqual([[], [], [], 0])
  await expect(followChanges(store, () => {}, { signal: controller.signal })).rejects.toThrow('abort')
})

it('reports the error of a listener and goes on', async () => {
  const { store } = announcing()
  const errors: unknown[] = []
  const onListenerError = (error: unknown) => errors.push(error)
  const failing = () => {
    throw new Error('mine')
  }
  onTestFinished(await followChanges(store, failing, { onListenerError }))
  await store.write('scope/1001/global', null, 1)
  await store.write('scope/1002/global', null, 1)
  expect(errors.map(String)).toEqual(['Error: mine', 'Error: mine'])
})

it('refuses a store without announcements, a first connection that fails, and unknown options', async () => {
  await expect(followChanges(memoryStore(), () => {})).rejects.toThrow(
    new TypeError(
      'followChanges: this store announces nothing; give postgresStore or redisStore a channel: notify',
    ),
  )
  const { store, wire } = announcing()
  wire.refusals = 1
  await expect(followChanges(store, () => {})).rejects.toThrow('refused')
  await expect(followChanges(store, () => {}, { heartbeats: 1 } as never)).rejects.toThrow(
    'followChanges: unknown option "heartbeats"',
  )
})
