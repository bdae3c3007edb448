/** Loads modules in a worker thread, so that none of them can end, hold up or write to this process. */
import { assignedKeys, commandKeys } from '../../../commands/definition/fields/command.ts'
import { optionFields } from '../../../commands/definition/fields/option.ts'
import { withProgress, type Io } from '../base/io.ts'
import type { FileFault } from '../../authoring/findings.ts'
import { plainFailure } from './plain-failure.ts'
import type { LoadedModule, LoadMessage, LoadRequest } from './loader.ts'

const FIELDS: LoadRequest['fields'] = {
  long: [...commandKeys, ...Object.keys(optionFields)].filter(
    (field) => field.includes('_') && !assignedKeys.includes(field),
  ),
  short: commandKeys.filter((field) => !field.includes('_') && field !== 'version'),
}

/**
 * Loads modules by their real paths, and by them returns what became of each. Every call loads them afresh.
 *
 * @param commandFiles those that are given by name, or have a name of commands
 */
export async function loadModules(
  io: Io,
  files: readonly string[],
  commandFiles: readonly string[],
): Promise<ReadonlyMap<string, LoadedModule>> {
  const modules = new Map(files.map((file): [string, LoadedModule] => [file, {}]))
  let rest = files
  const load = async () => {
    // A worker that had to be ended leaves the files after the one that ended it.
    while (rest.length > 0) rest = await loadInWorker(io, rest, commandFiles, modules)
  }
  const loaded = () => [...modules.values()].filter((module) => Object.keys(module).length > 0)
  await withProgress(io, () => `loading modules: ${loaded().length} of ${files.length}`, load())
  return modules
}

/** @returns the files that are left */
async function loadInWorker(
  io: Io,
  files: readonly string[],
  commandFiles: readonly string[],
  modules: Map<string, LoadedModule>,
): Promise<readonly string[]> {
  const { Worker } = await import('node:worker_threads')
  const request: LoadRequest = { files, commandFiles, cwd: io.cwd, fields: FIELDS }
  const worker = new Worker(io.loader, { workerData: request, stdout: true, stderr: true, stdin: true })
  worker.stdout.resume()
  worker.stderr.resume()
  let current = files[0]!
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  // Of several reports about a file the first counts. A refused connection mostly is the reason of a failure.
  const add = (file: string, found: LoadedModule) => {
    const { failure, ...all } = { ...found, ...modules.get(file) }
    modules.set(file, failure === undefined || all.host !== undefined ? all : { ...all, failure })
  }
  return new Promise((resolve) => {
    const end = (failure?: FileFault) => {
      if (isEnded) return
      isEnded = true
      clearTimeout(timer)
      if (failure !== undefined) add(current, { failure })
      void worker.terminate()
      resolve(failure === undefined ? [] : files.slice(files.indexOf(current) + 1))
    }
    const { load } = io.limits
    const late = () => end(plainFailure(`has not finished loading after ${load / 1_000} s`))
    worker
      .on('message', (message: LoadMessage) => {
        if (message === 'done') return end()
        const { file, found } = message
        if (found !== undefined) return add(file, found)
        current = file
        clearTimeout(timer)
        timer = setTimeout(late, load)
      })
      .on('error', (error) => end(plainFailure(`cannot be loaded: ${error.message}`, error)))
      .on('exit', () => end(plainFailure('ends its process while it loads')))
  })
}
