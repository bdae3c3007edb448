/** The text of the Editor: its issues, its preview, and the deployed commands as such a text. */
import { definitionsIn, type Definition } from '../../authoring/definitions-in-body.ts'
import { isProgram, objectAsJson } from '../../authoring/javascript.ts'
import { definitionsText } from '../../authoring/definitions-text.ts'
import { allFindings, assignToFiles, definitionSet, type Finding } from '../../authoring/findings.ts'
import type { CommandDefinition, Localizations } from '../../../model/command-definition.ts'
import { LocalizationResolver } from '../../../commands/definition/localization-resolver.ts'
import { SIZE_MAX, sizeOf } from '../../../commands/definition/rules/size-rules.ts'
import { CommandType, OptionType } from '../../../model/command-types.ts'
import { isNestedTooDeep, isObject, parsedJson, TOO_DEEP, type JsonObject } from '../../../core/json.ts'
import { jsonFault, nodeFinder, positionsIn, type Position, type Span } from '../../authoring/locate.ts'
import type { Path } from '../../../core/rules/rule.ts'
import { pick } from '../../../commands/access/picker.ts'
import { validateCommands } from '../../../commands/validate.ts'
import { globalScope } from '../../../commands/registry/scope.ts'
import { commandOf } from '../../../commands/registry/record.ts'
import { readViewer, scopeOfQuery, type Context, type Query } from './query.ts'
import { hiddenReason, MAX_PROBLEMS, ruleWords } from './decision-words.ts'

/** A longer list is only counted: no app has as many commands, and the answer would take seconds. */
const MAX_DEFINITIONS = 1_000
const MAX_PREVIEWED_LINES = 1_000
const MAX_PREVIEWED_OPTIONS = 25

type ShownFinding = ReturnType<typeof shownFinding>

const nothing = {
  findings: [] as readonly ShownFinding[],
  count: 0,
  preview: [] as ReturnType<typeof previewOf>,
  /** Characters of the largest command, and how many are allowed. */
  size: { used: 0, most: SIZE_MAX },
}

/** The issues of the text of a definition, or of a list of them, with their lines, and its commands in a language. */
export async function check(query: Query, context: Context) {
  const text = query.text('text')
  if (text.trim() === '') return nothing
  const body = parsedJson(text)
  if (body === undefined) {
    return { ...nothing, findings: [notJson(text)] }
  }
  const definitions = definitionsIn(body)
  const count = definitions.length
  if (count > MAX_DEFINITIONS) {
    const message = `has ${count} definitions; lists of more than ${MAX_DEFINITIONS} are not checked`
    return { ...nothing, count, findings: [ofWholeText('definitions', message)] }
  }
  const set = definitionSet([{ file: '', text, definitions, fault: null, isList: true }])
  const read = validateCommands(set.bodies, { scope: query.text('scope') === '' ? 'global' : 'guild' })
  const files = assignToFiles(set, read.ok ? [] : read.issues, read.warnings)
  const commands = read.ok ? read.value : []
  return {
    findings: allFindings(files).slice(0, MAX_PROBLEMS).map(shownFinding),
    count,
    preview: previewOf(text, definitions, query.text('lang'), await hiddenReasons(commands, query, context)),
    size: { used: Math.max(0, ...commands.map((command) => sizeOf(command))), most: SIZE_MAX },
  }
}

/** Why a text is not JSON, and the JSON of the same where it is an object of JavaScript. */
function notJson(text: string): ShownFinding {
  const offset = jsonFault(text) ?? 0
  const found = (message: string) => ofWholeText('json', message, positionsIn(text)(offset))
  const rewritten = objectAsJson(text) ?? null
  if (rewritten !== null)
    return {
      ...found(
        'is written as in JavaScript; JSON has double quotes, and neither comments nor a comma at the end',
      ),
      rewritten,
    }
  if (isProgram(text))
    return found(
      'is JavaScript; write JSON here, or give the module to "commandry serve FILE", which reads it',
    )
  if (isNestedTooDeep(text)) return found(TOO_DEEP)
  return found(offset >= text.length ? 'ends before the JSON is complete' : 'is not valid JSON from here on')
}

