import { afterAll, beforeAll, describe, expect } from 'vitest'
import { CommandRegistry, snowflakes, type Clock } from 'commandry'
import { linearizable, register } from '../support/linearizability.ts'
import type { RegisterInput, RegisterOutput } from '../support/linearizability.ts'
import { scopeModel, type ScopeInput, type ScopeOutput } from '../support/scope-model.ts'
import { openPlace, type Place } from './place.ts'
import { begin, bench, buildProgram, history, type Program, type Recorded, type Task } from './processes.ts'
import { grounds, testWith } from './servers.ts'
import { app, guild, here as scope } from '../support/fixtures.ts'

const PROCESSES = 4
// The maximum number of rounds until enough operations overlap.
const ROUNDS = 10
const PATIENCE = 600_000
// Midday, so that no day ends while the processes run.
const now = Date.UTC(2026, 0, 1, 12)

let program: Program
beforeAll(async () => {
  program = await buildProgram('test/storage/writer.ts')
})
afterAll(() => program.remove())

/** Runs several processes on one place and returns all their operations. */
async function hammer<Input, Output>(
  place: Place,
  task: Pick<Task, 'work' | 'moves' | 'keys'>,
  round: number,
): Promise<Recorded<Input, Output>[]> {
  const processes = bench(program)
  try {
    const origin = String(process.hrtime.bigint())
    const started = Array.from({ length: PROCESSES }, (_, i) =>
      processes.start({ ...task, place, seed: round * PROCESSES + i + 1, app, guild, now, origin }),
    )
    await begin(started)
    expect(await Promise.all(started.map(({ ended }) => ended))).toEqual(started.map(() => null))
    return started.flatMap(({ lines }) => history<Input, Output>(lines()))
  } finally {
    await processes.close()
  }
}

for (const { name, missing, place } of grounds)
  describe(`${name}: ${PROCESSES} processes`, () => {
    testWith(
      missing,
      'behaves, for every document, as one register with compare-and-set',
      async () => {
        // Documents with refused writes, which shows that writers met.
        const contended = new Set<string>()
        for (let round = 0; round < ROUNDS && contended.size < 2; round++) {
          const keys = ['a', 'b']
          const task = { work: 'register', moves: 400, keys } as const
          const all = await hammer<RegisterInput, RegisterOutput>(place(), task, round)
          for (const key of keys) {
            const one = all.filter((operation) => operation.key === key)
            expect(linearizable(register, one)).toEqual({ linearizable: true })
            if (one.some(({ output }) => output?.kind === 'refused')) contended.add(key)
            const given = one.flatMap(({ output }) => (output?.kind === 'written' ? [output.revision] : []))
            expect(new Set(given).size).toBe(given.length)
          }
        }
        expect(contended.size).toBe(2)
      },
      PATIENCE,
    )

    testWith(
      missing,
      '[8-01] [8-02] [2.9-09] [4.2-07] behaves, for a scope and its permissions, as if operations were sequential',
      async () => {
        let meetings = 0
        for (let round = 0; round < ROUNDS && meetings <= 50; round++) {
          const shared = place()
          const used = 120
          const latest = await useCreates(shared, used)
          const task = { work: 'scope', moves: 250, keys: [] } as const
          const all = await hammer<ScopeInput, ScopeOutput>(shared, task, round)
          const model = scopeModel(app, { commands: [], creates: used, latest, permissions: [] })
          meetings += met(all)
          expect(linearizable(model, all)).toEqual({ linearizable: true })

          // Which limits are reached depends on timing; that some are reached does not.
          const errors = all.map(({ output }) => output?.error)
          expect(new Set(errors).size).toBeGreaterThan(2)
          expect(errors.filter((error) => error === 'busy').length).toBeLessThan(all.length / 10)
        }
        expect(meetings).toBeGreaterThan(50)
      },
      PATIENCE,
    )
  })

/** How many operations began during another one. */
function met(all: readonly Recorded<unknown, unknown>[]): number {
  const sorted = [...all].sort((a, b) => a.start - b.start)
  let until = -Infinity
  return sorted.filter(({ start, end }) => {
    const overlaps = start < until
    until = Math.max(until, end)
    return overlaps
  }).length
}

/** Uses up some of the day's creates. */
async function useCreates(place: Place, count: number): Promise<string> {
  const clock: Clock = { now: () => now }
  const { store, close } = await openPlace(place)
  const registry = new CommandRegistry({ store, clock, ids: snowflakes({ clock }) })
  let latest = '0'
  for (let left = count; left > 0; left -= 60) {
    const bodies = Array.from({ length: Math.min(60, left) }, (_, i) => ({ name: `x${i}`, description: 'b' }))
    latest = (await registry.overwrite(scope, bodies)).at(-1)!.version
    await registry.overwrite(scope, [])
  }
  await close()
  return latest
}
