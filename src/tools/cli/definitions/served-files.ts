/** The files of `commandry serve`: what the Editor shows of them, and their valid commands. */
import { counted, listed, printable } from '../../../core/text.ts'
import type { DefinitionFile } from '../../page/questions/query.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import { leftOutIn, partsOf, type NotSeen } from '../../../model/not-seen.ts'
import { labelOf } from '../../authoring/words.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import { globalScope } from '../../../commands/registry/scope.ts'
import { errorsIn, findProblems, type FileFindings, type Source } from '../../authoring/findings.ts'
import { print, type Io } from '../base/io.ts'
import { bigintsAsText, readTextFile } from '../base/text-file.ts'
import { countsOf } from '../base/format-findings.ts'
import { isJsonFile, onEachState, readFiles, skippedText } from './sources.ts'

/** The application that always has the commands of the files. */
interface Target {
  readonly registry: CommandRegistry
  readonly applicationId: string
  /** Whether its commands outlive the service, so that none is deleted for a mere guess. */
  readonly isLasting: boolean
}

/** The commands without errors, and whether no others can be defined. */
interface Valid {
  readonly bodies: readonly unknown[]
  readonly isWhole: boolean
}

export type ServedFiles = ReturnType<typeof servedFiles>

export function servedFiles(io: Io, args: readonly string[], target: Target | null) {
  let files: readonly DefinitionFile[] = []
  // The commands that each file had when they were valid, for the time while it has errors or is not understood.
  const lastValid = new Map<string, readonly unknown[]>()
  let { applicationId = '' } = target ?? {}
  let valid: Valid = { bodies: [], isWhole: false }
  /** Whether the application has commands that are not of the files, as its bot has deployed them before. */
  let isShared = false
  const deployNow = async () =>
    target === null ? '' : deploy({ ...target, applicationId }, valid.bodies, valid.isWhole && !isShared)
  let onRead = () => {}
  let onSave = () => {}
  const read = new Promise<void>((resolve) => (onRead = resolve))
  return {
    /** The files for the Editor, after they were read and deployed for the first time. */
    async current(): Promise<readonly DefinitionFile[]> {
      if (args.length > 0) await read
      return files
    },
    /** Calls a function after the files were saved and deployed again. */
    onSave(listener: () => void): void {
      onSave = listener
    },
    /** From now on another application has the commands, beside those that it has already. */
    async moveTo(id: string): Promise<void> {
      if (target === null || args.length === 0 || id === applicationId) return
      const [{ registry }, before] = [target, applicationId]
      applicationId = id
      await read
      isShared = (await registry.list(globalScope(id))).length > 0
      const note = isShared
        ? `, beside its own commands; --application ${id} replaces them`
        : await deployNow()
      if (!target.isLasting) await registry.deleteApplication(before)
      print(io, `${args.join(' ')}  now for application ${id}, whose bot has logged in${note}`)
    },
    /** Reads, deploys and reports the files at once and after each change, until `end`. */
    async follow(end: Promise<unknown>): Promise<void> {
      if (args.length === 0) return
      let isFirst = true
      await onEachState(io, args, end, async () => {
        const { sources, notSeen } = await readFiles(io, args)
        const problems = findProblems(sources, 'global')
        files = await Promise.all(problems.map((file) => definitionFile(io, file)))
        valid = validIn(problems, notSeen, lastValid)
        const note = await deployNow()
        print(io, `${args.join(' ')}  ${printable(summaryOf(problems, notSeen), 300)}${note}`)
        onRead()
        if (!isFirst) onSave()
        isFirst = false
      })
      // At the end, what waits for files that were not read goes on.
      onRead()
    },
  }
}

/**
 * Deploys commands. While not all was seen of the files, what is deployed and not among the commands stays: it may be
 * defined where nothing was seen.
 *
 * @returns what the user should know, which may be empty
 */
