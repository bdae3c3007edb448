/** Applications that come and go leave nothing behind, in each database. */
import { describe, expect } from 'vitest'
import { CommandRegistry, globalScope } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { guild } from '../support/fixtures.ts'
import { expectAnswersAtBoth, expectOneAnswer } from '../support/two-handlers.ts'
import { openPlace } from './place.ts'
import { grounds, testWith } from './servers.ts'

/** More documents than three pages of any database have. */
const APPLICATIONS = 2_000

for (const { name, missing, place } of grounds)
  describe(name, () => {
    testWith(
      missing,
      `has no document after ${APPLICATIONS} applications were created and removed`,
      async () => {
        const { store, close } = await openPlace(place())
        try {
          const registry = new CommandRegistry({ store })
          const fill = async (id: string) => {
            const { command } = await registry.upsert(globalScope(id), { name: 'one', description: 'b' })
            await registry.setPermissions(id, guild, command.id, [{ id: '5', type: 1, permission: true }])
          }
          const ids = Array.from({ length: APPLICATIONS }, (_, i) => String(i + 1))
          for (let i = 0; i < ids.length; i += 50) await Promise.all(ids.slice(i, i + 50).map(fill))
          const found: string[] = []
          for await (const id of registry.applications()) found.push(id)
          let removed = 0
          for (let i = 0; i < found.length; i += 50) {
            const some = found.slice(i, i + 50).map((id) => registry.deleteApplication(id))
            for (const count of await Promise.all(some)) removed += count
          }
          expect(removed).toBe(2 * APPLICATIONS)
          const left: string[] = []
          for await (const key of store.keys('')) left.push(key)
          expect(left).toEqual([])
        } finally {
          await close()
        }
      },
    )

    testWith(missing, 'serves the answers to interactions at two handlers', async () => {
      const where = place()
      const opened = [await openPlace(where), await openPlace(where)]
      try {
        const stores = opened.map(({ store }) => store)
        await expectAnswersAtBoth(stores)
        await expectOneAnswer(stores, 10)
      } finally {
        for (const { close } of opened) await close()
      }
    })

    testWith(missing, 'counts the requests of two handlers together', async () => {
      const where = place()
      const opened = [await openPlace(where), await openPlace(where)]
      try {
        const handlers = opened.map(({ store }) =>
          createHandler({
            registry: new CommandRegistry({ store }),
            authenticate: openAccess(),
            rateLimit: { limit: 20, seconds: 3600, store },
          }),
        )
        const path = 'http://service.test/api/v10/applications/1001/commands'
        const send = async (_: unknown, i: number) =>
          (await handlers[i % 2]!(new Request(path, { headers: { authorization: 'Bot a' } }))).status
        const statuses = await Promise.all(Array.from({ length: 60 }, send))
        expect(statuses.filter((status) => status === 200)).toHaveLength(20)
        expect(statuses.filter((status) => status === 429)).toHaveLength(40)
      } finally {
        for (const { close } of opened) await close()
      }
    })
  })
