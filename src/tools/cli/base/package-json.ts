/** What the package.json of a folder says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, parsedJson } from '../../../core/json.ts'

export interface PackageJson {
  /** Empty for a package without a name or a main file. */
  readonly name: string
  readonly main: string
  /** The lines of its scripts by their names. */
  readonly scripts: ReadonlyMap<string, string>
}

/** @returns a package without anything for a folder whose package.json is missing or damaged */
export function packageIn(folder: string): PackageJson {
  const value = parsedJson(textOf(join(folder, 'package.json')))
  const { name, main, scripts } = isObject(value) ? value : {}
  const text = (part: unknown) => (typeof part === 'string' ? part : '')
  const lines = Object.entries(isObject(scripts) ? scripts : {})
  const isLine = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
  return { name: text(name), main: text(main), scripts: new Map(lines.filter(isLine)) }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