async function deploy(
  { registry, applicationId }: Target,
  bodies: readonly unknown[],
  isWhole: boolean,
): Promise<string> {
  try {
    const scope = globalScope(applicationId)
    const keys = new Set(bodies.map(keyOf))
    const ids = new Set(bodies.map((body) => (body as { id?: unknown }).id))
    const isDefined = (one: ApplicationCommand) => keys.has(keyOf(one)) || ids.has(one.id)
    const kept = isWhole ? [] : (await registry.list(scope)).filter((one) => !isDefined(one))
    await registry.overwrite(scope, [...bodies, ...kept])
    return kept.length === 0 ? '' : `; not deleted: ${listed(kept.map((one) => labelOf(one)))}`
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return `; not deployed: ${error.message}`
  }
}

async function definitionFile(io: Io, found: FileFindings): Promise<DefinitionFile> {
  const { file } = found.source
  const errors = errorsIn([found]).map(({ position, text }) => ({ line: position?.line ?? null, text }))
  return { name: file, text: await textOf(io, found.source), isReadOnly: !isJsonFile(file), errors }
}

async function textOf(io: Io, { file, text, definitions, fault }: Source): Promise<string> {
  if (text !== null) return text
  // A file that is not valid JSON is shown unchanged; the editor marks the fault.
  if (isJsonFile(file)) return readTextFile(io, file).catch(() => '')
  const bodies = definitions.map(({ body }) => body)
  return fault?.message ?? JSON.stringify(bodies, bigintsAsText, 2)
}

/**
 * The definitions without errors, and whether they are all. A file that has errors, or is not understood, keeps the commands that it had before, as
 * an author who saves half a command deletes none.
 */
function validIn(
  files: readonly FileFindings[],
  notSeen: readonly NotSeen[],
  lastValid: Map<string, readonly unknown[]>,
): Valid {
  const wrong = new Set(errorsIn(files).map(({ definition }) => definition?.body))
  const valid = files.map(({ source, findings }) => {
    const bodies = source.definitions.map(({ body }) => body).filter((body) => !wrong.has(body))
    const isBroken = findings.some(({ level }) => level === 'error')
    return { file: source.file, bodies, isBroken }
  })
  const all = valid.flatMap(({ bodies }) => bodies)
  const keys = new Set(all.map(keyOf))
  const broken = valid.filter(({ isBroken }) => isBroken).map(({ file }) => file)
  const leftOut = leftOutIn(notSeen)
  for (const name of [...broken, ...leftOut.map((one) => one.name)]) {
    const kept = (lastValid.get(name) ?? []).filter((body) => !keys.has(keyOf(body)))
    all.push(...kept)
    for (const body of kept) keys.add(keyOf(body))
  }
  for (const { file, bodies, isBroken } of valid) if (!isBroken) lastValid.set(file, bodies)
  // What nobody has seen since the start may define any command.
  const isWhole =
    broken.every((file) => lastValid.has(file)) && leftOut.every(({ kind }) => kind !== 'folder')
  return { bodies: all, isWhole }
}

/** Commands of one type and name replace each other. */
function keyOf(body: unknown): string {
  const { type, name } = body as { type?: number; name?: string }
  return `${type ?? 1} ${name}`
}

/** `22 commands, 1 error: commands/ban.json:2 /ban, description: is missing`. */
function summaryOf(files: readonly FileFindings[], notSeen: readonly NotSeen[]): string {
  const { skipped } = partsOf(notSeen)
  const errors = errorsIn(files)
  const [first] = errors
  const commands = counted(countsOf(files).commands, 'command')
  if (first === undefined) return skipped.length === 0 ? commands : `${commands}; ${skippedText(skipped)}`
  const { source } = files.find(({ findings }) => findings.includes(first))!
  const line = first.position === null ? '' : `:${first.position.line}`
  return `${commands}, ${counted(errors.length, 'error')}: ${source.file}${line} ${first.text}`
}
