import { openDirectory } from '../registry/directory.ts'
import { RegistryError } from '../registry/error.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { readArguments, UsageError, type ExitCode } from './arguments.ts'
import { firstCause } from './drivers.ts'
import { FileError, loadJson, placeOf } from './load.ts'
import { openStore, storeForms } from './stores.ts'

export const importUsage = `commandry import FILE --store STORE

Makes an application what a file of "commandry export" says, and removes whatever else the store holds of it.
The file is checked as a whole first; a fault exits with 1, and nothing has changed. When it is interrupted, do
it again.

  --store STORE    where the commands are to be kept: ${storeForms}`

export async function importCommand(argv: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, { store: { type: 'string' } })
  const [file, surplus] = positionals
  if (file === undefined) throw new UsageError('name the file to import')
  if (surplus !== undefined) throw new UsageError(`takes no "${surplus}"`)
  if (values.store === undefined) throw new UsageError('name the --store to import into')
  let snapshot: unknown
  try {
    snapshot = await loadJson(file)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    console.error(`${file}: ${error.message}`)
    return 1
  }
  const { store, close } = await openStore(values.store)
  try {
    await new CommandRegistry({ store, applications: openDirectory }).restore(snapshot)
    return 0
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.code !== 'invalid') console.error(`commandry import: ${withAdvice(error)}`)
    for (const { path, message } of error.issues) console.error(`${file}: ${placeOf(path)} ${message}`)
    return 1
  } finally {
    await close()
  }
}

const ADVICE = '; do it again'

/** What went wrong, with the advice to repeat it only where that can help: others were in the way, or the medium failed. */
function withAdvice(error: RegistryError): string {
  let first = error
  while (first.cause instanceof RegistryError) first = first.cause
  const helps = first.code === 'busy' || (first.code === 'storage' && first.cause !== undefined)
  const message = error.message.endsWith(ADVICE) ? error.message.slice(0, -ADVICE.length) : error.message
  const why = error.cause === undefined ? '' : ` (${firstCause(error)})`
  return message + why + (helps ? ADVICE : '')
}
