import { expect, it } from 'vitest'
import { CommandRegistry, memoryStore } from 'commandry'
import { Limits } from 'commandry/reference'
import type { Entry, Json, Store } from 'commandry'
import { attempt } from '../../support/attempt.ts'
import { several } from '../../support/bodies.ts'
import { handClock } from '../../support/clock.ts'
import { app, guild, here } from '../../support/fixtures.ts'
import { linearizable, type Operation } from '../../support/linearizability.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'
import { perform, scopeModel } from '../../support/scope-model.ts'
import type { Item, ScopeInput, ScopeOutput } from '../../support/scope-model.ts'

/** Expects a check of a race to fail for one of the interleavings. */
const expectFailure = <Value>(
  other: fc.Arbitrary<Value>,
  runs: number,
  check: (s: fc.Scheduler, value: Value) => Promise<void>,
) =>
  expect(fc.assert(fc.asyncProperty(fc.scheduler(), other, check), { numRuns: runs })).rejects.toThrow(
    /Property failed/,
  )

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

/** The calls of tasks by the id of the first command: that one is edited, deleted and permitted. */
type Calls = (id: string) => readonly ScopeInput[]

const slash = (name: string) => ({ type: 1, name, description: 'b' })
const upsert = (name: string): ScopeInput => ({ kind: 'upsert', item: slash(name) })
const overwrite = (items: readonly Item[]): ScopeInput => ({ kind: 'overwrite', items })
const rename = (id: string, name: string): ScopeInput => ({ kind: 'edit', id, name })
const permit = (id: string): ScopeInput => ({
  kind: 'permit',
  guild,
  id,
  entries: [{ id: '3001', type: 1, permission: true }],
})
const numbered = (count: number, from = 0) => several(count, (i) => slash(`s${from + i}`))

const kinds = ['upsert', 'upsert', 'edit', 'rename', 'delete', 'permit'] as const
const tasks: fc.Arbitrary<Calls> = fc
  .array(fc.constantFrom(...kinds), { minLength: 2, maxLength: 7 })
  .map((list) => (id) => {
    return list.map((kind, i): ScopeInput => {
      if (kind === 'upsert') return upsert(`new${i}`)
      if (kind === 'rename') return rename(id, `renamed${i}`)
      if (kind === 'permit') return permit(id)
      return kind === 'edit' ? { kind, id, description: `by ${i}` } : { kind, id }
    })
  })

const model = scopeModel(app, { commands: [], creates: 0, latest: '0', permissions: [] })

/**
 * Three registries make calls on one store at once, after those of `before`, and each call must take effect at one
 * moment between its start and its end. The store has the result of all of them in the end, also after those of `after`.
 */
async function race(
  s: fc.Scheduler,
  store: Store,
  before: readonly ScopeInput[],
  racing: Calls,
  after: Calls = () => [],
): Promise<void> {
  // Their id sources all propose the same ids, by one clock that stands still; the scope keeps them apart.
  const clock = handClock()
  const writers = [1, 2, 3].map(
    () => new CommandRegistry({ store: scheduled(store, s), clock, attempts: 1_000 }),
  )
  const alone = new CommandRegistry({ store, clock })
  const events: string[] = []
  for (const registry of [...writers, alone]) registry.subscribe(({ type }) => events.push(type))
  const history: Operation<ScopeInput, ScopeOutput>[] = []
  let time = 0
  async function call(registry: CommandRegistry, input: ScopeInput): Promise<void> {
    const start = ++time
    let output: ScopeOutput = {}
    const error = await attempt(async () => {
      output = await perform(registry, here, input)
    })
    if (error !== undefined) output = { error: error.code }
    history.push({ input, output, start, end: ++time })
  }

  for (const input of before) await call(alone, input)
  const id = history[0]!.output!.commands![0]![0]
  const done = Promise.all(racing(id).map((input, i) => call(writers[i % 3]!, input)))
  await s.waitFor(done)
  await done
  for (const input of after(id)) await call(alone, input)
  for (const kind of ['list', 'permissions'] as const) await call(alone, { kind })
  expect(history.map(({ output }) => output?.error)).not.toContain('busy')
  expect(linearizable(model, history)).toEqual({ linearizable: true })
  // Each written change was published once.
  const ended = history.filter(({ output }) => output?.error === undefined)
  if (ended.some(({ input }) => input.kind === 'overwrite')) return
  const count = (type: string) => events.filter((event) => event === type).length
  expect(count('command_created')).toBe(ended.filter(({ output }) => output?.created).length)
  expect(count('command_deleted')).toBe(ended.filter(({ input }) => input.kind === 'delete').length)
}

const seed = [upsert('seed')]

it('[4.1-07] [2.9-09] registries racing on one store lose no acknowledged change in any interleaving', async () => {
  await forAnyAsync([fc.scheduler(), tasks], 300, (s, calls) => race(s, memoryStore(), seed, calls))
})

it('registries racing on one store lose changes when the store does not check revisions', async () => {
  await expectFailure(tasks, 300, (s, calls) => race(s, careless(), seed, calls))
})

it('[8-01] registries racing on one store keep the limits of types', async () => {
  const menu = (i: number) => ({ type: 2, name: `Menu ${i}`, description: '' })
  // Two places are left.
  const filled = [overwrite(several(Limits.USER_COMMANDS - 2, menu))]
  const creates = fc.integer({ min: 3, max: 5 }).map((count): Calls => {
    return () => several(count, (i) => ({ kind: 'upsert', item: menu(100 + i) }))
  })
  await forAnyAsync([fc.scheduler(), creates], 100, (s, calls) => race(s, memoryStore(), filled, calls))
  await expectFailure(creates, 100, (s, calls) => race(s, careless(), filled, calls))
})

it('[8-02] registries racing on one store keep the limit of the day', async () => {
  const used = [overwrite(numbered(100)), overwrite(numbered(99, 100))]
  const racing = [200, 201, 202].map((from) => overwrite(numbered(1, from)))
  await forAnyAsync([fc.scheduler()], 50, (s) => race(s, memoryStore(), used, () => racing))
})

it('[4.1-07] registries racing on one store show an overwrite completely or not at all', async () => {
  const racing: readonly ScopeInput[] = [
    overwrite(numbered(2, 3)),
    ...several(5, () => ({ kind: 'list' as const })),
  ]
  await forAnyAsync([fc.scheduler()], 50, (s) =>
    race(s, memoryStore(), [overwrite(numbered(3))], () => racing),
  )
})

it('[2.9-09] registries racing on one store never restore a permission that was set during a rename', async () => {
  const racing: Calls = (id) => [permit(id), rename(id, 'renamed')]
  await forAnyAsync([fc.scheduler()], 100, (s) =>
    race(s, memoryStore(), seed, racing, (id) => [rename(id, 'seed')]),
  )
})
