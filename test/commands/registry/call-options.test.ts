import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  applicationDirectory,
  CommandRegistry,
  globalScope,
  memoryStore,
  type RegistryEvent,
} from 'commandry'
import { app, guild } from '../../support/fixtures.ts'
import { collect } from '../../../src/core/batches.ts'
import { attempt } from '../../support/attempt.ts'

const scope = globalScope(app)
const body = { name: 'one', description: 'b' }

/** A registry whose store answers nothing from now on, in one of its functions. */
function silent(part: 'read' | 'write' | 'keys') {
  const never = () => new Promise<never>(() => {})
  const keys = { [Symbol.asyncIterator]: () => ({ next: never, return: never }) }
  const store = { ...memoryStore(), [part]: part === 'keys' ? () => keys : never }
  return new CommandRegistry({ store })
}

describe('the signal of a call', () => {
  const reason = new Error('too late')

  it('has no listener of a call that has ended', async () => {
    const registry = new CommandRegistry()
    const { signal } = new AbortController()
    await registry.upsert(scope, body, { signal })
    await registry.list(scope, { signal })
    await collect(registry.applications({ signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('ends a call that waits for the store, with its reason', async () => {
    const registry = silent('read')
    const calls = (signal: AbortSignal): Promise<unknown>[] => [
      registry.list(scope, { signal }),
      registry.list(scope, { signal, locale: 'de' }),
      registry.get(scope, '1', { signal }),
      registry.commandsFor({ applicationId: app, locale: 'de' } as never, { signal }),
      registry.upsert(scope, body, { signal }),
      registry.edit(scope, '1', body, { signal }),
      registry.delete(scope, '1', { signal }),
      registry.overwrite(scope, [body], { signal }),
      registry.plan(scope, [body], { signal }),
      registry.enableActivities(app, { signal }),
      registry.listPermissions(app, guild, { signal }),
      registry.getPermissions(app, guild, app, { signal }),
      registry.setPermissions(app, guild, app, [], { signal }),
      registry.deleteGuild(app, guild, { signal }),
      registry.restore(
        { format: 1, application_id: app, scopes: [], permissions: [] },
        { signal: undefined! },
      ),
    ]
    const controller = new AbortController()
    const waiting = calls(controller.signal).slice(0, -1)
    controller.abort(reason)
    for (const one of waiting) await expect(one).rejects.toBe(reason)
    for (const one of calls(AbortSignal.abort(reason)).slice(0, -1)) await expect(one).rejects.toBe(reason)
  })

  it('ends a call that waits for the keys of the store, with its reason', async () => {
    const registry = silent('keys')
    const snapshot = { format: 1, application_id: app, scopes: [], permissions: [] }
    const calls = (signal: AbortSignal): Promise<unknown>[] => [
      registry.applications({ signal }).next(),
      registry.snapshot(app, { signal }),
      collect(registry.snapshotText(app, { signal })),
      registry.restore(snapshot, { signal }),
      registry.deleteApplication(app, { signal }),
      registry.sweep(undefined, { signal }),
      registry.fork({ signal }),
    ]
    const controller = new AbortController()
    const waiting = calls(controller.signal)
    await new Promise((resolve) => setTimeout(resolve))
    controller.abort(reason)
    const reasons = async (all: Promise<unknown>[]) =>
      (await Promise.allSettled(all)).map((one) => one.status === 'rejected' && one.reason)
    expect(await reasons(waiting)).toEqual(waiting.map(() => reason))
    expect(await reasons(calls(AbortSignal.abort(reason)))).toEqual(waiting.map(() => reason))
  })

  it('leaves a write that is under way in doubt', async () => {
    const controller = new AbortController()
    const writing = silent('write').upsert(scope, body, { signal: controller.signal })
    setTimeout(() => controller.abort(reason))
    expect(await attempt(() => writing)).toMatchObject({
      code: 'storage',
      mayHaveHappened: true,
      cause: reason,
    })
  })

  it('ends a writer that waits for its turn, and the next one still has its turn', async () => {
    const store = memoryStore()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const slow = {
      ...store,
      write: async (...args: Parameters<typeof store.write>) => (await held, store.write(...args)),
    }
    const registry = new CommandRegistry({ store: slow })
    const controller = new AbortController()
    const first = registry.upsert(scope, body)
    const second = registry.upsert(scope, { ...body, name: 'two' }, { signal: controller.signal })
    const third = registry.upsert(scope, { ...body, name: 'three' })
    await new Promise((resolve) => setTimeout(resolve))
    controller.abort(reason)
    await expect(second).rejects.toBe(reason)
    release()
    await Promise.all([first, third])
    expect((await registry.list(scope)).map(({ name }) => name)).toEqual(['one', 'three'])
  })

  it('ends a subscription', async () => {
    const registry = new CommandRegistry()
    const events: RegistryEvent[] = []
    const controller = new AbortController()
    registry.subscribe((event) => events.push(event), { signal: controller.signal })
    registry.subscribe((event) => events.push(event), { signal: AbortSignal.abort() })
    await registry.upsert(scope, body)
    controller.abort()
    await registry.upsert(scope, { ...body, name: 'two' })
    expect(events).toHaveLength(1)
  })
})

describe('ready', () => {
  it('resolves once the store answers, for any directory of applications', async () => {
    const registry = new CommandRegistry({ applications: applicationDirectory([]) })
    await expect(registry.ready()).resolves.toBeUndefined()
  })

  it('rejects while the store fails, and with the reason of a signal while it does not answer', async () => {
    const failing = { ...memoryStore(), read: () => Promise.reject(new Error('down')) }
    await expect(new CommandRegistry({ store: failing }).ready()).rejects.toMatchObject({ code: 'storage' })
    const aborted = silent('read').ready({ signal: AbortSignal.abort('late') })
    await expect(aborted).rejects.toBe('late')
  })
})

it.each([
  ['list', (r: any) => r.list(scope, { signl: 1 }), 'list: unknown option "signl"; did you mean "signal"?'],
  ['get', (r: any) => r.get(scope, '1', { signal: 5 }), 'signal: expected an AbortSignal, got the number 5'],
  ['upsert', (r: any) => r.upsert(scope, body, { for: 1 }), 'upsert: unknown option "for"'],
  ['upsert', (r: any) => r.upsert(scope, body, { by: 'me' }), 'by: expected an object'],
  ['subscribe', async (r: any) => r.subscribe(() => {}, { once: true }), 'subscribe: unknown option "once"'],
  ['commandsFor', (r: any) => r.commandsFor({}, { explian: true }), 'commandsFor: unknown option "explian"'],
  ['sweep', (r: any) => r.sweep(app, { all: true }), 'sweep: unknown option "all"'],
])('the options of %s are checked', async (_, call, message) => {
  await expect(call(new CommandRegistry())).rejects.toThrow(message)
})
