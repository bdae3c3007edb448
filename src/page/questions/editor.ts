import { LocalizationResolver } from '../../command/localization-resolver.ts'
import type { CommandDefinition } from '../../command/definition.ts'
import { SIZE_MAX, sizeOf } from '../../command/size.ts'
import { applyEdits } from '../../core/edits.ts'
import { isObject } from '../../core/json.ts'
import { jsonFault } from '../../core/json-fault.ts'
import { locateAll, positionsIn, type Position } from '../../core/locate.ts'
import type { Issue } from '../../core/report.ts'
import type { Edit, Fix } from '../../core/rule.ts'
import { ruleOf } from '../../reference/catalogue.ts'
import { validateCommands } from '../../reference/validate.ts'
import { globalScope, guildScope, type Scope } from '../../registry/scope.ts'
import type { Query } from '../query.ts'
import type { Context, DefinitionFile } from '../viewer.ts'
import { problemsOf, type Problem } from './use.ts'

/** A problem of a definition, at its place in the text. */
export interface Finding extends Problem, Position {
  readonly level: 'error' | 'warning'
  /** The fact that the rule holds, in one sentence. */
  readonly rule: string
  /** Edits of the text that repair it; empty where only the author can tell. */
  readonly edits: readonly Edit[]
  /** Repairs between which only the author can choose. */
  readonly offers: readonly { readonly label: string; readonly edits: readonly Edit[] }[]
}

export interface CheckAnswer {
  readonly findings: readonly Finding[]
  readonly count: number
  /** The commands as a reader sees them, for a glance. */
  readonly preview: readonly {
    readonly name: string
    readonly options: readonly [name: string, required: boolean][]
  }[]
  /** Characters of the largest command, and how many are allowed. */
  readonly size: { readonly used: number; readonly most: number }
}

const resolver = new LocalizationResolver()

/** What is wrong with the text of a definition or of a list of them, line by line. */
export async function check(query: Query, _context: Context): Promise<CheckAnswer> {
  const text = query.text('text')
  const nothing = { count: 0, preview: [], size: { used: 0, most: SIZE_MAX } }
  const fault = text.trim() === '' ? undefined : jsonFault(text)
  if (text.trim() === '') return { ...nothing, findings: [] }
  if (fault !== undefined) return { ...nothing, findings: [jsonFinding(text, fault)] }
  const body: unknown = JSON.parse(text)
  const bodies = listOf(body)
  const read = validateCommands(bodies, { scope: query.text('server') === '' ? 'global' : 'guild' })
  const errors = read.ok ? [] : read.issues
  const findings = findingsOf(text, body, errors, read.warnings)
  const commands = read.ok ? read.value : []
  return {
    findings,
    count: bodies.length,
    preview: commands.slice(0, 50).map((command) => previewOf(command, query.text('lang'))),
    size: { used: Math.max(0, ...commands.map((command) => sizeOf(command))), most: SIZE_MAX },
  }
}

/** One definition stands for a list of one. */
export function listOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body]
}

function jsonFinding(text: string, offset: number): Finding {
  const isEnd = offset >= text.length
  return {
    ...{ level: 'error', code: 'json', path: [], place: '', rule: 'A definition is JSON.' },
    ...{ edits: [], offers: [] },
    ...positionsIn(text)(offset),
    message: isEnd ? 'ends before the JSON is complete' : 'is not valid JSON from here on',
  }
}

function findingsOf(
  text: string,
  body: unknown,
  errors: readonly Issue[],
  warnings: readonly Issue[],
): readonly Finding[] {
  const issues = [...errors, ...warnings].slice(0, 200)
  // The paths of the library are those of a list.
  const own = (path: Issue['path']) => (Array.isArray(body) ? path : path.slice(1))
  const places = locateAll(
    text,
    issues.map(({ path }) => own(path)),
  )
  const position = positionsIn(text)
  return problemsOf(issues, listOf(body))
    .map((problem, index): Finding => {
      const { key, value, depth } = places[index]!
      const issue = issues[index]!
      const { summary = '', fix, offers } = ruleOf(issue.code) ?? {}
      const editsOf = (one: Fix<any>) => editsIn(one, issue, listOf(body), Array.isArray(body))
      const isAboutKey = key !== null && depth === own(problem.path).length && problem.message.startsWith('"')
      return {
        ...problem,
        ...position(isAboutKey ? key.start : value.start),
        level: index < errors.length ? 'error' : 'warning',
        rule: summary,
        edits: fix ? editsOf(fix) : [],
        offers: Object.entries(offers ?? {}).map(([label, one]) => ({ label, edits: editsOf(one) })),
      }
    })
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

/** The edits of a fix, with paths of the whole text. */
function editsIn(
  fix: Fix<any>,
  { path, params }: Issue,
  bodies: readonly unknown[],
  isList: boolean,
): readonly Edit[] {
  const [index, ...inner] = path
  if (typeof index !== 'number') return []
  const edits = fix(bodies[index], { path: inner, params })
  return isList ? edits.map((edit) => ({ ...edit, path: [index, ...edit.path] })) : edits
}

function previewOf(command: CommandDefinition, lang: string): CheckAnswer['preview'][number] {
  const { name, options = [] } = resolver.localize(command, lang)
  return { name, options: options.map((option) => [option.name, option.required === true]) }
}

/** The text with edits applied that a person has chosen. */
export async function edit(query: Query, _context: Context): Promise<string> {
  const text = query.text('text')
  if (jsonFault(text) !== undefined) throw new TypeError('text is not JSON, so it cannot be repaired')
  return applyEdits(text, query.list('edits').filter(isEdit))
}

function isEdit(value: unknown): value is Edit {
  if (!isObject(value) || !Array.isArray(value.path) || value.path.length > 100) return false
  if (!value.path.every((step) => typeof step === 'string' || typeof step === 'number')) return false
  if (value.op === 'set') return value.value !== undefined
  if (value.op === 'rename') return typeof value.to === 'string'
  return value.op === 'remove' || (value.op === 'move' && typeof value.to === 'number')
}

/** The commands of a scope as definitions, ready to be edited and deployed again. */
export async function deployed(query: Query, { registry }: Context): Promise<string> {
  const commands = await registry.list(scopeOf(query))
  return JSON.stringify(commands.map(withoutDefaults), null, 2)
}

/** The files of the command line, as they are now. */
export async function files(_query: Query, context: Context): Promise<readonly DefinitionFile[]> {
  return context.files()
}

export function scopeOf(query: Query): Scope {
  const app = query.id('app')
  return query.text('server') === '' ? globalScope(app) : guildScope(app, query.id('server'))
}

const assigned: ReadonlySet<string> = new Set([
  'id',
  'application_id',
  'version',
  'guild_id',
  'dm_permission',
])

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([key, one]) => !assigned.has(key) && one !== null && !(key === 'nsfw' && one === false),
  )
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutDefaults(one)]))
}
