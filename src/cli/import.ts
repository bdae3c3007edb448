import { openDirectory } from '../registry/directory.ts'
import { RegistryError } from '../registry/error.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { onlyArgument, readArguments } from './arguments.ts'
import { FileError, UsageError, type ExitCode } from './errors.ts'
import { firstCause } from './drivers.ts'
import { warn, type Io } from './io.ts'
import { loadJson, placeOf } from './load.ts'
import { openStore, storeForms } from './stores.ts'

export const importUsage = `Examples
  commandry import app.json --store sqlite:commands.db

commandry import FILE --store STORE

Makes an application what a file of "commandry export" says, and removes whatever else the store holds of it.
The file is checked as a whole first; a fault exits with 1, and nothing has changed. When it is interrupted, do
it again.

  --store STORE    where the commands are to be kept: ${storeForms}`

export async function importCommand(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, { store: { type: 'string' } })
  const file = onlyArgument(positionals, 'FILE is required')
  if (values.store === undefined) throw new UsageError('--store is required')
  if (values.store === 'memory')
    throw new UsageError('--store memory keeps nothing after the command; name a file or a database')
  let snapshot: unknown
  try {
    snapshot = await loadJson(io, file)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    warn(io, `${file}: ${error.message}`)
    return 1
  }
  const { store, close } = await openStore(io, values.store)
  try {
    await new CommandRegistry({ store, applications: openDirectory }).restore(snapshot)
    return 0
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.code !== 'invalid') warn(io, `commandry import: ${withAdvice(error)}`)
    for (const { path, message } of error.issues) warn(io, `${file}: ${placeOf(path)} ${message}`)
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
