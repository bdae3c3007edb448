/** The problems of definitions: each with its place, its words and its repair. */
import { commandIdUnique, commandUnique } from '../../commands/definition/rules/command-list-rules.ts'
import { describeIssue } from '../../commands/definition/format-issues.ts'
import { isObject, jsonValue, valueAt } from '../../core/json.ts'
import { openApplication, type ApplicationSettings } from '../../model/application.ts'
import { duplicateKeys, nodeFinder, positionsIn, type Position } from './locate.ts'
import type { Issue } from '../../core/rules/report.ts'
import type { Edit, Fix, Path, PathStep, Rule } from '../../core/rules/rule.ts'
import { quoted } from '../../core/text.ts'
import { rulesOfCommands } from '../../commands/definition/rules/definition-rules.ts'
import { validateCommands } from '../../commands/validate.ts'
import type { Definition } from './definitions-in-body.ts'
import { commandLabel } from './words.ts'

/** Why a file cannot be used. */
export interface FileFault {
  readonly message: string
  readonly position: Position | null
  /** The stack trace of a module's own error. */
  readonly stack: string | null
}

/** A file, and the definitions in it. */
export interface Origin {
  /** The name on the command line, or in a folder of it; `<stdin>` for `-`. */
  readonly file: string
  /** The JSON text; null for modules and for files that cannot be read. */
  readonly text: string | null
  readonly definitions: readonly Definition[]
  readonly fault: FileFault | null
  /** How many other files this one stands for, which have the same fault. */
  readonly alike?: number
  /** True for a list without a file, such as one that a program deployed. */
  readonly isList?: boolean
  /** What may surprise the author of a module, a sentence each. */
  readonly warnings?: readonly string[]
  /** The names in camel case that were read as fields, each with the field. */
  readonly camelCase?: readonly (readonly [name: string, field: string])[]
  /** What was refused. */
  readonly notes?: readonly string[]
}

/** A repair that the author can choose, as edits of the file. */
export interface FixOffer {
  readonly label: string
  readonly edits: readonly Edit[]
}

/** A problem of a file. */
export interface Finding {
  readonly level: 'error' | 'warning'
  /** The code of the rule; `file` for a problem of the file itself. */
  readonly code: string
  /** From the file, or from the exports of the module, to the value. */
  readonly path: Path
  /** The line and column of the value; null in modules. */
  readonly position: Position | null
  /** Such as `/ping`; null for the file or the whole list. */
  readonly command: string | null
  /** The name of the innermost option. */
  readonly option: string | null
  readonly locale: string | null
  /** The place in words; empty for the whole. */
  readonly place: string
  /** The place in words, and the problem. */
  readonly text: string
  /** The problem without the place. */
  readonly message: string
  /** Null for a problem of the file itself. */
  readonly issue: Issue | null
  /** Undefined for the whole list. */
  readonly definition: Definition | undefined
  /** The safe repair, as edits of the file; empty without one. */
  readonly repair: readonly Edit[]
  /** The repairs to choose from: the safe one, or several of which only the author can choose. */
  readonly fixes: readonly FixOffer[]
}

export interface FileFindings {
  readonly source: Origin
  readonly findings: readonly Finding[]
}

export function allFindings(files: readonly FileFindings[]): readonly Finding[] {
  return files.flatMap(({ findings }) => findings)
}

export function allErrors(files: readonly FileFindings[]): readonly Finding[] {
  return allFindings(files).filter(({ level }) => level === 'error')
}

export type DefinitionSet = ReturnType<typeof definitionSet>

/** The definitions of all files as one list, as a deploy sends them. */
export function definitionSet(sources: readonly Origin[]) {
  // The definition of each body, and its file.
  const origins = sources.flatMap((source) =>
    source.definitions.map((definition) => ({ ...definition, source })),
  )
  return { sources, origins, bodies: origins.map(({ body }) => body) }
}

/**
 * Validates the definitions of files together.
 *
 * @param each whether every file is a set of its own
 * @param application the one that the commands are for. Default: one that supports all
 */
export function findProblems(
  sources: readonly Origin[],
  scope: 'global' | 'guild',
  each = false,
  application: ApplicationSettings = openApplication,
): readonly FileFindings[] {
  if (each && sources.length > 1)
    return sources.flatMap((source) => findProblems([source], scope, false, application))
  const set = definitionSet(sources)
  const validation = validateCommands(set.bodies, { scope, application })
  return assignToFiles(set, validation.ok ? [] : validation.issues, validation.warnings)
}

/** Assigns each issue of a list of definitions to the file of its definition, in the order of the text. */
export function assignToFiles(
  set: DefinitionSet,
  errors: readonly Issue[],
  warnings: readonly Issue[],
): readonly FileFindings[] {
  const { sources, origins } = set
  const own = new Map(sources.map((source) => [source, fileProblems(source)]))
  const broken = new Set(errors.map(({ path }) => path[0]))
  for (const [level, issues] of [['error', errors] as const, ['warning', warnings] as const]) {
    for (const issue of issues) {
      // An issue of the whole list, such as the number of commands, belongs to the first file.
      const source = origins[Number(issue.path[0])]?.source ?? sources[0]
      if (source !== undefined) own.get(source)!.push(findingOf(set, level, issue, source))
    }
  }
  for (const [index, { source, thrown, path, body }] of origins.entries()) {
    if (thrown === undefined || broken.has(index)) continue
    const text = `${commandLabel(body, index)}: ${thrown}`
    own.get(source)!.push({ ...fileProblem('error', thrown), path, text })
  }
  return sources.map((source) => ({ source, findings: inText(source, own.get(source)!) }))
}

