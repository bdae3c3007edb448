import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CommandRegistry, Limits, memoryStore } from 'commandry'
import type { Entry, Json, RegistryEvent, Store } from 'commandry'
import { attempt, codeOf } from '../support/attempt.ts'
import { handClock } from '../support/clock.ts'
import { app, everywhere as scope, guild, here } from '../support/fixtures.ts'
import { allow, menus, slashes } from './bodies.ts'
import { forAnyAsync } from '../support/properties.ts'

/** Expects a check of a race to fail for one of the interleavings. */
const expectFailure = <Value>(
  other: fc.Arbitrary<Value>,
  runs: number,
  check: (s: fc.Scheduler, value: Value) => Promise<void>,
) =>
  expect(
    fc.assert(fc.asyncProperty(fc.scheduler(), other, check), { numRuns: runs, seed: 1 }),
  ).rejects.toThrow(/Property failed/)

/** A store whose reads and writes run in the order that the scheduler chooses. */
function scheduled(store: Store, s: fc.Scheduler): Store {
  return {
    read: async (keys) => {
      await s.schedule(Promise.resolve('before a read'))
      return store.read(keys)
    },
    write: async (...call) => {
      await s.schedule(Promise.resolve('before a write'))
      const written = await store.write(...call)
      await s.schedule(Promise.resolve('after a write'))
      return written
    },
    keys: (prefix) => store.keys(prefix),
  }
}

/** A store that does not check revisions. */
function careless(): Store {
  const documents = new Map<string, Entry>()
  let writes = 0
  return {
    read: async (keys) => keys.map((key) => documents.get(key)),
    write: async (key, _expected, value: Json | undefined) => {
      const revision = String(++writes)
      if (value === undefined) documents.delete(key)
      else documents.set(key, { value, revision })
      return { ok: true, revision }
    },
    keys: async function* () {
      yield* documents.keys()
    },
  }
}

interface Task {
  readonly writer: number
  readonly kind: 'upsert' | 'edit' | 'delete' | 'permit'
  readonly name: string
}

const tasks = fc.array(
  fc.record({
    writer: fc.nat(2),
    kind: fc.constantFrom<Task['kind'][]>('upsert', 'upsert', 'edit', 'delete', 'permit'),
    name: fc.constantFrom('a', 'b', 'c'),
  }),
  { minLength: 2, maxLength: 7 },
)

/** Three registries work on one store concurrently; every acknowledged change must be stored in the end. */
async function race(s: fc.Scheduler, store: Store, list: readonly Task[]): Promise<void> {
  const clock = handClock()
  const writers = [1, 2, 3].map(
    () => new CommandRegistry({ store: scheduled(store, s), clock, attempts: 1_000 }),
  )
  const events: RegistryEvent[] = []
  for (const writer of writers) writer.subscribe((event) => events.push(event))
  const reader = new CommandRegistry({ store, clock })
  const { command: seed } = await reader.upsert(scope, { name: 'seed', description: 'b' })

  const done = Promise.all(
    list.map(async ({ writer, kind, name }, i) => {
      const registry = writers[writer]!
      const error = await attempt(async () => {
        if (kind === 'upsert') await registry.upsert(scope, { name: `${name}${i}`, description: 'b' })
        else if (kind === 'edit')
          await registry.edit(scope, seed.id, { [i % 2 ? 'nsfw' : 'description']: i % 2 ? true : `by ${i}` })
        else if (kind === 'delete') await registry.delete(scope, seed.id)
        else await registry.setPermissions(app, guild, seed.id, allow)
      })
      return { kind, name: `${name}${i}`, code: error?.code }
    }),
  )
  await s.waitFor(done)
  const outcomes = await done
  const commands = await reader.list(scope)

  for (const { kind, name, code } of outcomes) {
    expect([undefined, 'unknown_command']).toContain(code)
    if (kind === 'upsert') expect(commands.map((command) => command.name)).toContain(name)
  }
  const deletes = outcomes.filter(({ kind }) => kind === 'delete')
  expect(deletes.filter(({ code }) => code === undefined)).toHaveLength(deletes.length > 0 ? 1 : 0)
  const kept = commands.find(({ id }) => id === seed.id)
  expect(kept === undefined).toBe(deletes.length > 0)
  const edits = outcomes.filter(({ kind, code }) => kind === 'edit' && code === undefined)
  if (kept !== undefined && edits.length > 0) {
    // Every acknowledged edit took effect: the last one of each field.
    if (list.some(({ kind }, i) => kind === 'edit' && i % 2 === 1)) expect(kept.nsfw).toBe(true)
    if (list.some(({ kind }, i) => kind === 'edit' && i % 2 === 0))
      expect(kept.description).toMatch(/^by \d$/)
  }
  // A permission set while its command was deleted does not outlive it.
  const permissions = await reader.listPermissions(app, guild)
  const permitted = outcomes.some(({ kind, code }) => kind === 'permit' && code === undefined)
  expect(permissions).toHaveLength(kept !== undefined && permitted ? 1 : 0)
  // The writers' id sources all propose the same ids, by one clock that stands still; the scope keeps them apart.
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
  // Each written change was published once.
  const published = events.filter(({ type }) => type === 'command_created')
  expect(published).toHaveLength(outcomes.filter(({ kind }) => kind === 'upsert').length)
  expect(events.filter(({ type }) => type === 'command_deleted')).toHaveLength(deletes.length > 0 ? 1 : 0)
}

