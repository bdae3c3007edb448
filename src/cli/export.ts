import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { isSnowflake } from '../core/snowflake.ts'
import { openDirectory } from '../registry/directory.ts'
import { CommandRegistry } from '../registry/registry.ts'
import type { ApplicationSnapshot } from '../registry/snapshot.ts'
import { readArguments, UsageError, type ExitCode } from './arguments.ts'
import { told } from './drivers.ts'
import { openStore, storeForms } from './stores.ts'

export const exportUsage = `commandry export APPLICATION --store STORE

Writes all that a store holds of an application as JSON, for "commandry import": commands, versions, the day's
creates and permissions. Where it holds nothing, it says so and exits with 1.

  --store STORE    where the commands are kept: ${storeForms}
  --out FILE       where to write it (the terminal)`

export async function exportCommand(argv: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, { store: { type: 'string' }, out: { type: 'string' } })
  const [applicationId, surplus] = positionals
  if (applicationId === undefined) throw new UsageError('name the application to export')
  if (surplus !== undefined) throw new UsageError(`takes no "${surplus}"`)
  if (!isSnowflake(applicationId)) throw new UsageError(`"${applicationId}" is no id of an application`)
  if (values.store === undefined) throw new UsageError('name the --store to export from')
  const { store, close } = await openStore(values.store, 'look')
  try {
    const registry = new CommandRegistry({ store, applications: openDirectory })
    const snapshot = await registry.snapshot(applicationId)
    if (snapshot.scopes.length === 0 && snapshot.permissions.length === 0)
      throw new Error(`the store holds nothing of the application ${applicationId}`)
    const text = snapshotText(snapshot)
    if (values.out === undefined) await pipeline(text, process.stdout, { end: false })
    else await writeFile(values.out, text)
    return 0
  } catch (error) {
    console.error(`commandry export: ${told(error)}`)
    return 1
  } finally {
    await close()
  }
}

/**
 * The JSON of a snapshot with a line end, as `JSON.stringify(snapshot, null, 2)` would lay it out, scope by scope:
 * one string cannot hold a large application.
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
