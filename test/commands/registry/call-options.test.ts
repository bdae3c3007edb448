import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  applicationDirectory,
  CommandRegistry,
  followChanges,
  globalScope,
  memoryStore,
  type RegistryEvent,
} from 'commandry'
import { app, guild } from '../../support/fixtures.ts'
import { attempt } from '../../support/attempt.ts'
import { describeOptions } from '../../support/options-case.ts'
import { turn } from '../../support/waiting.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

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
    await turn()
    controller.abort(reason)
    const reasons = async (all: Promise<unknown>[]) =>
      (await Promise.allSettled(all)).map((one) => one.status === 'rejected' && one.reason)
    expect(await reasons(waiting)).toEqual(waiting.map(() => reason))
    expect(await reasons(calls(AbortSignal.abort(reason)))).toEqual(waiting.map(() => reason))
  })

  it('leaves a write that is under way in doubt', async () => {
    const controller = new AbortController()
    const writing = silent('write').upsert(scope, body, { signal: controller.signal })
    void turn().then(() => controller.abort(reason))
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
    await turn()
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

const registry = new CommandRegistry()
const viewer = { applicationId: app, locale: 'de', user: { id: '5' } } as const
const snapshot = { format: 1, application_id: app, scopes: [], permissions: [] }
const ofCall = { signal: [null, 5, {}] }
const ofWrite = { ...ofCall, by: [null, 'me', { userId: 5 }] }

const reads: readonly (readonly [string, (given: any) => unknown])[] = [
  ['ready', (given) => registry.ready(given)],
  ['get', (given) => registry.get(scope, '1', given)],
  ['pickerSource', (given) => registry.pickerSource(viewer, given)],
  ['plan', (given) => registry.plan(scope, [], given)],
  ['listPermissions', (given) => registry.listPermissions(app, guild, given)],
  ['getPermissions', (given) => registry.getPermissions(app, guild, app, given)],
  ['snapshot', (given) => registry.snapshot(app, given)],
  ['applications', (given) => registry.applications(given).next()],
  ['sweep', (given) => registry.sweep(app, given)],
  ['fork', (given) => registry.fork(given)],
  ['subscribe', (given) => registry.subscribe(() => {}, given)],
]

const writes: readonly (readonly [string, (given: any) => unknown])[] = [
  ['upsert', (given) => registry.upsert(scope, body, given)],
  ['edit', (given) => registry.edit(scope, '1', {}, given)],
  ['delete', (given) => registry.delete(scope, '1', given)],
  ['overwrite', (given) => registry.overwrite(scope, [], given)],
  ['enableActivities', (given) => registry.enableActivities(app, given)],
  ['restore', (given) => registry.restore(snapshot, given)],
  ['deleteApplication', (given) => registry.deleteApplication(app, given)],
  ['deleteGuild', (given) => registry.deleteGuild(app, guild, given)],
]

describeOptions([
  ...reads.map(([name, call]) => [name, '', ofCall, call] as const),
  ...writes.map(([name, call]) => [name, '', ofWrite, call] as const),
  ['list', '', { ...ofCall, locale: [5, 'xx'] }, (given) => registry.list(scope, given)],
  [
    'snapshotText',
    '',
    { ...ofCall, space: [1, '2', null] },
    (given) => collect(registry.snapshotText(app, given)),
  ],
  [
    'setPermissions',
    '',
    { ...ofWrite, manager: [null, 5, undefined] },
    (given) => registry.setPermissions(app, guild, app, [], given),
  ],
  [
    'followChanges',
    '',
    { ...ofCall, heartbeat: [0, -1, '5', null], onListenerError: [5, null] },
    (given) => followChanges(memoryStore(), () => {}, given),
  ],
])
