/** What the package.json of a folder says, and the deno.json beside it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, parsedJson, type JsonObject } from '../../../core/json.ts'

export interface PackageJson {
  /** Empty for a package without a name or a main file. */
  readonly name: string
  readonly main: string
  /** The lines of its scripts by their names, or those of the tasks of Deno. */
  readonly scripts: ReadonlyMap<string, string>
  /** What runs a script by its name. */
  readonly runner: 'npm run' | 'bun run' | 'deno task'
}

/** @returns a package without anything for a folder whose package.json is missing or damaged */
export function packageIn(folder: string): PackageJson {
  const value = parsedJson(textOf(join(folder, 'package.json')))
  const { name, main, scripts } = isObject(value) ? value : {}
  const text = (part: unknown) => (typeof part === 'string' ? part : '')
  const has = (file: string) => existsSync(join(folder, file))
  const tasks = tasksOfDeno(folder, scripts)
  return {
    name: text(name),
    main: text(main),
    scripts: linesOf({ ...(isObject(scripts) && scripts), ...tasks }),
    runner: tasks ? 'deno task' : has('bun.lock') || has('bun.lockb') ? 'bun run' : 'npm run',
  }
}

/** The tasks of the deno.json of a folder; undefined for a folder that is not a Deno project. */
function tasksOfDeno(folder: string, scripts: unknown): JsonObject | undefined {
  const files = ['deno.json', 'deno.jsonc'].map((file) => textOf(join(folder, file)))
  const text = files.find((each) => each !== '')
  if (text === undefined) return undefined
  // Comments of JSONC that have a line of their own.
  const value = parsedJson(text.replace(/^[ \t]*\/\/.*$/gm, ''))
  const { tasks } = isObject(value) ? value : {}
  if (isObject(tasks)) return tasks
  // Some projects of Node only format their files with Deno.
  return scripts === undefined ? {} : undefined
}

/** The texts of an object; a task of Deno may be an object with its line in `command`. */
function linesOf(scripts: JsonObject): ReadonlyMap<string, string> {
  const lines = Object.entries(scripts).map(
    ([name, line]) => [name, isObject(line) ? line.command : line] as const,
  )
  return new Map(lines.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
