/** The files of `commandry serve`: what the Editor shows of them, and their valid commands. */
import { counted, listed, printable } from '../../../core/text.ts'
import type { DefinitionFile } from '../../page/questions/query.ts'
import type { ApplicationSettings } from '../../../model/application.ts'
import { commandKey } from '../../../model/command-definition.ts'
import { gapsWithCommands, skippedAndOthers, type NotSeen } from '../../../model/not-seen.ts'
import { commandLabel } from '../../authoring/words.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import type { ApplicationDirectory } from '../../../commands/registry/directory.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import { isEntryPoint } from '../../../commands/registry/scope-rules.ts'
import { globalScope, type Scope } from '../../../commands/registry/scope.ts'
import { allErrors, findProblems, type FileFindings, type Origin } from '../../authoring/findings.ts'
import { print, type Io } from '../base/io.ts'
import { bigintsAsText, readTextFile } from '../base/text-file.ts'
import { countsOf } from '../base/format-findings.ts'
import { isJsonFile, onEachState, readFiles, skippedText, warnOfUnread } from './sources.ts'

/** The application that always has the commands of the files. */
interface Target {
  readonly registry: CommandRegistry
  readonly applications: ApplicationDirectory
  readonly applicationId: string
  /** Whether the store is lost with the service. */
  readonly isInMemory: boolean
}

/** The commands without errors that the files define, and where further ones may be defined. */
interface Definitions {
  readonly bodies: readonly unknown[]
  /** For each command, by its key, the file that defines it. */
  readonly files: ReadonlyMap<string, string>
  /** Files with errors, and other gaps. */
  readonly gaps: ReadonlySet<string>
}

export type ServedFiles = ReturnType<typeof servedFiles>

