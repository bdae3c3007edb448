/** Reads definitions from files, folders and stdin. */
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { isObject } from '../core/json.ts'
import type { Path } from '../core/rule.ts'
import { FileError } from './errors.ts'
import type { Io } from './io.ts'
import { parseJson, readTextFile } from './load.ts'
import { definitionsIn, loadModule, type Definition } from './modules.ts'

/** A file, and the definitions in it. */
export interface Source {
  /** The name on the command line, or in a folder of it; `<stdin>` for `-`. */
  readonly file: string
  /** The JSON text; null for modules and for files that cannot be read. */
  readonly text: string | null
  readonly definitions: readonly Definition[]
  /** Why the file cannot be used. */
  readonly fault: FileError | null
}

const MODULE = /(?<!\.d)\.[cm]?[jt]sx?$/i
// Files in a folder that never contain definitions.
const NEVER_DEFINITIONS =
  /^(?:package|package-lock|tsconfig.*|jsconfig|deno)\.jsonc?$|\.(?:test|spec)\.[cm]?[jt]sx?$/i

/** A file, and whether an argument names it; otherwise an argument names its folder. */
interface NamedFile {
  readonly file: string
  readonly isNamed: boolean
}

/**
 * Reads the files and folders of the arguments. Files of a folder without definitions are left out.
 *
 * @param args files, folders, and `-` for stdin
 */
export async function readSources(io: Io, args: readonly string[]): Promise<readonly Source[]> {
  const sources: Source[] = []
  for (const { file, isNamed } of await findFiles(io, args)) {
    const source = await readSource(io, file, isNamed)
    if (isNamed || source.fault !== null || source.definitions.some(({ body }) => looksLikeCommand(body)))
      sources.push(source)
  }
  return sources
}

/** The files of the arguments, in order, each once. */
export async function findFiles(io: Io, args: readonly string[]): Promise<readonly NamedFile[]> {
  const found = new Map<string, NamedFile>()
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
    const path = `${name}/${entry.name}`
    if (entry.isDirectory()) files.push(...(await filesIn(join(folder, entry.name), path)))
    else if ((MODULE.test(entry.name) || isJsonFile(entry.name)) && !NEVER_DEFINITIONS.test(entry.name))
      files.push(path)
  }
  return files
}

export function isJsonFile(name: string): boolean {
  return /\.json$/i.test(name)
}

async function readSource(io: Io, file: string, isNamed: boolean): Promise<Source> {
  const name = file === '-' ? '<stdin>' : file
  try {
    if (file === '-') return jsonSource(name, await text(io.stdin))
    if (MODULE.test(file)) return await moduleSource(io, file, isNamed)
    return jsonSource(file, await readTextFile(io, file))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { file: name, text: null, definitions: [], fault: error }
  }
}

async function moduleSource(io: Io, file: string, isNamed: boolean): Promise<Source> {
  const path = resolve(io.cwd, file)
  // A missing module and a missing import have the same error.
  await readTextFile(io, file)
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

/** A list, one definition, or `{ "$schema": …, "commands": [] }` for editors that validate by the schema. */
function definitionsOf(body: unknown): readonly Definition[] {
  const each = (list: readonly unknown[], path: Path) =>
    list.map((item, index): Definition => ({ body: item, path: [...path, index] }))
  if (Array.isArray(body)) return each(body, [])
  if (!isObject(body)) return [{ body, path: [] }]
  const { $schema, ...rest } = body
  if (Array.isArray(rest.commands) && !('name' in rest)) return each(rest.commands, ['commands'])
  return [{ body: $schema === undefined ? body : rest, path: [] }]
}

/** Whether a value in a file of a folder is meant as a command; folders contain other data files too. */
function looksLikeCommand(body: unknown): boolean {
  return isObject(body) && (typeof body.toJSON === 'function' || 'name' in body)
}