it('[4.1-07] [2.9-09] registries racing on one store lose no acknowledged change in any interleaving', async () => {
  await forAnyAsync([fc.scheduler(), tasks], 300, async (s, list) => race(s, memoryStore(), list))
})

it('registries racing on one store lose changes when the store does not check revisions', async () => {
  await expectFailure(tasks, 300, (s, list) => race(s, careless(), list))
})

/** Fills a scope until two places are left, then has several registries create at once. */
async function crowd(s: fc.Scheduler, store: Store, count: number): Promise<void> {
  const clock = handClock()
  const reader = new CommandRegistry({ store, clock })
  await reader.overwrite(scope, menus(2, Limits.USER_COMMANDS - 2))
  const done = Promise.all(
    Array.from({ length: count }, (_, i) => {
      const registry = new CommandRegistry({ store: scheduled(store, s), clock, attempts: 1_000 })
      return codeOf(() => registry.upsert(scope, { type: 2, name: `New ${i}` }))
    }),
  )
  await s.waitFor(done)
  expect((await done).filter((code) => code === undefined)).toHaveLength(2)
  expect(await reader.list(scope)).toHaveLength(Limits.USER_COMMANDS)
}

it('[8-01] registries racing on one store keep the limits of types', async () => {
  const counts = fc.integer({ min: 3, max: 5 })
  await forAnyAsync([fc.scheduler(), counts], 100, (s, count) => crowd(s, memoryStore(), count))
  await expectFailure(counts, 100, (s, count) => crowd(s, careless(), count))
})

it('[8-02] registries racing on one store keep the limit of the day', async () => {
  await forAnyAsync([fc.scheduler()], 50, async (s) => {
    const store = memoryStore()
    const clock = handClock()
    const reader = new CommandRegistry({ store, clock })
    await reader.overwrite(scope, slashes(100))
    await reader.overwrite(scope, slashes(99, 100))
    const racers = [200, 201, 202].map((from) => {
      const registry = new CommandRegistry({ store: scheduled(store, s), clock, attempts: 1_000 })
      return codeOf(() => registry.overwrite(scope, slashes(1, from)))
    })
    const done = Promise.all(racers)
    await s.waitFor(done)
    const codes = await done
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'daily_creates_exhausted')).toHaveLength(2)
    expect(await reader.list(scope)).toHaveLength(1)
  })
})

it('[4.1-07] registries racing on one store show an overwrite completely or not at all', async () => {
  await forAnyAsync([fc.scheduler()], 50, async (s) => {
    const store = memoryStore()
    const clock = handClock()
    const old = [1, 2, 3].map((i) => ({ name: `old${i}`, description: 'b' }))
    const young = [1, 2].map((i) => ({ name: `new${i}`, description: 'b' }))
    await new CommandRegistry({ store, clock }).overwrite(scope, old)
    const slow = new CommandRegistry({ store: scheduled(store, s), clock })
    const seen: string[] = []
    const reading = (async () => {
      for (let i = 0; i < 5; i++) seen.push((await slow.list(scope)).map(({ name }) => name).join())
    })()
    const writing = new CommandRegistry({ store: scheduled(store, s), clock }).overwrite(scope, young)
    await s.waitFor(Promise.all([reading, writing]))
    for (const names of seen) expect(['old1,old2,old3', 'new1,new2']).toContain(names)
  })
})

it('[2.9-09] registries racing on one store never restore a permission that was set during a rename', async () => {
  await forAnyAsync([fc.scheduler()], 100, async (s) => {
    const store = memoryStore()
    const clock = handClock()
    const reader = new CommandRegistry({ store, clock })
    const { command } = await reader.upsert(here, { name: 'a', description: 'b' })
    const one = new CommandRegistry({ store: scheduled(store, s), clock })
    const two = new CommandRegistry({ store: scheduled(store, s), clock })
    const done = Promise.all([
      two.setPermissions(app, guild, command.id, allow),
      one.edit(here, command.id, { name: 'renamed' }),
    ])
    await s.waitFor(done)
    await done
    // It was written for a name that the command no longer has.
    await reader.edit(here, command.id, { name: 'a' })
    expect(await reader.listPermissions(app, guild)).toEqual([])
  })
})
