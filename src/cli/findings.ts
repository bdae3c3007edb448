/** Validates the definitions in files, and locates each problem in its file. */
import { commandListRules } from '../command/commands.ts'
import { formatIssues } from '../command/format-issues.ts'
import { CommandType, commandTypeNames } from '../command/types.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { duplicateKeys, locateAll, positionsIn, type Position } from '../core/locate.ts'
import type { Issue } from '../core/report.ts'
import type { Path } from '../core/rule.ts'
import { quoted } from '../core/text.ts'
import { validateCommands } from '../reference/validate.ts'
import type { Definition } from './exports.ts'
import type { Source } from './sources.ts'

/** A problem of a file. */
export interface Finding {
  readonly level: 'error' | 'warning'
  /** The code of the rule; `file` for a problem of the file itself. */
  readonly code: string
  /** From the file, or from the exports of the module, to the value. */
  readonly path: Path
  /** The line and column of the value; null in modules. */
  readonly position: Position | null
  /** The command, such as `/ping`; null for the file or the whole list. */
  readonly command: string | null
  /** The name of the innermost option. */
  readonly option: string | null
  readonly locale: string | null
  /** The place in words, and the problem. */
  readonly text: string
  /** The problem without the place. */
  readonly message: string
  /** The issue from validation; null for a problem of the file itself. */
  readonly issue: Issue | null
  /** The definition of the issue; undefined for the whole list. */
  readonly body: unknown
}

export interface FileFindings {
  readonly source: Source
  readonly findings: readonly Finding[]
}

export function allFindings(files: readonly FileFindings[]): readonly Finding[] {
  return files.flatMap(({ findings }) => findings)
}

/** The definitions of all files as one list, as a deploy sends them. */
export interface DefinitionSet {
  readonly sources: readonly Source[]
  readonly bodies: readonly unknown[]
  /** The file of each body, and its path there. */
  readonly origins: readonly (Pick<Definition, 'path' | 'thrown'> & { readonly source: Source })[]
}

export function definitionSet(sources: readonly Source[]): DefinitionSet {
  return {
    sources,
    bodies: sources.flatMap(({ definitions }) => definitions.map(({ body }) => body)),
    origins: sources.flatMap((source) =>
      source.definitions.map(({ body, ...origin }) => ({ ...origin, source })),
    ),
  }
}

/**
 * Validates the definitions of files together.
 *
 * @param each whether every file is a set of its own
 */
export function findProblems(
  sources: readonly Source[],
  scope: 'global' | 'guild',
  each = false,
): readonly FileFindings[] {
  if (each && sources.length > 1) return sources.flatMap((source) => findProblems([source], scope))
  const set = definitionSet(sources)
  const validation = validateCommands(set.bodies, { scope })
  return assignToFiles(set, validation.ok ? [] : validation.issues, validation.warnings)
}

/** Assigns each issue of a list of definitions to the file of its definition. */
export function assignToFiles(
  { sources, bodies, origins }: DefinitionSet,
  issues: readonly Issue[],
  warnings: readonly Issue[],
): readonly FileFindings[] {
  const bySource = new Map(sources.map((source): [Source, Finding[]] => [source, problemsOf(source)]))
  const broken = new Set<unknown>()
  const rows = [
    ...issues.map((issue) => ({ level: 'error' as const, issue })),
    ...warnings.map((issue) => ({ level: 'warning' as const, issue })),
  ]
  for (const { level, issue } of rows) {
    const [first, ...rest] = issue.path
    if (level === 'error') broken.add(first)
    // An issue of the whole list, such as the number of commands, belongs to the first file.
    const origin = typeof first === 'number' ? origins[first] : undefined
    const source = origin?.source ?? sources[0]
    if (source === undefined) continue
    const path = origin === undefined ? [] : [...origin.path, ...rest]
    const finding = findingOf(level, issue, path, bodies)
    const index = otherIndex(issue)
    const other = origins[index ?? -1]?.source
    const place = other === source ? 'of this file' : `in ${other?.file}`
    // A list of files has no numbers that the author sees.
    const inFile = (text: string) =>
      other === undefined
        ? text
        : text.replace(
            /\S+ command \d+ of the list|command \d+ of the list/,
            `${labelOf(bodies[index!], index!)} ${place}`,
          )
    bySource.get(source)!.push({ ...finding, text: inFile(finding.text), message: inFile(finding.message) })
  }
  for (const [index, { source, path, thrown }] of origins.entries()) {
    if (thrown === undefined || broken.has(index)) continue
    const text = `${labelOf(bodies[index], index)}: ${thrown}`
    bySource.get(source)!.push({ ...problem('error', text, null), path, message: thrown })
  }
  return sources.map((source) => ({ source, findings: locateFindings(source, bySource.get(source)!) }))
}