export function servedFiles(io: Io, args: readonly string[], target: Target | null) {
  let files: readonly DefinitionFile[] = []
  const deployment = target && new Deployment(target)
  let onRead = () => {}
  let onSave = () => {}
  const read = new Promise<void>((resolve) => (onRead = resolve))
  let turn: Promise<unknown> = Promise.resolve()
  /** A save and a login may come at once. */
  const inTurn = (work: () => Promise<string>): Promise<string> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
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
    /** From now on another application has the commands, beside those that are not of the files. */
    async moveTo(id: string): Promise<void> {
      if (deployment === null || args.length === 0 || id === target!.applicationId) return
      await read
      const note = await inTurn(() => deployment.moveTo(id))
      print(io, `${args.join(' ')}  now for application ${id}, whose bot has logged in${note}`)
    },
    /** Reads, deploys and reports the files at once and after each change, until `end`. */
    async follow(end: Promise<unknown>): Promise<void> {
      if (args.length === 0) return
      let isFirst = true
      await onEachState(io, args, end, async () => {
        const { sources, ...rest } = await readFiles(io, args)
        const { notSeen } = rest
        const problems = findProblems(sources, 'global', false, await deployment?.application())
        const checked = await Promise.all(problems.map((file) => definitionFile(io, file)))
        const now = servedDefinitions(problems, notSeen)
        const note = deployment === null ? '' : await inTurn(() => deployment.deploy(now))
        files = checked.map((file) => withRefusals(file, deployment?.refusals ?? []))
        print(io, `${args.join(' ')}  ${printable(summaryOf(problems, notSeen), 300)}${note}`)
        if (isFirst) warnOfUnread(io, rest)
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
 * The commands of the files in the registry.
 *
 * A deployed command that no file defines is deleted only if it cannot be defined where nothing was seen: each gap of now
 * was there when a file last defined it. So half a saved file deletes no command, at a start neither.
 */
class Deployment {
  readonly #target: Target
  #applicationId: string
  /** Whether commands that no file has defined are those of the bot, and stay. */
  #isOfBot = false
  #now: Definitions = { bodies: [], files: new Map(), gaps: new Set() }
  /** What the application has refused of the files. */
  refusals: readonly Refusal[] = []
  /** For each command that a file has defined, by its key, the gaps beside that file at the last time. */
  readonly #defined = new Map<string, ReadonlySet<string>>()

  constructor(target: Target) {
    this.#target = target
    this.#applicationId = target.applicationId
  }

  /** The settings of the application; undefined for one that supports all. */
  async application(): Promise<ApplicationSettings | undefined> {
    return this.#target.applications.get(this.#applicationId)
  }

  /**
   * Deploys the commands, without those that the application refuses.
   *
   * @returns what the user should know, which may be empty
   */
  async deploy(now: Definitions): Promise<string> {
    this.#now = now
    this.refusals = []
    for (const [key, file] of now.files)
      this.#defined.set(key, new Set([...now.gaps].filter((gap) => gap !== file)))
    const { registry } = this.#target
    const scope = globalScope(this.#applicationId)
    if (now.gaps.size > 0 || this.#isOfBot) return this.#deployBeside(scope)
    // An overwrite is refused as a whole.
    const refusal = await orRefusal(() => registry.overwrite(scope, now.bodies))
    return refusal === '' ? '' : this.#deployBeside(scope)
  }

  /** Deploys commands one by one, so that those which appear meanwhile are not replaced. */
  async #deployBeside(scope: Scope): Promise<string> {
    const { registry } = this.#target
    const { bodies, files, gaps } = this.#now
    const notes: string[] = []
    const rest = (await registry.list(scope)).filter(
      (command) => !files.has(commandKey(command)) && !isEntryPoint(command),
    )
    const kept = rest.filter((command) => !this.#mayDelete(commandKey(command)))
    for (const command of rest)
      if (!kept.includes(command)) notes.push(await orRefusal(() => registry.delete(scope, command.id)))
    // After the deletions: a renamed command of 100 would be one too many.
    for (const body of bodies) {
      const refusal = await orRefusal(() => registry.upsert(scope, body))
      if (refusal === '') continue
      const text = `${commandLabel(body)} ${refusal.replace(/^; /, '')}`
      this.refusals = [...this.refusals, { file: files.get(commandKey(body))!, text }]
      notes.push(`; ${text}`)
    }
    // Those of the bot are not missing in a file.
    const named = kept.filter((command) => !this.#isOfBot || this.#defined.has(commandKey(command)))
    const labels = listed(named.map((one) => commandLabel(one)))
    if (labels !== '')
      notes.push(`; not deleted: ${labels} (not seen: ${printable([...gaps].join(', '), 300)})`)
    return notes.join('')
  }

  #mayDelete(key: string): boolean {
    const { gaps } = this.#now
    const before = this.#defined.get(key)
    if (before === undefined) return gaps.size === 0 && !this.#isOfBot
    return [...gaps].every((gap) => before.has(gap))
  }

  /** From now on another application has the commands, beside its own. @returns what the user should know */
  async moveTo(id: string): Promise<string> {
    const { registry, isInMemory } = this.#target
    const [from, to] = [globalScope(this.#applicationId), globalScope(id)]
    const moved = (await registry.list(from)).filter((command) => this.#defined.has(commandKey(command)))
    const hasOwn = (await registry.list(to)).length > 0
    this.#applicationId = id
    this.#isOfBot = true
    for (const { id: _id, version, application_id, ...body } of moved)
      await orRefusal(() => registry.upsert(to, body))
    const beside = hasOwn ? `, beside its own commands; --application ${id} replaces those` : ''
    // A lasting store may have been filled by others.
    if (!isInMemory) return `${beside}; application ${from.applicationId} keeps what was deployed for it`
    for (const command of moved) await registry.delete(from, command.id)
    const { scopes, permissions } = await registry.snapshot(from.applicationId)
    const isEmpty = permissions.length === 0 && scopes.every(({ commands }) => commands.length === 0)
    if (isEmpty) await registry.deleteApplication(from.applicationId)
    return beside
  }
}

/** @returns why a change is refused, which is empty if it is not */
async function orRefusal(change: () => Promise<unknown>): Promise<string> {
  try {
    await change()
    return ''
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return `; not deployed: ${error.message}`
  }
}

/** A command of a file that was not deployed, and why. */
interface Refusal {
  readonly file: string
  readonly text: string
}

function withRefusals(file: DefinitionFile, refusals: readonly Refusal[]): DefinitionFile {
  const own = refusals.filter((one) => one.file === file.name).map(({ text }) => ({ line: null, text }))
  return { ...file, errors: [...file.errors, ...own] }
}

async function definitionFile(io: Io, found: FileFindings): Promise<DefinitionFile> {
  const { file } = found.source
  const errors = allErrors([found]).map(({ position, text }) => ({ line: position?.line ?? null, text }))
  return { name: file, text: await textOf(io, found.source), isReadOnly: !isJsonFile(file), errors }
}

async function textOf(io: Io, { file, text, definitions, fault }: Origin): Promise<string> {
  if (text !== null) return text
  // A file that is not valid JSON is shown unchanged; the editor marks the fault.
  if (isJsonFile(file)) return readTextFile(io, file).catch(() => '')
  const bodies = definitions.map(({ body }) => body)
  return fault?.message ?? JSON.stringify(bodies, bigintsAsText, 2)
}

/** The definitions without errors, and where others may be. */
function servedDefinitions(files: readonly FileFindings[], notSeen: readonly NotSeen[]): Definitions {
  const wrong = new Set(allErrors(files).map(({ definition }) => definition?.body))
  const all = files.flatMap(({ source }) =>
    source.definitions.flatMap(({ body }) => (wrong.has(body) ? [] : [{ body, file: source.file }])),
  )
  const broken = files.filter((file) => allErrors([file]).length > 0).map(({ source }) => source.file)
  return {
    bodies: all.map(({ body }) => body),
    files: new Map(all.map(({ body, file }) => [commandKey(body), file])),
    gaps: new Set([...broken, ...gapsWithCommands(notSeen).map(({ name }) => name)]),
  }
}

/** `22 commands, 1 error: commands/ban.json:2 /ban, description: is missing`. */
function summaryOf(files: readonly FileFindings[], notSeen: readonly NotSeen[]): string {
  const { skipped } = skippedAndOthers(notSeen)
  const errors = allErrors(files)
  const [first] = errors
  const commands = counted(countsOf(files).commands, 'command')
  if (first === undefined) return skipped.length === 0 ? commands : `${commands}; ${skippedText(skipped)}`
  const { source } = files.find(({ findings }) => findings.includes(first))!
  const line = first.position === null ? '' : `:${first.position.line}`
  return `${commands}, ${counted(errors.length, 'error')}: ${source.file}${line} ${first.text}`
}
