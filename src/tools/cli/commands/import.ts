/** `commandry import`: applications from a file into a store. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathText } from '../../authoring/words.ts'
import { openDirectory } from '../../../commands/registry/directory.ts'
import { counted } from '../../../core/text.ts'
import type { ApplicationSnapshot } from '../../../commands/registry/read-snapshot.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { command, flag, onlyArgument, option, required } from '../base/cli-command.ts'
import { CommandError, firstCause, usageError } from '../base/errors.ts'
import { print, warn, withProgress, type Io } from '../base/io.ts'
import { loadJson, parseJson } from '../base/text-file.ts'
import { openStore, storeForms } from '../base/stores.ts'

export default command({
  help: [
    `Examples
  commandry import app.json --store sqlite:commands.db
  commandry import apps.jsonl --all --store postgres://127.0.0.1/commands

commandry import FILE --store STORE

Replaces the data of an application in a store by that of a file of "commandry export". An invalid file exits with 1
and changes nothing; with --all, that is true of each line, and the first invalid one ends the import. After an
interruption, run it again.`,
  ],
  options: {
    store: option('STORE', `where the commands are stored: ${storeForms}`),
    all: flag('FILE is one of "commandry export --all": an application a line'),
  },
  async run(io, values, args) {
    const file = onlyArgument(args, 'FILE is required')
    const where = required(values.store, '--store is required')
    if (where === 'memory')
      throw usageError('--store memory is lost when the command ends; use a file or a database')
    // A file of one application is read before the store is opened.
    const parts = values.all ? linesIn(io, file) : [{ name: file, snapshot: await loadJson(io, file) }]
    const { store, close } = await openStore(io, where)
    try {
      const registry = new CommandRegistry({ store, applications: openDirectory })
      const done = { applications: 0, commands: 0 }
      let isDone = true
      for await (const { name, snapshot } of parts) {
        isDone = await importInto(io, registry, name, snapshot)
        if (!isDone) break
        done.applications++
        done.commands += commandsIn(snapshot)
      }
      if (isDone && done.applications === 0)
        throw new CommandError(`${file} has no application; nothing was imported`)
      if (done.applications > 0)
        print(
          io,
          `Imported ${counted(done.applications, 'application')} with ${counted(done.commands, 'command')}`,
        )
      return isDone ? 0 : 1
    } finally {
      await close()
    }
  },
})

interface Part {
  /** The file, and the line of one with several applications. */
  readonly name: string
  readonly snapshot: unknown
}

async function* linesIn(io: Io, file: string): AsyncGenerator<Part> {
  const input = createReadStream(resolve(io.cwd, file), 'utf8')
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const name = `${file}:${++number}`
    if (line.trim() !== '') yield { name, snapshot: parseLine(line, name) }
  }
}

function parseLine(line: string, name: string): unknown {
  try {
    return parseJson(line)
  } catch (error) {
    throw new CommandError(`${name}: ${(error as CommandError).message}`)
  }
}

/** @returns whether it is imported; if not, the problems are printed */
async function importInto(
  io: Io,
  registry: CommandRegistry,
  name: string,
  snapshot: unknown,
): Promise<boolean> {
  try {
    await withProgress(io, () => `importing ${name}`, registry.restore(snapshot))
    const { application_id: id } = snapshot as ApplicationSnapshot
    const [asked, found] = [commandsIn(snapshot), commandsIn(await registry.snapshot(id))]
    if (asked === found) return true
    warn(
      io,
      `${name}: the store has ${counted(found, 'command')} of application ${id}, not ${asked}${ADVICE}`,
    )
    return false
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.code !== 'invalid') warn(io, `commandry import: ${withAdvice(error)}`)
    for (const { path, message } of error.issues) warn(io, `${name}: ${pathText(path)} ${message}`)
    return false
  }
}

/** The number of commands in a valid snapshot. */
function commandsIn(snapshot: unknown): number {
  return (snapshot as ApplicationSnapshot).scopes.reduce((sum, { commands }) => sum + commands.length, 0)
}

const ADVICE = '; run it again'

/** The message of an error. It advises to repeat the command only after a conflict or a failure of the database. */
function withAdvice(error: RegistryError): string {
  let first = error
  while (first.cause instanceof RegistryError) first = first.cause
  const helps = first.code === 'busy' || (first.code === 'storage' && first.cause !== undefined)
  const why = error.cause === undefined ? '' : ` (${firstCause(error)})`
  return error.message.replace(ADVICE, '') + why + (helps ? ADVICE : '')
}