/** The index of the other definition that an issue is about, such as one of the same name. */
function otherIndex({ code, params: { index } }: Issue): number | undefined {
  const isAboutList = commandListRules.some((rule) => rule.code === code)
  return isAboutList && typeof index === 'number' ? index : undefined
}

/** The problems of the file itself. */
function problemsOf({ fault, warnings = [] }: Source): Finding[] {
  const found = warnings.map((warning) => problem('warning', warning, null))
  return fault === null ? found : [problem('error', fault.message, fault.position), ...found]
}

function problem(level: Finding['level'], message: string, position: Position | null): Finding {
  return { ...ofFile, level, position, text: message, message }
}

const ofFile = {
  code: 'file',
  path: [],
  position: null,
  command: null,
  option: null,
  locale: null,
  issue: null,
  body: undefined,
} as const

function findingOf(level: Finding['level'], issue: Issue, path: Path, bodies: readonly unknown[]): Finding {
  const [index] = issue.path
  const body = typeof index === 'number' ? bodies[index] : undefined
  const command = typeof index === 'number' ? labelOf(body, index) : null
  const line = formatIssues([issue], bodies)
  const name = nameOf(body)
  const noun = `command ${name === undefined ? Number(index) + 1 : quoted(name, 40)}`
  const text = command !== null && line.startsWith(noun) ? command + line.slice(noun.length) : line
  return {
    level,
    code: issue.code,
    path,
    position: null,
    command,
    option: optionOf(issue.path, bodies),
    locale: localeOf(issue.path),
    text,
    message: issue.message,
    issue,
    body,
  }
}

function nameOf(body: unknown): string | undefined {
  return isObject(body) && typeof body.name === 'string' && body.name !== '' ? body.name : undefined
}

/** A command in words: `/ping`, `user command "Report"`, `command 3`. */
export function labelOf(body: unknown, index: number): string {
  const name = nameOf(body)
  if (name === undefined) return `command ${index + 1}`
  const type = ((body as JsonObject).type ?? CommandType.CHAT_INPUT) as CommandType
  if (type === CommandType.CHAT_INPUT && !/[\p{C}\p{Z}]/u.test(name)) return `/${name}`
  const kind = commandTypeNames[type]
  const command = kind === undefined ? 'command' : `${kind} command`
  return `${command} ${quoted(name, 40)}`
}

function optionOf(path: Path, bodies: readonly unknown[]): string | null {
  let option: string | null = null
  let value: unknown = bodies
  for (const [index, step] of path.entries()) {
    value =
      typeof value === 'object' && value !== null
        ? (value as Record<string | number, unknown>)[step]
        : undefined
    if (path[index - 1] === 'options' && isObject(value))
      option = typeof value.name === 'string' ? value.name : null
  }
  return option
}

function localeOf(path: Path): string | null {
  const index = path.findIndex((step) => typeof step === 'string' && step.endsWith('_localizations'))
  const key = index < 0 ? undefined : path[index + 1]
  return typeof key === 'string' ? key : null
}

/** Findings with lines and columns, in the order of the text. */
function locateFindings({ text }: Source, findings: readonly Finding[]): readonly Finding[] {
  if (text === null) return findings
  const paths = findings.map(({ path }) => path)
  const places = locateAll(text, paths)
  const positionAt = positionsIn(text)
  const duplicates = duplicateKeys(text).map(({ path, start }) => {
    const message = `${quoted(String(path.at(-1)))} is a duplicate key; the last one counts, so remove the others`
    const finding: Finding = {
      ...ofFile,
      level: 'warning',
      path,
      position: positionAt(start),
      text: message,
      message,
    }
    return { finding, start }
  })
  return findings
    .map((finding, index) => {
      if (finding.issue === null) return { finding, start: 0 }
      const { key, value, depth } = places[index]!
      const isAboutKey = key !== null && depth === finding.path.length && finding.issue.about === 'key'
      const { start } = isAboutKey ? key : value
      return { finding: { ...finding, position: positionAt(start) }, start }
    })
    .concat(duplicates)
    .sort((a, b) => a.start - b.start)
    .map(({ finding }) => finding)
}
