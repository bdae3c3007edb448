import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { attempt } from '../support/attempt.ts'
import { here as scope } from '../support/fixtures.ts'
import { interrupted } from './checks.ts'
import { ANSWERED, killed, rounds, type Tally } from './killed-writers.ts'
import { openPlace, type Place } from './place.ts'
import { postgresPrograms, startPostgresServer } from './postgres-server.ts'
import { buildProgram, type Program } from './processes.ts'
import { proxyTo } from './proxy.ts'
import { grounds, serversRequired, testWith } from './servers.ts'
import { passed } from '../support/waiting.ts'

// Every kill needs a process; the night has hundreds.
const KILLS = Number(process.env['CRASH_ROUNDS'] ?? (serversRequired ? 30 : 12))
const RESTARTS = Math.ceil(KILLS / 15)

let program: Program
beforeAll(async () => {
  program = await buildProgram('test/storage/writer.ts')
})
afterAll(() => program.remove())

/** Expects that every round had answered calls, and that some calls were interrupted. */
function checkTally(tally: Tally, count: number): void {
  expect(tally.acknowledged).toBeGreaterThanOrEqual(count * ANSWERED)
  // A few can all come between two calls.
  if (count >= 10) expect(tally.done + tally.undone).toBeGreaterThan(0)
}

for (const { name, missing, place } of grounds) {
  if (name === 'Redis') continue
  testWith(
    missing,
    `[2.9-09] [4.1-07] ${name}: keeps acknowledged writes and no partial ones after each of ${KILLS} kills of a writer`,
    async () => checkTally(await rounds(program, place(), 1, KILLS, killed), KILLS),
  )
}

testWith(
  postgresPrograms() === undefined ? 'no PostgreSQL programs here' : undefined,
  `PostgreSQL: keeps acknowledged writes and no partial ones after each of ${RESTARTS} immediate stops of the server`,
  async () => {
    const server = await startPostgresServer()
    onTestFinished(server.stop)
    const place: Place = { kind: 'postgres', url: server.url, table: 'documents' }
    const tally = await rounds(program, place, 2, RESTARTS, async ({ child }, chance) => {
      await passed(chance * 150)
      await server.crash()
      await server.start()
      // A writer that was never interrupted reconnects and continues.
      child.kill('SIGKILL')
    })
    checkTally(tally, RESTARTS)
  },
)

for (const { name, missing, place } of grounds) {
  if (name === 'SQLite') continue
  testWith(
    missing,
    `${name}: reports a write as uncertain when the connection is cut before or after it`,
    async () => {
      const direct = place() as Extract<Place, { readonly kind: 'postgres' | 'redis' }>
      const proxy = await proxyTo(direct.url)
      // The other driver of Redis repeats a write itself.
      const { store, close } = await openPlace(
        direct.kind === 'redis'
          ? { ...direct, url: proxy.url, driver: 'redis' }
          : { ...direct, url: proxy.url },
      )
      const { registry, beforeNextWrite } = interrupted(store)
      await registry.upsert(scope, { name: 'first', description: 'b' })
      const before = await registry.list(scope)
      for (const [when, arrives] of [
        ['cutNextRequest', false],
        ['cutNextReply', true],
      ] as const) {
        const body = { name: when.toLowerCase(), description: 'b' }
        beforeNextWrite(() => proxy[when]())
        expect(await attempt(() => registry.upsert(scope, body))).toMatchObject({
          code: 'storage',
          mayHaveHappened: true,
        })
        const { created } = await registry.upsert(scope, body)
        expect(created).toBe(!arrives)
      }
      expect(await registry.list(scope)).toHaveLength(before.length + 2)
      await close()
    },
  )
}
