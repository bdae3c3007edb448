/** `commandry import`: an application from a file into a store. */
import { pathText } from '../../authoring/words.ts'
import { openDirectory } from '../../../commands/registry/directory.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { command, onlyArgument, option, required } from '../cli-command.ts'
import { firstCause, usageError } from '../errors.ts'
import { warn, withProgress } from '../io.ts'
import { loadJson } from '../definitions/text-file.ts'
import { openStore, storeForms } from '../stores.ts'

export default command({
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
  const why = error.cause === undefined ? '' : ` (${firstCause(error)})`
  return error.message.replace(ADVICE, '') + why + (helps ? ADVICE : '')
}
