/** `commandry import`: applications from a file into a store. */
import { pathText } from '../../authoring/words.ts'
import { openDirectory } from '../../../commands/registry/directory.ts'
import { sameJson } from '../../../core/json.ts'
import { counted } from '../../../core/text.ts'
import { readSnapshot, type ApplicationSnapshot } from '../../../commands/registry/read-snapshot.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { applicationsOfFile, type ApplicationPart } from '../base/applications-file.ts'
import { command, flag, onlyArgument, option, required } from '../base/cli-command.ts'
import { CommandError, firstCause, usageError } from '../base/errors.ts'
import { print, warn, withProgress, type Io } from '../base/io.ts'
import { loadJson } from '../base/text-file.ts'
import { openStore, storeForms } from '../base/stores.ts'

export default command({
  help: [
    `Examples
  commandry import app.json --store sqlite:commands.db
  commandry import apps.jsonl --all --store postgres://127.0.0.1/commands

commandry import FILE --store STORE

Replaces the data of an application in a store by that of a file of "commandry export". An invalid or cut file exits with
1 and changes nothing. What the store has then is compared with the file. After an interruption, run it again.`,
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
    const parts = () => (values.all ? applicationsOfFile(io, file) : onlyApplication(io, file))
    // All of it is read before the store is opened: half a file must not replace anything.
    let total = 0
    for await (const part of parts()) {
      if (!isValid(io, part)) return 1
      total++
    }
    const { store, close } = await openStore(io, where)
    try {
      const registry = new CommandRegistry({ store, applications: openDirectory })
      const done = { applications: 0, commands: 0 }
      for await (const part of parts()) {
        const commands = await importPart(io, registry, part)
        if (commands === null) break
        done.applications++
        done.commands += commands
      }
      const of = done.applications < total ? `${done.applications} of ` : ''
      print(io, `Imported ${of}${counted(total, 'application')} with ${counted(done.commands, 'command')}`)
      return done.applications === total ? 0 : 1
    } finally {
      await close()
    }
  },
})

async function* onlyApplication(io: Io, file: string): AsyncGenerator<ApplicationPart> {
  yield { name: file, snapshot: await loadJson(io, file) }
}

/** Prints the problems of a snapshot. */
function isValid(io: Io, { name, snapshot }: ApplicationPart): boolean {
  const read = readSnapshot(snapshot)
  if (read.ok) return true
  for (const { path, message } of read.issues) warn(io, `${name}: ${pathText(path)} ${message}`)
  return false
}

/** @returns the number of commands; null, after the reason is printed, when the store has not what the file has */
async function importPart(
  io: Io,
  registry: CommandRegistry,
  { name, snapshot }: ApplicationPart,
): Promise<number | null> {
  const read = readSnapshot(snapshot)
  if (!read.ok) throw new CommandError(`${name} has changed while it was read`)
  const { application_id: id, scopes } = read.value
  try {
    await withProgress(io, () => `importing ${name}`, registry.restore(read.value))
    const difference = differenceOf(read.value, await registry.snapshot(id))
    if (difference === undefined) return scopes.reduce((sum, { commands }) => sum + commands.length, 0)
    warn(io, `${name}: in the store, ${difference} of application ${id} are not those of the file`)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    warn(io, `commandry import: ${withAdvice(error)}`)
  }
  return null
}

/** The first part of an application that differs, in words. */
function differenceOf(asked: ApplicationSnapshot, found: ApplicationSnapshot): string | undefined {
  const commandsOf = ({ scopes }: ApplicationSnapshot) =>
    new Map(
      scopes.flatMap(({ guild_id: id, commands }) =>
        commands.length === 0 ? [] : [[id, commands] as const],
      ),
    )
  const setsOf = ({ permissions }: ApplicationSnapshot) =>
    new Map(permissions.map(({ guild_id: id, sets }) => [id as string | null, sets] as const))
  for (const [what, partsOf] of [
    ['commands', commandsOf],
    ['permissions', setsOf],
  ] as const) {
    const [wanted, there] = [partsOf(asked), partsOf(found)]
    for (const id of new Set([...wanted.keys(), ...there.keys()]))
      if (!sameJson(wanted.get(id) ?? null, there.get(id) ?? null))
        return id === null ? `the global ${what}` : `the ${what} in server ${id}`
  }
  return undefined
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
