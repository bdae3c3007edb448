/** `commandry export`: an application from a store to a file. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDirectory } from '../../../commands/registry/directory.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import type { ApplicationSnapshot } from '../../../commands/registry/read-snapshot.ts'
import { command, id, onlyArgument, option, required } from '../cli-command.ts'
import { CommandError, describeError } from '../errors.ts'
import { withProgress } from '../io.ts'
import { openStore, storeForms } from '../stores.ts'

export default command({
  help: [
    `Examples
  commandry export 100100100100100101 --store sqlite:commands.db --out app.json

commandry export APPLICATION --store STORE

Writes the data of an application in a store as JSON, for "commandry import": commands, versions, the day's creates
and permissions. Exits with 1 if the store has no data of the application.`,
  ],
  options: {
    store: option('STORE', `where the commands are kept: ${storeForms}`),
    out: option('FILE', 'where to write it (the terminal)'),
  },
  async run(io, { store: where, out }, args) {
    const applicationId = id(onlyArgument(args, 'APPLICATION is required'))
    const { store, close } = await openStore(io, required(where, '--store is required'), 'read')
    try {
      const registry = new CommandRegistry({ store, applications: openDirectory })
      const reading = registry.snapshot(applicationId)
      const snapshot = await withProgress(io, () => `reading ${applicationId}`, reading)
      if (snapshot.scopes.length === 0 && snapshot.permissions.length === 0)
        throw new Error(`the store has no data of application ${applicationId}`)
      const text = snapshotText(snapshot)
      if (out === undefined) await pipeline(text, io.stdout, { end: false })
      else await writeFile(resolve(io.cwd, out), text)
      return 0
    } catch (error) {
      throw new CommandError(describeError(error))
    } finally {
      await close()
    }
  },
})

/**
 * The JSON of a snapshot and a line end, in pieces: a large application does not fit in one string. The layout is that
 * of `JSON.stringify(snapshot, null, 2)`.
 */
export function* snapshotText(snapshot: ApplicationSnapshot): Generator<string> {
  let opening = '{'
  for (const [name, value] of Object.entries(snapshot) as [string, string | number | readonly object[]][]) {
    yield `${opening}\n  ${JSON.stringify(name)}: `
    if (typeof value === 'object') yield* listText(value)
    else yield JSON.stringify(value)
    opening = ','
  }
  yield '\n}\n'
}

function* listText(items: readonly object[]): Generator<string> {
  let opening = '['
  for (const item of items) {
    yield `${opening}\n    ${JSON.stringify(item, null, 2).replaceAll('\n', '\n    ')}`
    opening = ','
  }
  yield items.length === 0 ? '[]' : '\n  ]'
}
