/** `commandry export` and `commandry import`: an application from a store to a file, and back. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathText } from '../authoring/words.ts'
import { openDirectory } from '../registry/directory.ts'
import { RegistryError } from '../registry/error.ts'
import { CommandRegistry } from '../registry/registry.ts'
import type { ApplicationSnapshot } from '../registry/read-snapshot.ts'
import { command, id, onlyArgument, option, required } from './command.ts'
import { CommandError, describeError, firstCause, usageError } from './errors.ts'
import { warn, withProgress } from './io.ts'
import { loadJson } from './load.ts'
import { openStore, storeForms } from './stores.ts'

export const exportCommand = command({
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

export const importCommand = command({
  help: [
    `Examples
  commandry import app.json --store sqlite:commands.db

commandry import FILE --store STORE

Replaces the data of an application in a store by that of a file of "commandry export". An invalid file exits with 1
and changes nothing. After an interruption, run it again.`,
  ],
  options: { store: option('STORE', `where the commands are stored: ${storeForms}`) },
  async run(io, values, args) {
    const file = onlyArgument(args, 'FILE is required')
    const where = required(values.store, '--store is required')
    if (where === 'memory')
      throw usageError('--store memory is lost when the command ends; use a file or a database')
    const snapshot = await loadJson(io, file)
    const { store, close } = await openStore(io, where)
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
  },
})

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