function shownFinding({ level, code, message, place, path, fixes, issue, position }: Finding) {
  const rule = issue && ruleWords(issue)
  return { level, code, message, place, path, fixes, rule, rewritten: null as string | null, ...position! }
}

function ofWholeText(
  code: string,
  message: string,
  position: Position = { line: 1, column: 1 },
): ShownFinding {
  return {
    level: 'error',
    code,
    message,
    path: [],
    place: '',
    rule: null,
    fixes: [],
    rewritten: null,
    ...position,
  }
}

const resolver = new LocalizationResolver()

interface Line extends Span {
  readonly name: string
  readonly description: string
  readonly options: readonly (Span & { readonly name: string; readonly required: boolean })[]
}

const nesting: readonly unknown[] = [OptionType.SUB_COMMAND, OptionType.SUB_COMMAND_GROUP]

/** Commands and subcommands in a language, even if they are invalid. */
function previewOf(
  text: string,
  definitions: readonly Definition[],
  lang: string,
  hiddenReasons: ReadonlyMap<number, string>,
) {
  const find = nodeFinder(text)
  const spanOf = (path: Path): Span => {
    const { start, end } = find(path).node
    return { start, end }
  }
  /** @param prefix what stands before the name: a slash, or the command and group of a subcommand */
  const linesBelow = (holder: JsonObject, path: Path, prefix: string): readonly Line[] => {
    const name = `${prefix}${localized(holder, 'name', lang)}`
    const given: readonly unknown[] = Array.isArray(holder.options) ? holder.options : []
    const options = given.slice(0, MAX_PREVIEWED_OPTIONS).map((option, index) => ({
      option: isObject(option) ? option : {},
      path: [...path, 'options', index],
    }))
    if (options.some(({ option }) => nesting.includes(option.type)))
      return options.flatMap((one) => linesBelow(one.option, one.path, `${name} `))
    const typed = options.map(({ option, path }) => {
      return { ...spanOf(path), name: localized(option, 'name', lang), required: option.required === true }
    })
    return [{ ...spanOf(path), name, description: localized(holder, 'description', lang), options: typed }]
  }
  const lines = definitions.flatMap(({ body, path }, index) => {
    if (!isObject(body)) return []
    const isTyped = body.type === undefined || body.type === CommandType.CHAT_INPUT
    // Why the person does not see it; empty when they do, or when that is unknown.
    const hidden = hiddenReasons.get(index) ?? ''
    return linesBelow(body, path, isTyped ? '/' : '').map((line) => ({ ...line, hidden }))
  })
  return lines.slice(0, MAX_PREVIEWED_LINES)
}

function localized(holder: JsonObject, field: 'name' | 'description', lang: string): string {
  const [value, localizations] = [holder[field], holder[`${field}_localizations`]]
  if (typeof value !== 'string') return ''
  return resolver.resolve(value, isObject(localizations) ? (localizations as Localizations) : null, lang).text
}

async function hiddenReasons(
  commands: readonly CommandDefinition[],
  query: Query,
  context: Context,
): Promise<ReadonlyMap<number, string>> {
  if (query.text('app') === '' || query.text('scope') !== '' || commands.length === 0) return new Map()
  const { viewer, source } = await readViewer(query, context)
  const scope = globalScope(viewer.applicationId)
  const drafts = commands.map((command, index) => commandOf(scope, command, String(index + 1), '1'))
  const { hidden } = pick(viewer, { ...source, commands: drafts }, { explain: true })
  return new Map(hidden.map((one) => [Number(one.command.id) - 1, hiddenReason(one)]))
}

/** The commands of a scope as definitions, ready to be edited and deployed again. */
export async function deployed(query: Query, { registry }: Context) {
  return definitionsText(await registry.list(scopeOfQuery(query)))
}
