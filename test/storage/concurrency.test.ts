import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { app, guild } from '../support/fixtures.ts'
import { linearizable, register } from '../support/linearizability.ts'
import type { RegisterInput, RegisterOutput } from '../support/linearizability.ts'
import { scopeModel, type ScopeInput, type ScopeOutput } from '../support/scope-model.ts'
import { hammer, met, PROCESSES, useCreates } from './hammer.ts'
import { begin, bench, buildProgram, type Program } from './processes.ts'
import { proxyTo } from './proxy.ts'
import { grounds, missing, ownName, testWith } from './servers.ts'

// The maximum number of rounds until enough operations overlap.
const ROUNDS = 10

let program: Program
beforeAll(async () => {
  program = await buildProgram('test/storage/writer.ts')
})
afterAll(() => program.remove())

for (const { name, missing, place } of grounds)
  describe(`${name}: ${PROCESSES} processes`, () => {
    testWith(missing, 'behaves, for every document, as one register with compare-and-set', async () => {
      // Documents with refused writes, which shows that writers met.
      const contended = new Set<string>()
      for (let round = 0; round < ROUNDS && contended.size < 2; round++) {
        const keys = ['a', 'b']
        const task = { work: 'register', moves: 400, keys } as const
        const all = await hammer<RegisterInput, RegisterOutput>(program, place(), task, round)
        for (const key of keys) {
          const one = all.filter((operation) => operation.key === key)
          expect(linearizable(register, one)).toEqual({ linearizable: true })
          if (one.some(({ output }) => output?.kind === 'refused')) contended.add(key)
          const given = one.flatMap(({ output }) => (output?.kind === 'written' ? [output.revision] : []))
          expect(new Set(given).size).toBe(given.length)
        }
      }
      expect(contended.size).toBe(2)
    })

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
          const all = await hammer<ScopeInput, ScopeOutput>(program, shared, task, round)
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
    )
  })

testWith(missing('REDIS_URL'), 'a process ends although its last call was cut off', async () => {
  const proxy = await proxyTo(process.env['REDIS_URL']!)
  const processes = bench(program)
  onTestFinished(processes.close)
  const place = { kind: 'redis', url: proxy.url, prefix: `${ownName()}:`, driver: 'redis' } as const
  const task = { work: 'register', moves: 1, keys: ['a'], goesOn: true, seed: 1, app, guild } as const
  const one = processes.start({ ...task, place, now: 0, origin: '0' })
  await one.ready
  proxy.cutNextRequest()
  await begin([one])
  expect(await one.ended).toBeNull()
  expect(one.lines()).toMatchObject([{ n: 1 }, { n: 1, failed: {} }])
})
