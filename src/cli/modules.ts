/** Loads modules in a worker thread, so that none of them can end, hold up or write to this process. */
import { Worker } from 'node:worker_threads'
import type { Exported } from './exports.ts'
import { withProgress, type Io } from './io.ts'
import type { Fault } from '../authoring/findings.ts'
import { plainFailure } from './load-failure.ts'
import type { LoadMessage, LoadRequest } from './loader.ts'

/** What became of a module. */
export interface LoadedModule {
  /** Null when the module cannot be loaded. */
  exported: Exported | null
  failure: Fault | null
  /** The host of another machine to which it connected while it loaded; null for none. */
  host: string | null
}

/**
 * Loads modules, all in one worker. Each loading starts afresh.
 *
 * @param files the real paths of the modules
 */
export async function loadModules(
  io: Io,
  files: readonly string[],
): Promise<ReadonlyMap<string, LoadedModule>> {
  const modules = new Map(
    files.map((file): [string, LoadedModule] => [file, { exported: null, failure: null, host: null }]),
  )
  let rest = files
  const load = async () => {
    // A worker that had to be ended leaves the files after the one that ended it.
    while (rest.length > 0) rest = await loadInWorker(io, rest, modules)
  }
  const line = () => `loading modules: ${[...modules.values()].filter(isLoaded).length} of ${files.length}`
  await withProgress(io, line, load())
  return modules
}

function isLoaded({ exported, failure }: LoadedModule): boolean {
  return exported !== null || failure !== null
}

/** @returns the files that are left */
function loadInWorker(
  io: Io,
  files: readonly string[],
  modules: ReadonlyMap<string, LoadedModule>,
): Promise<readonly string[]> {
  const request: LoadRequest = { files, cwd: io.cwd }
  const worker = new Worker(io.loader, { workerData: request, stdout: true, stderr: true, stdin: true })
  worker.stdout.resume()
  worker.stderr.resume()
  let current = files[0]!
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  return new Promise((resolve) => {
    const end = (failure: Fault | null) => {
      if (isEnded) return
      isEnded = true
      clearTimeout(timer)
      if (failure !== null) modules.get(current)!.failure ??= failure
      void worker.terminate()
      resolve(failure === null ? [] : files.slice(files.indexOf(current) + 1))
    }
    const { load } = io.limits
    worker
      .on('message', (message: LoadMessage) => {
        if (message.kind === 'done') return end(null)
        const module = modules.get(message.file)!
        if (message.kind === 'started') {
          current = message.file
          clearTimeout(timer)
          timer = setTimeout(
            () => end(plainFailure(`has not finished loading after ${load / 1_000} s`)),
            load,
          )
        } else if (message.kind === 'loaded') module.exported = message.exported
        else if (message.kind === 'failed') module.failure ??= message.failure
        else module.host ??= message.host
      })
      .on('error', (error) => end(plainFailure(`cannot be loaded: ${error.message}`, error)))
      .on('exit', () => end(plainFailure('ends its process while it loads')))
  })
}
