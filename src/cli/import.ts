import { openDirectory } from '../registry/directory.ts'
import { RegistryError } from '../registry/error.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { onlyArgument, readArguments } from './arguments.ts'
import { FileError, firstCause, UsageError } from './errors.ts'
import { warn, withProgress, type Io } from './io.ts'
import { pathText } from '../authoring/words.ts'
import { loadJson } from './load.ts'
import { openStore, storeForms } from './stores.ts'
import type { ExitCode, Subcommand } from './subcommand.ts'

const usage = `Examples
  commandry import app.json --store sqlite:commands.db

commandry import FILE --store STORE

Replaces the data of an application in a store by that of a file of "commandry export". An invalid file exits with 1
and changes nothing. After an interruption, run it again.

  --store STORE    where the commands are stored: ${storeForms}`

export const importCommand: Subcommand = {
  summary: 'read an application from a file into a store',
  usage,
  run,
}

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, { store: { type: 'string' } })
  const file = onlyArgument(positionals, 'FILE is required')
  if (values.store === undefined) throw new UsageError('--store is required')
  if (values.store === 'memory')
    throw new UsageError('--store memory is lost when the command ends; use a file or a database')
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
    const registry = new CommandRegistry({ store, applications: openDirectory })
    await withProgress(io, () => `importing ${file}`, registry.restore(snapshot))
    return 0
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.code !== 'invalid') warn(io, `commandry import: ${withAdvice(error)}`)
    for (const { path, message } of error.issues) warn(io, `${file}: ${pathText(path)} ${message}`)
    return 1
  } finally {
    await close()
  }
}

const ADVICE = '; run it again'

/** The message of an error. It advises to repeat the command only after a conflict or a failure of the database. */
function withAdvice(error: RegistryError): string {
  let first = error
  while (first.cause instanceof RegistryError) first = first.cause
  const helps = first.code === 'busy' || (first.code === 'storage' && first.cause !== undefined)
  const message = error.message.endsWith(ADVICE) ? error.message.slice(0, -ADVICE.length) : error.message
  const why = error.cause === undefined ? '' : ` (${firstCause(error)})`
  return message + why + (helps ? ADVICE : '')
}
