import { definitionsIn, definitionsText, type Definition } from '../../authoring/definitions.ts'
import { allFindings, assignToFiles, definitionSet, type Finding } from '../../authoring/findings.ts'
import { LocalizationResolver } from '../../command/localization-resolver.ts'
import type { CommandDefinition, Localizations } from '../../command/definition.ts'
import { SIZE_MAX, sizeOf } from '../../command/size.ts'
import { CommandType, OptionType } from '../../command/types.ts'
import { applyEdits } from '../../core/edits.ts'
import { isObject, parsedJson, type JsonObject } from '../../core/json.ts'
import { jsonFault } from '../../core/json-fault.ts'
import { locator, positionsIn } from '../../core/locate.ts'
import type { Edit, Path } from '../../core/rule.ts'
import { pick } from '../../picker/picker.ts'
import { validateCommands } from '../../reference/validate.ts'
import { commandOf } from '../../registry/record.ts'
import { globalScope } from '../../registry/scope.ts'
import type { Query } from '../query.ts'
import type { CheckAnswer, EditorIssue, PreviewLine } from '../answers.ts'
import { pickerInput, scopeOfQuery, type Context } from '../viewer.ts'
import { hiddenReason } from '../wording.ts'
import { MOST_PROBLEMS, ruleWords } from '../problems.ts'

/** A longer list is only counted: no app has as many commands, and the answer would take seconds. */
const MOST_DEFINITIONS = 1_000
/** Further lines of the preview are left out. */
const MOST_LINES = 1_000
/** Further options of a command are not previewed. */
const MOST_OPTIONS = 25

/** The issues of the text of a definition, or of a list of them, with their lines. */
export async function check(query: Query, context: Context): Promise<CheckAnswer> {
  const text = query.text('text')
  const empty = { findings: [], count: 0, preview: [], size: { used: 0, most: SIZE_MAX } }
  if (text.trim() === '') return empty
  const body = parsedJson(text)
  if (body === undefined) return { ...empty, findings: [jsonFinding(text, jsonFault(text) ?? 0)] }
  const definitions = definitionsIn(body)
  const count = definitions.length
  if (count > MOST_DEFINITIONS) return { ...empty, count, findings: [lengthFinding(count)] }
  const set = definitionSet([{ file: '', text, definitions, fault: null, isList: true }])
  const read = validateCommands(set.bodies, { scope: query.text('scope') === '' ? 'global' : 'guild' })
  const files = assignToFiles(set, read.ok ? [] : read.issues, read.warnings)
  const commands = read.ok ? read.value : []
  return {
    findings: allFindings(files).slice(0, MOST_PROBLEMS).map(shownFinding),
    count,
    preview: previewOf(text, definitions, query.text('lang'), await hiddenReasons(commands, query, context)),
    size: { used: Math.max(0, ...commands.map((command) => sizeOf(command))), most: SIZE_MAX },
  }
}

function shownFinding({ issue, position, ...finding }: Finding): EditorIssue {
  const { level, code, message, place, path, fixes } = finding
  const rule = issue === null ? null : ruleWords(issue)
  return { level, code, message, place, path, fixes, rule, ...position! }
}

/** A finding about the whole text. */
const wholeText = { level: 'error', path: [], place: '', rule: null, fixes: [] } as const

function jsonFinding(text: string, offset: number): EditorIssue {
  const isEnd = offset >= text.length
  const message = isEnd ? 'ends before the JSON is complete' : 'is not valid JSON from here on'
  return { ...wholeText, code: 'json', ...positionsIn(text)(offset), message }
}

function lengthFinding(count: number): EditorIssue {
  const message = `has ${count} definitions; lists of more than ${MOST_DEFINITIONS} are not checked`
  return { ...wholeText, code: 'definitions', line: 1, column: 1, message }
}

// --- The preview ------------------------------------------------------------------------------------------------

const resolver = new LocalizationResolver()

/** Commands and subcommands in a language, even if they are invalid. */
function previewOf(
  text: string,
  definitions: readonly Definition[],
  lang: string,
  hidden: ReadonlyMap<number, string>,
): readonly PreviewLine[] {
  const placeOf = locator(text)
  const lines = definitions
    .flatMap(({ body, path }, index) =>
      linesOf(body, path, lang).map((line) => ({ ...line, hidden: hidden.get(index) ?? '' })),
    )
    .slice(0, MOST_LINES)
  const located = <Part extends { readonly path: Path }>({ path, ...part }: Part) => ({
    ...part,
    ...placeOf(path).value,
  })
  return lines.map((line) => ({ ...located(line), options: line.options.map(located) }))
}

interface Line {
  readonly path: Path
  readonly name: string
  readonly description: string
  readonly options: readonly { readonly path: Path; readonly name: string; readonly required: boolean }[]
}

/** The lines of a command: itself, or its subcommands. */
function linesOf(command: unknown, path: Path, lang: string): readonly Line[] {
  if (!isObject(command)) return []
  const isTyped = command.type === undefined || command.type === CommandType.CHAT_INPUT
  return linesBelow(command, path, lang, isTyped ? '/' : '')
}

/** @param prefix what stands before the name: a slash, or the command and group of a subcommand */
function linesBelow(holder: JsonObject, path: Path, lang: string, prefix: string): readonly Line[] {
  const name = `${prefix}${localized(holder, 'name', lang)}`
  const given: readonly unknown[] = Array.isArray(holder.options) ? holder.options : []
  const options = given.slice(0, MOST_OPTIONS).map((option, index) => ({
    option: isObject(option) ? option : {},
    path: [...path, 'options', index],
  }))
  const isGroup = ({ option: { type } }: (typeof options)[number]) =>
    type === OptionType.SUB_COMMAND || type === OptionType.SUB_COMMAND_GROUP
  if (options.some(isGroup)) {
    return options.flatMap((one) => linesBelow(one.option, one.path, lang, `${name} `))
  }
  const typed = options.map(({ option, path }) => ({
    path,
    name: localized(option, 'name', lang),
    required: option.required === true,
  }))
  return [{ path, name, description: localized(holder, 'description', lang), options: typed }]
}

/** A text of a definition in a language; empty if it is not a string. */
function localized(holder: JsonObject, field: 'name' | 'description', lang: string): string {
  const [value, localizations] = [holder[field], holder[`${field}_localizations`]]
  if (typeof value !== 'string') return ''
  return resolver.resolve(value, isObject(localizations) ? (localizations as Localizations) : null, lang).text
}

/** The reasons why the person does not see commands, by index in the list. */
async function hiddenReasons(
  commands: readonly CommandDefinition[],
  query: Query,
  context: Context,
): Promise<ReadonlyMap<number, string>> {
  if (query.text('app') === '' || query.text('scope') !== '' || commands.length === 0) return new Map()
  const { viewer, source } = await pickerInput(query, context)
  const scope = globalScope(viewer.applicationId)
  const drafts = commands.map((command, index) => commandOf(scope, command, String(index + 1), '1'))
  const { hidden } = pick(viewer, { ...source, commands: drafts }, { explain: true })
  return new Map(hidden.map((one) => [Number(one.command.id) - 1, hiddenReason(one)]))
}

/** The text with edits applied that a person has chosen. */
export async function edit(query: Query, _context: Context): Promise<string> {
  const text = query.text('text')
  if (parsedJson(text) === undefined) throw new TypeError('text is not JSON, so it cannot be fixed')
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
  return definitionsText(await registry.list(scopeOfQuery(query)))
}