function fileProblems({ fault, warnings = [] }: Origin): Finding[] {
  const found = warnings.map((warning) => fileProblem('warning', warning))
  return fault === null ? found : [fileProblem('error', fault.message, fault.position), ...found]
}

function fileProblem(level: Finding['level'], message: string, position: Position | null = null): Finding {
  return {
    ...{ level, code: 'file', path: [], position, command: null, option: null, locale: null },
    ...{ place: '', text: message, message, issue: null, definition: undefined, repair: [], fixes: [] },
  }
}

function findingOf(set: DefinitionSet, level: Finding['level'], issue: Issue, source: Origin): Finding {
  const [index, ...rest] = issue.path
  const definition = typeof index === 'number' ? set.origins[index] : undefined
  const message = messageIn(set, issue, source)
  const { place, problem } = describeIssue({ ...issue, message }, set.bodies, commandLabel)
  return {
    level,
    code: issue.code,
    path: definition === undefined ? [] : [...definition.path, ...rest],
    position: null,
    command: typeof index === 'number' ? commandLabel(definition?.body, index) : null,
    option: optionOf(issue.path, set.bodies),
    locale: localeOf(issue.path),
    place,
    text: place === '' ? problem : `${place}: ${problem}`,
    message,
    issue,
    definition,
    ...repairsOf(issue, definition),
  }
}

/** The message of an issue. A list of files has no numbers that the author sees, so another command has its file. */
function messageIn(set: DefinitionSet, { code, message, params, path }: Issue, source: Origin): string {
  const { origins, bodies } = set
  if (isGivenAsUndefined(bodies, path)) return 'is undefined; is a variable of the environment unset?'
  const rule = [commandUnique, commandIdUnique].find((each) => each.code === code)
  const index = params.index as number
  const origin = origins[index]
  if (rule === undefined || origin === undefined) return message
  const place =
    origin.source === source ? `of this ${source.isList ? 'list' : 'file'}` : `in ${origin.source.file}`
  return rule.message({ ...params, other: `${commandLabel(origin.body, index)} ${place}` } as never)
}

/** Whether a module gives a field or an item without a value; JSON has no such thing. */
function isGivenAsUndefined(bodies: readonly unknown[], path: Path): boolean {
  const holder = valueAt(bodies, path.slice(0, -1))
  const key = path.at(-1)
  if (typeof holder !== 'object' || holder === null || key === undefined) return false
  return Object.hasOwn(holder, key) && (holder as Readonly<Record<PathStep, unknown>>)[key] === undefined
}

// Not the whole catalogue, which takes longer to load than most files to check.
const ruleByCode: ReadonlyMap<string, Rule<string>> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ rulesOfCommands().map((rule) => [rule.code, rule]),
)

function repairsOf(
  { code, path, params }: Issue,
  definition: Definition | undefined,
): Pick<Finding, 'repair' | 'fixes'> {
  const rule = ruleByCode.get(code)
  if (rule === undefined || definition === undefined) return { repair: [], fixes: [] }
  const body = jsonValue(definition.body)
  const editsOf = (fix: Fix<any>) =>
    fix(body, { path: path.slice(1), params }).map((edit): Edit => ({
      ...edit,
      path: [...definition.path, ...edit.path],
    }))
  const repair = rule.fix === null ? [] : editsOf(rule.fix)
  const offers = Object.entries(rule.offers ?? {}).map(([label, fix]) => ({ label, edits: editsOf(fix) }))
  const fixes = [{ label: 'Fix it', edits: repair }, ...offers].filter(({ edits }) => edits.length > 0)
  return { repair, fixes }
}

function optionOf(path: Path, bodies: readonly unknown[]): string | null {
  const end = path.findLastIndex((step, index) => step === 'options' && index + 1 < path.length)
  const option = end < 0 ? undefined : valueAt(bodies, path.slice(0, end + 2))
  return isObject(option) && typeof option.name === 'string' ? option.name : null
}

function localeOf(path: Path): string | null {
  const index = path.findIndex((step) => typeof step === 'string' && step.endsWith('_localizations'))
  const key = index < 0 ? undefined : path[index + 1]
  return typeof key === 'string' ? key : null
}

/** Findings with lines and columns, in the order of the text. */
function inText({ text }: Origin, findings: readonly Finding[]): readonly Finding[] {
  if (text === null) return findings
  const find = nodeFinder(text)
  const positionOf = positionsIn(text)
  const duplicates = duplicateKeys(text).map(({ path, start }) => {
    const message = `${quoted(String(path.at(-1)))} is a duplicate key; the last one counts, so remove the others`
    return { finding: { ...fileProblem('warning', message, positionOf(start)), path }, start }
  })
  return findings
    .map((finding) => {
      if (finding.issue === null) return { finding, start: 0 }
      const { node, depth } = find(finding.path)
      const isAboutKey = depth === finding.path.length && finding.issue.about === 'key'
      const { start } = (isAboutKey && node.key) || node
      return { finding: { ...finding, position: positionOf(start) }, start }
    })
    .concat(duplicates)
    .sort((a, b) => a.start - b.start)
    .map(({ finding }) => finding)
}
