import { expect, it } from 'vitest'
import { CommandRegistry } from 'commandry'
import { ChatClient } from 'commandry/interactions'
import { handClock } from '../../support/clock.ts'
import { app, everywhere } from '../../support/fixtures.ts'
import { code } from './person.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'

const name = fc.constantFrom('a', 'b', 'c')
const move = fc.oneof(
  fc.record({ kind: fc.constant('upsert' as const), name, description: fc.constantFrom('x', 'y', 'z') }),
  fc.record({ kind: fc.constant('rename' as const), name, to: name }),
  fc.record({ kind: fc.constant('delete' as const), name }),
  fc.record({ kind: fc.constant('refresh' as const) }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('use' as const), name }) },
)

it('[2.11-06] [9-02] any sequence of changes never makes a client stale twice in a row when it reloads', async () => {
  await forAnyAsync([fc.array(move, { maxLength: 30 })], 150, async (moves) => {
    const registry = new CommandRegistry({ clock: handClock() })
    const client = new ChatClient(registry, { applicationId: app, locale: 'de', user: { id: '3001' } })
    // The version of each command that the user last saw, by id, and whether it is current.
    const seen = new Map<string, string>()
    const look = () => {
      seen.clear()
      for (const { id, version } of client.commands) seen.set(id, version)
    }
    await client.refresh()
    for (const step of moves) {
      const commands = await registry.list(everywhere)
      const found = 'name' in step ? commands.find((command) => command.name === step.name) : undefined
      if (step.kind === 'upsert') {
        await registry.upsert(everywhere, { name: step.name, description: step.description })
      } else if (step.kind === 'rename') {
        if (found && !commands.some((command) => command.name === step.to)) {
          await registry.edit(everywhere, found.id, { name: step.to })
        }
      } else if (step.kind === 'delete') {
        if (found) await registry.delete(everywhere, found.id)
      } else if (step.kind === 'refresh') {
        await client.refresh()
      } else {
        look()
        const copy = client.commands.find((command) => command.name === step.name)
        const current = commands.find(({ id }) => id === copy?.id)
        const known = current?.version === copy?.version ? 'used' : 'stale_command'
        const expected = current === undefined ? 'unknown_command' : known
        expect(await outcome(client, step.name)).toBe(expected)
        // After the reload the call uses this command or another of its name, or the command is unknown.
        if (expected === 'stale_command') {
          const renamed = client.commands.find(({ id }) => id === copy!.id)!
          expect(renamed).toEqual(current)
          expect(await outcome(client, renamed.name)).not.toBe('stale_command')
        }
      }
    }
  })
})

async function outcome(client: ChatClient, path: string): Promise<string> {
  return (await code(client.invoke(path))) ?? 'used'
}
