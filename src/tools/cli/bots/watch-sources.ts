/** Watches the source files of a program in a folder. */
import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs'
import { join, relative } from 'node:path'
import { packageIn } from '../base/package-json.ts'

/** No data: a bot that writes its own JSON would start again without end. */
const SOURCE =
  /(?:\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs|fs|php|lua|exs?|dart|hs|lisp|swift|cpp|h)|^\.env(?:\..+)?)$/
const LEFT_OUT = /^(?:node_modules|__pycache__|target|dist|build|out|bin|obj|venv|coverage|\..+)$/
const MAX_FOLDERS = 1_000
/** Milliseconds. Editors write a file in several steps. */
const SETTLED = 120

/**
 * Calls a function with the name of a file that was saved, once no other was for some milliseconds.
 *
 * @param isOther whether a file, by its path in the folder, belongs to something else
 * @param command the line that starts the program; a built folder that it names is watched too
 * @returns ends it
 */
export function watchSources(
  folder: string,
  command: string,
  changed: (file: string) => void,
  isOther: (file: string) => boolean = () => false,
): () => void {
  /** By path, each with what tells its folder from a later one of that path. */
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>()
  let timer: NodeJS.Timeout | undefined
  const isLeftOut = (name: string) => LEFT_OUT.test(name) && !command.includes(`${name}/`)
  const close = (path: string) => {
    watchers.get(path)?.watcher.close()
    watchers.delete(path)
  }
  const add = (path: string) => {
    try {
      const { ino, birthtimeMs } = statSync(path)
      const identity = `${ino} ${birthtimeMs}`
      if (watchers.get(path)?.identity === identity) return
      close(path)
      if (watchers.size >= MAX_FOLDERS) return
      const watcher = watch(path, (_, name) => {
        if (name === null) return
        const file = relative(folder, join(path, name))
        if (SOURCE.test(name)) {
          if (isOther(file)) return
          clearTimeout(timer)
          timer = setTimeout(changed, SETTLED, file)
          return
        }
        look(path)
      })
      watcher.on('error', () => close(path))
      watchers.set(path, { watcher, identity })
    } catch {
      // The folder is gone, or the system watches no more of them.
    }
    look(path)
  }
  const look = (path: string) => {
    try {
      for (const entry of readdirSync(path, { withFileTypes: true }))
        if (entry.isDirectory() && !isLeftOut(entry.name)) add(join(path, entry.name))
    } catch {
      // The folder is gone.
    }
  }
  add(folder)
  return () => {
    clearTimeout(timer)
    for (const path of [...watchers.keys()]) close(path)
  }
}

const WATCHING = /--watch\b|--hot\b|\b(?:nodemon|ts-node-dev|watchexec|entr)\b|\btsx watch\b|--reload\b/
const SCRIPT = /^(?:npm|pnpm|yarn|bun)(?: run)? ([\w:-]+)/

/** Whether a line of the shell, or the script of package.json that it names, starts its program again by itself. */
export function watchesItself(folder: string, command: string): boolean {
  const [, script = ''] = SCRIPT.exec(command) ?? []
  return WATCHING.test(command) || WATCHING.test(packageIn(folder).scripts.get(script) ?? '')
}
