/** The contest of the registry in memory. The floor is JSON itself. */
import { parsing, type Contest, type ContestRow } from './contest.ts'
import { app } from './payloads.ts'

const overwrite: Contest = {
  parse: parsing(app()),
  commandry: async () => {
    const { CommandRegistry, globalScope } = await import('commandry')
    const registry = new CommandRegistry()
    // As they come from the wire.
    const bodies = JSON.parse(JSON.stringify(app())) as object[]
    const sets = [bodies, bodies.map((body) => ({ ...body, nsfw: true }))]
    return (turn) => registry.overwrite(globalScope('1001'), sets[turn & 1])
  },
}

export const registryRows: readonly ContestRow[] = [
  { figure: '`overwrite` of 130', goal: 3.5, contest: () => overwrite },
]
