import { LocalizationResolver } from '../../command/localization-resolver.ts'
import type { ApplicationCommand, CommandDefinition, Localizations } from '../../command/definition.ts'
import { SIZE_MAX, sizeOf } from '../../command/size.ts'
import { CommandType, OptionType } from '../../command/types.ts'
import { applyEdits } from '../../core/edits.ts'
import { isObject } from '../../core/json.ts'
import { jsonFault } from '../../core/json-fault.ts'
import { locateAll, positionsIn, type Span } from '../../core/locate.ts'
import type { Issue } from '../../core/report.ts'
import type { Edit, Path } from '../../core/rule.ts'
import { pick } from '../../picker/picker.ts'
import { ruleOf } from '../../reference/catalogue.ts'
import { validateCommands } from '../../reference/validate.ts'
import { commandOf } from '../../registry/record.ts'
import { globalScope, guildScope, type Scope } from '../../registry/scope.ts'
import type { Query } from '../query.ts'
import { sampleCommands } from '../samples.ts'
import type { CheckAnswer, DefinitionFile, Finding, Fixing, PreviewLine } from '../answers.ts'
import { lookOf, type Context } from '../viewer.ts'
import { hiddenReason } from './picker.ts'
import { problemsOf } from './use.ts'

/** What is wrong with the text of a definition or of a list of them, line by line. */
export async function check(query: Query, context: Context): Promise<CheckAnswer> {
  const text = query.text('text')
  const nothing = { count: 0, preview: [], size: { used: 0, most: SIZE_MAX } }
  if (text.trim() === '') return { ...nothing, findings: [] }
  const fault = jsonFault(text)
  if (fault !== undefined) return { ...nothing, findings: [jsonFinding(text, fault)] }
  const body: unknown = JSON.parse(text)
  const bodies = listOf(body)
  const read = validateCommands(bodies, { scope: query.text('scope') === '' ? 'global' : 'guild' })
  const commands = read.ok ? read.value : []
  return {
    findings: findingsOf(text, body, read.ok ? [] : read.issues, read.warnings),
    count: bodies.length,
    preview: previewOf(text, body, query.text('lang'), await hiddenOf(commands, query, context)),
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
    ...{ level: 'error', code: 'json', path: [], place: '', rule: null, fixes: [] },
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
      const isAboutKey = key !== null && depth === own(problem.path).length && problem.message.startsWith('"')
      return {
        ...problem,
        ...position(isAboutKey ? key.start : value.start),
        level: index < errors.length ? 'error' : 'warning',
        fixes: fixesOf(issues[index]!, listOf(body), Array.isArray(body)),
      }
    })
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

/** What a rule proposes, with paths of the whole text. */
function fixesOf(
  { code, path, params }: Issue,
  bodies: readonly unknown[],
  isList: boolean,
): readonly Fixing[] {
  const rule = ruleOf(code)
  const [index, ...inner] = path
  if (!rule || typeof index !== 'number') return []
  const [body, issue] = [bodies[index], { path: inner, params }]
  const offers = rule.offers ?? (rule.fix ? { 'Fix it': rule.fix } : {})
  const whole = (edit: Edit): Edit => (isList ? { ...edit, path: [index, ...edit.path] } : edit)
  return Object.entries(offers)
    .map(([label, fix]) => ({ label, edits: fix(body, issue).map(whole) }))
    .filter(({ edits }) => edits.length > 0)
}

// --- The preview ------------------------------------------------------------------------------------------------

const resolver = new LocalizationResolver()

/** Commands and subcommands in a language, also while they are invalid. */
function previewOf(
  text: string,
  body: unknown,
  lang: string,
  hidden: ReadonlyMap<number, string>,
): readonly PreviewLine[] {
  const lines = listOf(body).flatMap((command, index) =>
    linesOf(command, Array.isArray(body) ? [index] : [], lang).map((line) => ({
      ...line,
      hidden: hidden.get(index) ?? '',
    })),
  )
  const spans = locateAll(
    text,
    lines.flatMap(({ path, options }) => [path, ...options.map((option) => option.path)]),
  )
  let next = 0
  const span = (): Span => {
    const { start, end } = spans[next++]!.value
    return { start, end }
  }
  return lines.map(({ name, description, options, hidden }) => ({
    ...{ name, description, hidden, ...span() },
    options: options.map(({ name, required }) => ({ name, required, ...span() })),
  }))
}

interface Line {
  readonly path: Path
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly path: Path; readonly name: string; readonly required: boolean }[]
}

/** A command as a line, or its subcommands, a line each. */
function linesOf(holder: unknown, path: Path, lang: string, prefix = ''): readonly Line[] {
  if (!isObject(holder)) return []
  const localized = (field: 'name' | 'description') => {
    const [value, localizations] = [holder[field], holder[`${field}_localizations`]]
    if (typeof value !== 'string') return ''
    return resolver.resolve(value, isObject(localizations) ? (localizations as Localizations) : null, lang)
      .text
  }
  const isTyped = holder.type === undefined || prefix !== '' || holder.type === CommandType.CHAT_INPUT
  const name = `${prefix === '' ? (isTyped ? '/' : '') : `${prefix} `}${localized('name')}`
  const options = (Array.isArray(holder.options) ? holder.options : []).map((option: unknown, index) => ({
    ...{ option: isObject(option) ? option : {}, path: [...path, 'options', index] },
  }))
  const isGroup = ({ option: { type } }: (typeof options)[number]) =>
    type === OptionType.SUB_COMMAND || type === OptionType.SUB_COMMAND_GROUP
  if (options.some(isGroup)) return options.flatMap((one) => linesOf(one.option, one.path, lang, name))
  const described = options.map((one) => ({
    ...{ path: one.path, required: one.option.required === true },
    name: linesOf(one.option, one.path, lang, ' ')[0]!.name.trim(),
  }))
  return [{ path, name, description: localized('description'), options: described }]
}

/** Why the person of a question does not see valid commands, by their indexes. */
async function hiddenOf(
  commands: readonly CommandDefinition[],
  query: Query,
  context: Context,
): Promise<ReadonlyMap<number, string>> {
  if (query.text('app') === '' || commands.length === 0) return new Map()
  const { viewer, source } = await lookOf(query, context)
  const scope = query.text('scope') === '' ? globalScope(viewer.applicationId) : null
  if (scope === null) return new Map()
  const drafts = commands.map((command, index) => commandOf(scope, command, String(index + 1), '1'))
  const { hidden } = pick(viewer, { ...source, commands: drafts }, { explain: true })
  return new Map(hidden.map((one) => [Number(one.command.id) - 1, hiddenReason(one)]))
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
  return definitionsText(await registry.list(scopeOf(query)))
}

export function definitionsText(commands: readonly ApplicationCommand[]): string {
  return JSON.stringify(commands.map(withoutDefaults), null, 2)
}

/** Commands to try the page with. */
export async function samples(): Promise<readonly object[]> {
  return sampleCommands
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
