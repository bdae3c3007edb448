/** The definitions that files, folders and stdin hold. */
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { isObject } from '../core/json.ts'
import type { Path } from '../core/rule.ts'
import { FileError } from './errors.ts'
import type { Io } from './io.ts'
import { parseJson, readText } from './load.ts'
import { definitionsIn, loadModule, type Definition } from './modules.ts'

/** A file, and the definitions in it. */
export interface Source {
  /** The name as given, or found in a folder; `<stdin>` for `-`. */
  readonly file: string
  /** The JSON text; null for modules and for files that cannot be read. */
  readonly text: string | null
  readonly definitions: readonly Definition[]
  /** Why the file cannot be used. */
  readonly fault: FileError | null
}

const MODULE = /(?<!\.d)\.[cm]?[jt]sx?$/i
const JSON_FILE = /\.json$/i
// Files that stand beside commands in a folder and never hold any.
const OTHER = /^(?:package|package-lock|tsconfig.*|jsconfig|deno)\.jsonc?$|\.(?:test|spec)\.[cm]?[jt]sx?$/i

/** A file of an argument, and whether the argument names it or a folder around it. */
interface Found {
  readonly file: string
  readonly isNamed: boolean
}

/**
 * Reads what the arguments name. Files of a folder that hold no definitions are left out.
 *
 * @param args files, folders, and `-` for stdin
 */
export async function readSources(io: Io, args: readonly string[]): Promise<readonly Source[]> {
  const sources: Source[] = []
  for (const { file, isNamed } of await findFiles(io, args)) {
    const source = await readSource(io, file, isNamed)
    if (isNamed || source.fault !== null || source.definitions.some(({ body }) => seemsMeant(body)))
      sources.push(source)
  }
  return sources
}

/** The files that arguments name, in order and each once. */
export async function findFiles(io: Io, args: readonly string[]): Promise<readonly Found[]> {
  const found = new Map<string, Found>()
  for (const arg of args) {
    const isFolder =
      arg !== '-' && (await stat(resolve(io.cwd, arg)).catch(() => undefined))?.isDirectory() === true
    const files = isFolder ? await filesIn(resolve(io.cwd, arg), arg.replace(/[\\/]+$/, '')) : [arg]
    for (const file of files) if (!found.has(file)) found.set(file, { file, isNamed: !isFolder })
  }
  return [...found.values()]
}

async function filesIn(folder: string, name: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const files: string[] = []
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const shown = `${name}/${entry.name}`
    if (entry.isDirectory()) files.push(...(await filesIn(join(folder, entry.name), shown)))
    else if ((MODULE.test(entry.name) || JSON_FILE.test(entry.name)) && !OTHER.test(entry.name))
      files.push(shown)
  }
  return files
}

async function readSource(io: Io, file: string, isNamed: boolean): Promise<Source> {
  const name = file === '-' ? '<stdin>' : file
  try {
    if (file === '-') return jsonSource(name, await text(io.stdin))
    if (MODULE.test(file)) return await moduleSource(io, file, isNamed)
    return jsonSource(file, await readText(io, file))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { file: name, text: null, definitions: [], fault: error }
  }
}

async function moduleSource(io: Io, file: string, isNamed: boolean): Promise<Source> {
  const path = resolve(io.cwd, file)
  // A missing module and a missing import have the same error.
  await readText(io, file)
  const definitions = definitionsIn(await loadModule(io, path))
  const fault =
    definitions.length > 0 || !isNamed
      ? null
      : new FileError('exports no command; export it as default, or with a name')
  return { file, text: null, definitions, fault }
}

/** @throws FileError */
export function jsonSource(file: string, text: string): Source {
  const body = parseJson(text)
  return { file, text, definitions: definitionsOf(body), fault: null }
}

/** A list, one definition, or `{ "$schema": …, "commands": [] }`, whose first key tells editors what it is. */
function definitionsOf(body: unknown): readonly Definition[] {
  const each = (list: readonly unknown[], path: Path) =>
    list.map((item, index): Definition => ({ body: item, path: [...path, index] }))
  if (Array.isArray(body)) return each(body, [])
  if (!isObject(body)) return [{ body, path: [] }]
  const { $schema, ...rest } = body
  if (Array.isArray(rest.commands) && !('name' in rest)) return each(rest.commands, ['commands'])
  return [{ body: $schema === undefined ? body : rest, path: [] }]
}

/** Whether a file found in a folder contains commands: other data files lie there too. */
function seemsMeant(body: unknown): boolean {
  return isObject(body) && (typeof body.toJSON === 'function' || 'name' in body)
}
