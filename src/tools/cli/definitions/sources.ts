/** Reads definitions from files, folders and stdin, and watches them. */
import { existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { notSeenLines, skippedAndOthers, type NotSeen, type NotSeenKind } from '../../../model/not-seen.ts'
import { definitionsIn, type Definition } from '../../authoring/definitions-in-body.ts'
import type { Origin } from '../../authoring/findings.ts'
import { assignedKeys, commandKeys } from '../../../commands/definition/fields/command.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import { counted, listed, printable, withoutEnd } from '../../../core/text.ts'
import { usageError, type CommandError } from '../base/errors.ts'
import { warn, type Io } from '../base/io.ts'
import { plainFailure } from './plain-failure.ts'
import { runAdvice } from './run-advice.ts'
import { InvalidJson, parseJsonText, readTextFile, decodedText } from '../base/text-file.ts'
import type { LoadedModule } from './loader.ts'
import { isLikeOneOf } from './module-exports.ts'
import { loadModules } from './modules.ts'
import { isCommandFile, verdictOf, type ExportKind } from './verdict.ts'

/** The name of the source `-`. */
export const STDIN = '<stdin>'

export interface SourceReading {
  readonly sources: readonly Origin[]
  /** What was left out of folders, the files that could not be loaded, and what only the program builds. */
  readonly notSeen: readonly NotSeen[]
  /** What to do about modules that cannot be read; null when none fails, or a message says it already. */
  readonly advice: string | null
}

const MODULE = /(?<!\.d)\.[cm]?[jt]sx?$/i
// Files in a folder that never contain definitions to deploy, such as those that a deploy has saved.
const NEVER_DEFINITIONS =
  /^(?:package|package-lock|tsconfig.*|jsconfig|deno|pnpm-lock|(?:docker-)?compose|\d+-(?:global|\d+)-\d{8}T\d{4}(?:-\d+)?)\.(?:jsonc?|ya?ml)$|\.(?:test|spec)\.[cm]?[jt]sx?$/i

/** A file of an argument. */
interface NamedFile {
  readonly file: string
  /** The real path, the same for all names of one file; null without a file. */
  readonly path: string | null
  /** The folder that was given; null for a file that was given itself. */
  readonly folder: string | null
}

/** Reads files, folders, and `-` for stdin, and tells the user what was not seen. */
export async function readSources(io: Io, args: readonly string[]): Promise<SourceReading> {
  const reading = await readFiles(io, args)
  warnOfSkipped(io, reading.notSeen)
  warnOfUnread(io, reading)
  return reading
}

/** Prints what was seen and not read, but files that were not loaded, which their errors name. */
export function warnOfUnread(io: Io, { notSeen, advice }: Omit<SourceReading, 'sources'>): void {
  const { others } = skippedAndOthers(notSeen)
  for (const line of notSeenLines(others.filter(({ kind }) => kind !== 'file'))) warn(io, line)
  if (advice !== null) warn(io, advice)
}

/** Prints what was skipped in folders. */
export function warnOfSkipped(io: Io, notSeen: readonly NotSeen[]): void {
  const { skipped } = skippedAndOthers(notSeen)
  if (skipped.length > 0) warn(io, skippedText(skipped))
}

const MAX_SHOWN = 20

/** What was left out, in one line. */
export function skippedText(skipped: readonly string[]): string {
  const more = skipped.length > MAX_SHOWN ? `, and ${skipped.length - MAX_SHOWN} more` : ''
  return `skipped, as they hold no command: ${skipped.slice(0, MAX_SHOWN).join(', ')}${more}`
}

// Configuration files have ids and versions too.
const FIELDS: ReadonlySet<string> = new Set(commandKeys.filter((key) => !assignedKeys.includes(key)))
/** Fields of web manifests, which have a name and a description too. */
const MANIFEST = ['start_url', 'icons', 'display', 'short_name', 'theme_color', 'manifest_version']

const isManifest = (body: JsonObject) => MANIFEST.some((field) => field in body)

/** What an object of a JSON file in a folder is; it may lack its name. */
function jsonVerdict(file: string, { body, path }: Definition): ExportKind {
  const isExpected = path.length === 0 || !(isObject(body) && 'name' in body)
  const isLikeField = (key: string) => isLikeOneOf(FIELDS, key)
  const place = { path, isExpected, isCommandFile: isCommandFile(file), isLikeField }
  return verdictOf(body, place)
}

/** Reads files, folders, and `-` for stdin. Files of a folder without definitions are left out. */
export async function readFiles(io: Io, args: readonly string[]): Promise<SourceReading> {
  const { files: named, folders, notSeen } = await findFiles(io, args)
  const filesOf = (folder: string) => named.filter((file) => file.folder === folder)
  const sources = folders.flatMap((folder) => rootSource(io, folder, filesOf(folder)) ?? [])
  const files = named.filter(({ folder }) => !sources.some(({ file }) => file === folder))
  const paths = (all: readonly NamedFile[]) => all.filter(isModule).map(({ path }) => path)
  const modules = await loadModules(io, paths(files), paths(files.filter(isOfCommands)))
  const moduleOf = ({ path }: NamedFile) => modules.get(path ?? '')
  const failures = files.map((file) => moduleOf(file)?.failure?.message)
  for (const [index, file] of files.entries()) {
    const module = moduleOf(file)
    const failure = failures[index]
    notSeen.push(...(failure === undefined ? leftOut(file.file, module) : [unread(file.file)]))
    // One message stands for all modules that fail in the same way.
    if (failure !== undefined && failures.indexOf(failure) < index) continue
    const count = failures.filter((other) => other === failure).length
    const source = module ? moduleSource(io, file, module, count) : await readSource(io, file.file)
    const found = module ? verdictOfModule(module) : verdictOfJson(source)
    if (file.folder === null || source.fault !== null || found === 'command') sources.push(source)
    else if (found === 'other') notSeen.push(data(file.file, module ? reasonFor(module) : dataReason(source)))
    else if (!module) notSeen.push({ kind: 'object', name: file.file, reason: PERHAPS })
    if (failure === undefined && source.fault !== null) notSeen.push(unread(file.file))
  }
  const connecting = files.find((file) => moduleOf(file)?.host !== undefined)?.file
  const advice = runAdvice(io.cwd, undefined, connecting)
  for (const folder of folders)
    if (!sources.some(({ file }) => file === folder || file.startsWith(`${folder}/`)))
      sources.push(emptyFolder(folder, filesOf(folder).map(moduleOf), advice))
  const isFolder = ({ file }: Origin) => folders.includes(file)
  notSeen.push(...sources.filter(isFolder).map(({ file }) => unread(file)))
  const isUnread = ({ failure, host, exported }: LoadedModule) =>
    failure ??
    host ??
    (exported?.hasPart || [...(exported?.commandClasses ?? []), ...(exported?.unsure ?? [])].length > 0)
  const isGiven = sources.some(({ fault, notes = [] }) => [fault?.message, ...notes].join().includes(advice))
  return {
    sources,
    notSeen,
    advice: !isGiven && [...modules.values()].some(isUnread) ? advice : null,
  }
}

const unread = (name: string): NotSeen => ({ kind: 'file', name, reason: 'not loaded' })
const data = (name: string, reason: string): NotSeen => ({ kind: 'data', name, reason })
const folder = (name: string, reason: string): NotSeen => ({ kind: 'folder', name, reason })

const NAMELESS = 'without a name, which only the program adds'
const PERHAPS = 'perhaps a command; to have it checked, export it as "commands"'

function verdictOfModule({ exported }: LoadedModule): ExportKind {
  const { definitions = [], unsure = [] } = exported ?? {}
  if (definitions.some(({ body }) => isObject(body) && !isManifest(body))) return 'command'
  return unsure.length > 0 ? 'unsure' : 'other'
}

/** One command makes the others of its file expected. */
function verdictOfJson({ file, definitions }: Origin): ExportKind {
  const found = definitions.map((definition) => jsonVerdict(file, definition))
  return (['command', 'unsure'] as const).find((verdict) => found.includes(verdict)) ?? 'other'
}

/** What a module exports that only its program makes commands of. */
function leftOut(file: string, module: LoadedModule | undefined): readonly NotSeen[] {
  if (module?.exported === undefined) return []
  const { commandClasses, hasPart, makers, promises, definitions, unsure } = module.exported
  const gap = (kind: NotSeenKind, reason: string) => (name: string) => ({
    kind,
    name: `${name} of ${file}`,
    reason,
  })
  const built = 'only the program builds the command'
  return [
    ...commandClasses.map(gap('class', built)),
    ...(hasPart && commandClasses.length === 0 ? ['that'] : []).map(gap('object', built)),
    ...unsure.map(({ name, isNamed }) => gap('object', isNamed ? PERHAPS : NAMELESS)(name)),
    // A module without a command is a gap as a whole.
    ...(definitions.length === 0 ? [] : makers).map(gap('function', 'only the program calls it')),
    ...(definitions.length === 0 ? [] : promises).map(
      gap('object', 'a promise, which only the program awaits'),
    ),
  ]
}

/** Prints why files cannot be read. */
export function warnOfFaults(io: Io, sources: readonly Origin[]): void {
  for (const { file, fault } of sources) if (fault !== null) warn(io, printable(`${file}: ${fault.message}`))
}

function dataReason({ definitions: [first] }: Origin): string {
  return isObject(first?.body) && isManifest(first.body) ? 'a web manifest' : ''
}

function reasonFor({ host, exported }: LoadedModule): string {
  if (host !== undefined) return `connects to ${host}`
  return exported?.hasPart === true ? 'only a part of one, which the program completes' : ''
}

/** What a search finds: the files in order, each once, and what it leaves out. */
interface Search {
  readonly files: Map<string, NamedFile>
  readonly notSeen: NotSeen[]
  /** The real path of the folder that was given, which links may not leave. */
  readonly root: string
  /** The folder that was given, by its name. */
  readonly folder: string
}

/** The files of the arguments, the folders that are not named twice, and what was left out. @throws CommandError */
async function findFiles(io: Io, args: readonly string[]) {
  const files = new Map<string, NamedFile>()
  const folders = new Set<string>()
  const notSeen: NotSeen[] = []
  for (const arg of args) {
    // Such as a variable of the shell that is not set; it would stand for the current folder.
    if (arg.trim() === '') throw usageError('FILE is empty; "." stands for the current folder')
    const path = arg === '-' ? null : await realpath(resolve(io.cwd, arg)).catch(() => null)
    const found = path === null ? undefined : await stat(path)
    if (path === null || !found!.isDirectory()) {
      // A pipe or a device is not loaded as a module.
      const named = { file: arg, path: found?.isFile() ? path : null, folder: null }
      if (!files.has(path ?? arg)) files.set(path ?? arg, named)
      continue
    }
    const folder = arg[0] + withoutEnd(arg.slice(1), '\\/')
    const [before, all] = [files.size, new Map<string, NamedFile>()]
    await searchFolder({ files: all, notSeen, root: path, folder }, path, folder, new Set())
    for (const [key, file] of all) if (!files.has(key)) files.set(key, file)
    if (all.size === 0 || files.size > before) folders.add(folder)
  }
  return { files: [...files.values()], folders: [...folders], notSeen }
}

/** Formats that are not read, in which commands may be written. */
const OTHER_FORMAT = /\.(?:ya?ml|json5|jsonc)$/i

/** @param entered the real paths of the folders around this one, which a link may lead back to */
async function searchFolder(search: Search, path: string, name: string, entered: Set<string>): Promise<void> {
  if (entered.has(path)) return
  entered.add(path)
  const { files, notSeen, root, folder: given } = search
  const names = await readdir(path).catch(({ code }: NodeJS.ErrnoException) => {
    notSeen.push(folder(`${name}/`, `cannot be read: ${code}`))
    return []
  })
  for (const entry of names.sort()) {
    if (entry.startsWith('.') || entry === 'node_modules') continue
    const file = `${name}/${entry}`
    const isFile = (MODULE.test(entry) || isJsonFile(entry)) && !NEVER_DEFINITIONS.test(entry)
    const real = await realpath(join(path, entry)).catch(({ code }: NodeJS.ErrnoException) => {
      // A link to nothing may stand for a file or a folder that is missing only here.
      const reason = code === 'ENOENT' ? 'a link to nothing' : `cannot be read: ${code}`
      if (isFile || extname(entry) === '') notSeen.push(folder(file, reason))
      return null
    })
    if (real === null) continue
    const found = await stat(real)
    const isFolder = found.isDirectory()
    if (!`${real}${sep}`.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) {
      if (isFolder || isFile) notSeen.push(folder(file, `a link that leaves ${given}`))
    } else if (isFolder) await searchFolder(search, real, file, entered)
    // To read a pipe could wait for ever.
    else if (isFile && !found.isFile()) notSeen.push(data(file, 'neither a file nor a folder'))
    else if (isFile && !files.has(real)) files.set(real, { file, path: real, folder: given })
    else if (OTHER_FORMAT.test(entry) && !NEVER_DEFINITIONS.test(entry)) notSeen.push(data(file, 'not JSON'))
  }
}

export function isJsonFile(name: string): boolean {
  return /\.json$/i.test(name)
}

const isOfCommands = ({ file, folder }: NamedFile) => folder === null || isCommandFile(file)

function isModule(file: NamedFile): file is NamedFile & { readonly path: string } {
  return file.path !== null && MODULE.test(file.file)
}

/** A folder or file without definitions, and the reason. */
function faultSource(file: string, message: string): Origin {
  return { file, text: null, definitions: [], fault: plainFailure(message) }
}

/** Refuses to run every module of a project: some deploy, or start the bot. Undefined for other folders. */
function rootSource(io: Io, folder: string, files: readonly NamedFile[]): Origin | undefined {
  if (!files.some(isModule) || !existsSync(resolve(io.cwd, folder, 'package.json'))) return undefined
  const likely = files.flatMap(
    ({ file }) => /^.*?[\\/][\w-]*(?:commands?|interactions?|slash)(?=[\\/])/i.exec(file)?.[0] ?? [],
  )
  // Others may have the text commands.
  const example = likely.find((path) => /slash/i.test(path)) ?? likely[0] ?? 'src/commands'
  return faultSource(
    folder,
    `is the root of a project. Modules are run to read their exports, so name the files or the folder of the commands, such as ${example.replace(/^\.\//, '')}. ${runAdvice(io.cwd)}`,
  )
}

async function readSource(io: Io, file: string): Promise<Origin> {
  const name = file === '-' ? STDIN : file
  if (file.endsWith('.py') && existsSync(resolve(io.cwd, file)))
    return faultSource(name, `is a program. ${runAdvice(io.cwd, `python3 ${file}`)}`)
  const text = file === '-' ? buffer(io.stdin).then(decodedText) : readTextFile(io, file)
  return text
    .then((one) => jsonSource(name, one))
    .catch((error: CommandError) => {
      const source = faultSource(name, error.message)
      return error instanceof InvalidJson && error.fault
        ? { ...source, fault: { ...error.fault, stack: null } }
        : source
    })
}

/** @param count how many modules fail in the same way, if this one fails */
function moduleSource({ cwd }: Io, { file, folder }: NamedFile, module: LoadedModule, count: number): Origin {
  const { exported, failure, host } = module
  const { definitions = [], warnings = [], camelCase = [], faults = [], classes = [] } = exported ?? {}
  const hostNote =
    host === undefined
      ? []
      : [`connects to ${host} while it loads, which is refused here. ${runAdvice(cwd, undefined, file)}`]
  const source = { file, text: null, definitions, fault: null, warnings, camelCase, notes: hostNote }
  if (failure !== undefined) {
    const others = count > 1 ? ` (and ${counted(count - 1, 'other file')} with the same error)` : ''
    return { ...source, fault: { ...failure, message: failure.message + others }, alike: count - 1 }
  }
  if (faults.length > 0) return { ...source, fault: plainFailure(faults.join('; ')) }
  if (definitions.length > 0 || folder !== null || exported?.repeats === true) return source
  const [
    message = `exports no command${classesText(classes)}; export it as default, or with a name. ${runAdvice(cwd)}`,
  ] = hostNote
  return faultSource(file, message)
}

/** @param modules undefined for each file that is not a module */
function emptyFolder(folder: string, modules: readonly (LoadedModule | undefined)[], advice: string): Origin {
  const files = counted(modules.length, 'file')
  const host = modules.find((module) => module?.host !== undefined)?.host
  const connects = host === undefined ? '' : `, and one connects to ${host}`
  const classes = classesText(modules.flatMap((module) => module?.exported?.classes ?? []))
  return faultSource(folder, `no command found in ${files}${connects}${classes}. ${advice}`)
}

function classesText(classes: readonly string[]): string {
  // A class that is exported without a name has the name "default", or none below decorators that esbuild compiled.
  const names = [...new Set(classes)].filter((name) => name !== 'default' && name !== '')
  return names.length === 0 ? '' : `; there are classes: ${listed(names.slice(0, 5))}`
}

/** @throws CommandError */
export function jsonSource(file: string, text: string): Origin {
  return { file, text, definitions: definitionsIn(parseJsonText(text)), fault: null }
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
  for (let before: string | undefined; !isEnded; await Promise.race([ended, pause(io.limits.poll)])) {
    const { files } = await findFiles(io, args)
    const states = files.map(async ({ file }) => {
      const found = await stat(resolve(io.cwd, file)).catch(() => undefined)
      return `${file} ${found?.mtimeMs ?? 'missing'} ${found?.size ?? 0}`
    })
    const now = (await Promise.all(states)).join('\n')
    if (now !== before) await changed()
    before = now
  }
}
