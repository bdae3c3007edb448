/** `commandry export`: applications from a store to a file. */
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDirectory } from '../../../commands/registry/directory.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { applicationLines } from '../base/applications-file.ts'
import { command, flag, asId, noMoreArguments, onlyArgument, option, required } from '../base/cli-command.ts'
import { CommandError, describeError, isSystemError } from '../base/errors.ts'
import { withProgress, type Io } from '../base/io.ts'
import { openStore, storeForms } from '../base/stores.ts'
import { writeWhole } from '../base/whole-file.ts'

export default command({
  help: [
    `Examples
  commandry export 100100100100100101 --store sqlite:commands.db --out app.json
  commandry export --all --store postgres://127.0.0.1/commands --out apps.jsonl

commandry export APPLICATION|--all --store STORE

Writes the data of an application in a store as JSON, for "commandry import": commands, versions, the day's creates
and permissions. With --all it writes every application, one a line, and their number in the last. Exits with 1 if the store has no such data.`,
  ],
  options: {
    store: option('STORE', `where the commands are kept: ${storeForms}`),
    all: flag('every application of the store, one a line'),
    out: option('FILE', 'where to write it (the terminal)'),
  },
  async run(io, { store: where, all, out }, args) {
    if (all) noMoreArguments(args)
    const applicationId = all ? null : asId(onlyArgument(args, 'APPLICATION or --all is required'))
    const { store, close } = await openStore(io, required(where, '--store is required'), 'read')
    try {
      const registry = new CommandRegistry({ store, applications: openDirectory })
      const text = applicationId === null ? applicationLines(registry) : textOf(registry, applicationId)
      const first = await text.next()
      if (first.done === true)
        throw new Error(
          `the store has no data of ${applicationId === null ? 'any application' : `application ${applicationId}`}`,
        )
      await writeOut(io, out, startingWith(first.value, text))
      return 0
    } catch (error) {
      throw error instanceof CommandError ? error : new CommandError(describeError(error))
    } finally {
      await close()
    }
  },
})

/** The text of an application in pieces; none if the store has no data of it. */
async function* textOf(registry: CommandRegistry, applicationId: string): AsyncGenerator<string> {
  const pieces = registry.snapshotText(applicationId, { space: 2 })
  let start = ''
  // Up to the first scope or guild, to see whether there is one.
  for await (const piece of pieces) {
    start += piece
    if (!piece.includes('{') || start === piece) continue
    yield start
    yield* pieces
    yield '\n'
  }
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

async function writeOut(io: Io, out: string | undefined, text: AsyncIterable<string>): Promise<void> {
  if (out === undefined) return pipeline(text, io.stdout, { end: false })
  const writing = writeWhole(resolve(io.cwd, out), text)
  await withProgress(io, () => `writing ${out}`, writing).catch((error: unknown) => {
    throw isSystemError(error) ? error : new CommandError(`${out} was not written: ${describeError(error)}`)
  })
}
