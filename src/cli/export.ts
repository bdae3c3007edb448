import { writeFile } from 'node:fs/promises'
import { isSnowflake } from '../core/snowflake.ts'
import { openDirectory } from '../registry/directory.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { readArguments, UsageError, type ExitCode } from './arguments.ts'
import { openStore, storeForms } from './stores.ts'

export const exportUsage = `commandry export APPLICATION --store STORE

Writes all that a store holds of an application as JSON, for "commandry import": commands, versions, the day's
creates and permissions.

  --store STORE    where the commands are kept: ${storeForms}
  --out FILE       where to write it (the terminal)`

export async function exportCommand(argv: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, { store: { type: 'string' }, out: { type: 'string' } })
  const [applicationId, surplus] = positionals
  if (applicationId === undefined) throw new UsageError('name the application to export')
  if (surplus !== undefined) throw new UsageError(`takes no "${surplus}"`)
  if (!isSnowflake(applicationId)) throw new UsageError(`"${applicationId}" is no id of an application`)
  if (values.store === undefined) throw new UsageError('name the --store to export from')
  const { store, close } = await openStore(values.store)
  try {
    const registry = new CommandRegistry({ store, applications: openDirectory })
    const text = `${JSON.stringify(await registry.snapshot(applicationId), null, 2)}\n`
    if (values.out === undefined) process.stdout.write(text)
    else await writeFile(values.out, text)
    return 0
  } catch (error) {
    console.error(`commandry export: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  } finally {
    await close()
  }
}
