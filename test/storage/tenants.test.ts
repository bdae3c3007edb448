/** Applications that come and go leave nothing behind, in each database. */
import { describe, expect } from 'vitest'
import { CommandRegistry, globalScope } from 'commandry'
import { guild } from '../support/fixtures.ts'
import { openPlace } from './place.ts'
import { grounds, testWith } from './servers.ts'

const APPLICATIONS = 1000
const PATIENCE = 600_000

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
          let removed = 0
          for await (const id of registry.applications()) removed += await registry.deleteApplication(id)
          expect(removed).toBe(2 * APPLICATIONS)
          const left: string[] = []
          for await (const key of store.keys('')) left.push(key)
          expect(left).toEqual([])
        } finally {
          await close()
        }
      },
      PATIENCE,
    )
  })
