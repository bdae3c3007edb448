/** Reads definitions from files, folders and stdin, and watches them. */
import { existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { definitionsIn } from '../authoring/definitions.ts'
import type { Source } from '../authoring/findings.ts'
import { isObject } from '../core/json.ts'
import { counted, listed } from '../core/text.ts'
import type { CommandError } from './errors.ts'
import { warn, type Io } from './io.ts'
import { plainFailure } from './load-failure.ts'
import { runAdvice } from './run-advice.ts'
import { parseJson, readTextFile, textOf } from './text-file.ts'
import type { LoadedModule } from './loader.ts'
import { loadModules } from './modules.ts'

/** The name of the source `-`. */
export const STDIN = '<stdin>'

export interface Reading {
  readonly sources: readonly Source[]
  /** The modules of folders that export no command, some with the reason. */
  readonly skipped: readonly string[]
  /** What to do about modules that cannot be read; null when none fails, or a message says it already. */
  readonly advice: string | null
}

const MODULE = /(?<!\.d)\.[cm]?[jt]sx?$/i
// Files in a folder that never contain definitions.
const NEVER_DEFINITIONS =
  /^(?:package|package-lock|tsconfig.*|jsconfig|deno)\.jsonc?$|\.(?:test|spec)\.[cm]?[jt]sx?$/i

/** A file of an argument. */
interface NamedFile {
  readonly file: string
  /** The real path, the same for all names of one file; null when there is none. */
  readonly path: string | null
  /** The argument that is a folder; null when an argument names the file. */
  readonly folder: string | null
}

/** Reads files, folders, and `-` for stdin, and tells the user which modules were left out. */
export async function readSources(io: Io, args: readonly string[]): Promise<readonly Source[]> {
  const { sources, skipped, advice } = await readFiles(io, args)
  if (skipped.length > 0) warn(io, skippedText(skipped))
  if (advice !== null) warn(io, advice)
  return sources
}

const MAX_SHOWN = 20

/** The modules that were left out, in one line. */
export function skippedText(skipped: readonly string[]): string {
  const more = skipped.length > MAX_SHOWN ? `, and ${skipped.length - MAX_SHOWN} more` : ''
  return `skipped, as they export no command: ${skipped.slice(0, MAX_SHOWN).join(', ')}${more}`
}

/** Reads files, folders, and `-` for stdin. Files of a folder without definitions are left out. */
export async function readFiles(io: Io, args: readonly string[]): Promise<Reading> {
  const named = await findFiles(io, args)
  const sources = [...rootsOf(io, named)]
  const roots = new Set(sources.map(({ file }) => file))
  const files = named.filter(({ folder }) => folder === null || !roots.has(folder))
  const paths = files.filter(isModule).map(({ path }) => path)
  const modules = await loadModules(io, paths)
  const moduleOf = ({ path }: NamedFile) => modules.get(path ?? '')
  const failures = files.map((file) => failureOf(moduleOf(file)))
  const skipped: string[] = []
  for (const [index, file] of files.entries()) {
    if (file.folder !== null && file.path === null) continue
    const module = moduleOf(file)
    const failure = failures[index]
    // One message stands for all modules that fail in the same way.
    if (failure !== undefined && failures.indexOf(failure) < index) continue
    const count = failures.filter((other) => other === failure).length
    const source = module ? moduleSource(io, file, module, count) : await readSource(io, file.file)
    if (file.folder === null || source.fault !== null || source.definitions.some(({ body }) => hasName(body)))
      sources.push(source)
    else if (module) skipped.push(file.file + reasonFor(module))
  }
  for (const folder of new Set(files.map((file) => file.folder))) {
    if (folder === null || sources.some(({ file }) => file.startsWith(`${folder}/`))) continue
    const inside = files.filter((file) => file.folder === folder && file.path !== null)
    const loaded = inside.flatMap((file) => moduleOf(file) ?? [])
    sources.push(emptyFolder(io, folder, inside.length, loaded))
  }
  const isUnread = ({ failure, host, exported }: LoadedModule) =>
    failure !== undefined || host !== undefined || exported?.hasPart === true
  const advice = [...modules.values()].some(isUnread) ? adviceBeside(io, sources) : null
  return { sources, skipped, advice }
}

function reasonFor({ host, exported }: LoadedModule): string {
  if (host !== undefined) return ` (connects to ${host})`
  return exported?.hasPart === true ? ' (only a part of one, which the program completes)' : ''
}

/** The advice about programs, unless it is part of a message. */
function adviceBeside({ cwd }: Io, sources: readonly Source[]): string | null {
  const advice = runAdvice(cwd)
  const texts = sources.flatMap(({ fault, notes = [] }) => [fault?.message ?? '', ...notes])
  return texts.some((text) => text.includes(advice)) ? null : advice
}

/** Why a module cannot be loaded. A refused connection mostly fails it too, and is the better reason. */
function failureOf(module: LoadedModule | undefined): string | undefined {
  return module?.host === undefined ? module?.failure?.message : undefined
}

/** The files of the arguments, in order, each once. */
async function findFiles(io: Io, args: readonly string[]): Promise<readonly NamedFile[]> {
  const found = new Map<string, NamedFile>()
  for (const arg of args) {
    const path = arg === '-' ? null : await realpath(resolve(io.cwd, arg)).catch(() => null)
    if (path === null || !(await stat(path)).isDirectory()) {
      found.set(path ?? arg, found.get(path ?? arg) ?? { file: arg, path, folder: null })
      continue
    }
    const folder = arg.replace(/(?<=.)[\\/]+$/, '')
    const files = await filesIn(path, folder, new Set())
    for (const file of files) if (!found.has(file.path)) found.set(file.path, { ...file, folder })
    // A folder without files is still reported.
    if (files.length === 0) found.set(path, { file: folder, path: null, folder })
  }
  return [...found.values()]
}

/** @param entered the real paths of the folders around this one, which a link may lead back to */
async function filesIn(
  folder: string,
  name: string,
  entered: Set<string>,
): Promise<readonly { readonly file: string; readonly path: string }[]> {
  if (entered.has(folder)) return []
  entered.add(folder)
  const names = await readdir(folder)
  const files: { file: string; path: string }[] = []
  for (const entry of names.sort()) {
    if (entry.startsWith('.') || entry === 'node_modules') continue
    const path = await realpath(join(folder, entry)).catch(() => null)
    // A link to nothing.
    if (path === null) continue
    const file = `${name}/${entry}`
    if ((await stat(path)).isDirectory()) files.push(...(await filesIn(path, file, entered)))
    else if ((MODULE.test(entry) || isJsonFile(entry)) && !NEVER_DEFINITIONS.test(entry))
      files.push({ file, path })
  }
  return files
}

export function isJsonFile(name: string): boolean {
  return /\.json$/i.test(name)
}

function isModule(file: NamedFile): file is NamedFile & { readonly path: string } {
  return file.path !== null && MODULE.test(file.file)
}

/** A folder or file without definitions, and the reason. */
function faultSource(file: string, message: string): Source {
  return { file, text: null, definitions: [], fault: plainFailure(message) }
}

/** Refuses to run every module of a project: some deploy, or start the bot. */
function rootsOf(io: Io, files: readonly NamedFile[]): readonly Source[] {
  const folders = new Set(files.filter(isModule).map(({ folder }) => folder))
  const likely = files.flatMap(
    ({ file }) => /^.*?[\\/][\w-]*(?:commands?|interactions?|slash)(?=[\\/])/i.exec(file)?.[0] ?? [],
  )
  return [...folders].flatMap((folder) => {
    if (folder === null || !existsSync(resolve(io.cwd, folder, 'package.json'))) return []
    const inside = likely.filter((path) => path.startsWith(`${folder}/`))
    // Others may have the text commands.
    const example = inside.find((path) => /slash/i.test(path)) ?? inside[0] ?? 'src/commands'
    return faultSource(
      folder,
      `is the root of a project. Modules are run to read their exports, so name the files or the folder of the commands, such as ${example.replace(/^\.\//, '')}`,
    )
  })
}

async function readSource(io: Io, file: string): Promise<Source> {
  const name = file === '-' ? STDIN : file
  if (file.endsWith('.py') && existsSync(resolve(io.cwd, file)))
    return faultSource(name, `is a program. ${runAdvice(io.cwd, `python3 ${file}`)}`)
  const text = file === '-' ? buffer(io.stdin).then(textOf) : readTextFile(io, file)
  return text
    .then((one) => jsonSource(name, one))
    .catch(({ message }: CommandError) => faultSource(name, message))
}

/** @param count how many modules fail in the same way, if this one fails */
function moduleSource({ cwd }: Io, { file, folder }: NamedFile, module: LoadedModule, count: number): Source {
  const { exported, failure, host } = module
  const { definitions = [], warnings = [], notes = [], faults = [], classes = [] } = exported ?? {}
  const hostNote =
    host === undefined ? [] : [`connects to ${host} while it loads, which is refused here. ${runAdvice(cwd)}`]
  const source = { file, text: null, definitions, fault: null, warnings, notes: [...notes, ...hostNote] }
  if (failure !== undefined && host === undefined) {
    const others = count > 1 ? ` (and ${counted(count - 1, 'other file')} with the same error)` : ''
    return { ...source, fault: { ...failure, message: failure.message + others } }
  }
  if (faults.length > 0) return { ...source, fault: plainFailure(faults.join('; ')) }
  if (definitions.length > 0 || folder !== null || exported?.repeats === true) return source
  const [
    message = `exports no command${classesText(classes)}; export it as default, or with a name. ${runAdvice(cwd)}`,
  ] = hostNote
  return faultSource(file, message)
}

function emptyFolder({ cwd }: Io, folder: string, count: number, modules: readonly LoadedModule[]): Source {
  const classes = modules.flatMap(({ exported }) => exported?.classes ?? [])
  const host = modules.find((module) => module.host !== undefined)?.host
  const connects = host === undefined ? '' : `, and one connects to ${host}`
  const files = counted(count, 'file')
  return faultSource(
    folder,
    `no command found in ${files}${connects}${classesText(classes)}. ${runAdvice(cwd)}`,
  )
}

function classesText(classes: readonly string[]): string {
  // A class that is exported without a name has the name "default", or none below decorators that esbuild compiled.
  const names = [...new Set(classes)].filter((name) => name !== 'default' && name !== '')
  return names.length === 0 ? '' : `; there are classes: ${listed(names.slice(0, 5))}`
}

/** @throws CommandError */
export function jsonSource(file: string, text: string): Source {
  return { file, text, definitions: definitionsIn(parseJson(text)), fault: null }
}

/** Whether a value in a file of a folder is meant as a command; folders contain other data files too. */
function hasName(body: unknown): boolean {
  return isObject(body) && 'name' in body
}

/**
 * Calls back at once and after each change of the files, until `end` resolves. It compares modification times: file
 * system events differ between systems and are missing when editors replace a file.
 */
export async function onEachState(
  io: Io,
  args: readonly string[],
  end: Promise<unknown>,
  changed: () => Promise<void>,
): Promise<void> {
  let isEnded = false
  const ended = end.then(() => {
    isEnded = true
  })
  for (let before = ''; !isEnded; await Promise.race([ended, pause(io.limits.poll)])) {
    const states = (await findFiles(io, args)).map(async ({ file }) => {
      const found = await stat(resolve(io.cwd, file)).catch(() => undefined)
      return `${file} ${found?.mtimeMs ?? 'missing'} ${found?.size ?? 0}`
    })
    const now = (await Promise.all(states)).join('\n')
    if (now !== before) await changed()
    before = now
  }
}
