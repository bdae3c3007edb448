import { commandKeys } from '../../../commands/definition/fields/command.ts'
import { optionFields } from '../../../commands/definition/fields/option.ts'
import { text } from 'node:stream/consumers'
import { describePath } from '../../../commands/definition/format-issues.ts'
import { parsedJson } from '../../../core/json.ts'
import type { Issue } from '../../../core/rules/report.ts'
import type { Path, Rule } from '../../../core/rules/rule.ts'
import { isRequired } from '../../../core/rules/wire-errors.ts'
import { didYouMean, nearest } from '../../../core/nearest.ts'
import { printable, wrapText } from '../../../core/text.ts'
import { ruleOf, type RuleCode } from '../../../reference/catalogue.ts'
import { ruleUrl } from '../../../reference/rule-url.ts'
import { toErrorBody } from '../../../reference/error-body.ts'
import { errorsInResponse, type ResponseError } from '../../../reference/response-errors.ts'
import { rules, sinceText } from '../../../reference/rules.ts'
import { validateCommands } from '../../../commands/validate.ts'
import { ruleExample } from '../../authoring/rule-example.ts'
import { color, command, noMoreArguments } from '../base/cli-command.ts'
import { usageError } from '../base/errors.ts'
import {
  assignToFiles,
  definitionSet,
  type DefinitionSet,
  type FileFindings,
} from '../../authoring/findings.ts'
import { codesIn, rowsAbout } from '../base/code-tables.ts'
import { print, terminalOf, type Io, type Style, type Terminal } from '../base/io.ts'
import { pathText } from '../../authoring/words.ts'
import { bigintsAsText } from '../base/text-file.ts'
import { readSources } from '../definitions/sources.ts'

export default command({
  help: [
    `Examples
  commandry explain options.order
  commandry explain '1.options[0].name[BASE_TYPE_REQUIRED]: This field is required' commands/
  node deploy.js 2>&1 | commandry explain - commands/

commandry explain [CODE]
commandry explain ERROR|- [FILE|FOLDER...]

Explains a rule: what must hold, a wrong definition and its fix, and the error that Discord responds with. Without a
code it lists all rules.

Explains a code of Discord, of an error of this package or of "commandry fuzz": a number, a word, or what a bot printed.

Explains an error that Discord responded with, as discord.js, discord.py, oceanic.js, eris or JDA print it, or its JSON: the
rule, and with your files, in the order in which you send them, the file, the command and the option. "-" reads it from stdin.`,
  ],
  options: { color },
  async run(io, values, args) {
    const terminal = terminalOf(io, values.color)
    const [code] = args
    if (code !== undefined && (code === '-' || /[\s:{[]/.test(code)))
      return explainErrors(io, terminal, code === '-' ? await text(io.stdin) : code, args.slice(1))
    noMoreArguments(args.slice(1))
    if (code === undefined) {
      print(io, listOfRules(terminal.style))
      return 0
    }
    const rule = ruleOf(code)
    if (rule === undefined) {
      const known = codeText([code], io, terminal)
      if (known !== '') {
        print(io, known)
        return 0
      }
      const codes = rules.map((each) => each.code)
      const meant = nearest(code, codes) ?? codes.find((each) => each.split('.')[0] === code.split('.')[0])
      const remedy = meant === undefined ? '"commandry explain" lists them all' : didYouMean(meant)
      throw usageError(`no rule "${code}"; ${remedy}`)
    }
    print(io, explanation(rule, terminal))
    return 0
  },
})

async function explainErrors(
  io: Io,
  terminal: Terminal,
  pasted: string,
  files: readonly string[],
): Promise<number> {
  // Collectors of logs join lines.
  const errors = readPastedErrors(pasted.replaceAll(/ (?=[\w.[\]]+\[[A-Z][A-Z0-9]*_[A-Z0-9_]+\]: )/g, '\n'))
  // The code of a form error stands for the lines below it.
  const codes = codesIn(pasted).filter((code) => errors.length === 0 || code !== '50035')
  const known = codeText([pasted.trim(), ...codes], io, terminal)
  if (known !== '') print(io, errors.length === 0 ? known : `${known}\n`)
  if (errors.length === 0 && known !== '') return 0
  if (errors.length === 0)
    throw usageError(
      'no error of Discord found; paste its lines, such as "1.options[0].name[BASE_TYPE_REQUIRED]: This field is required"',
    )
  const set = definitionSet((await readSources(io, files)).sources)
  const validation = validateCommands(set.bodies)
  const own = validation.ok ? [] : validation.issues
  print(io, errors.map((error) => errorText(error, set, own, terminal).join('\n')).join('\n\n'))
  return 0
}

/** What the pages say of codes; empty for codes that they do not have. */
function codeText(codes: readonly string[], { docs }: Io, { style, columns }: Terminal): string {
  const rows = codes.flatMap((code) => rowsAbout(code, docs()).map((row) => ({ code, ...row })))
  return rows
    .map(({ code, place, cells }) => {
      const said = cells.filter(([, text]) => text !== code)
      const lines = said.flatMap(([head, text]) =>
        labelled(
          `${head[0]?.toUpperCase() ?? ''}${head.slice(1, LABEL - 3)}`,
          wrapText(text, columns - LABEL),
        ),
      )
      return [style.bold(code), ...lines, ...labelled('More', [`node_modules/commandry/docs/${place}`])].join(
        '\n',
      )
    })
    .join('\n\n')
}

/** The place of an error in words, the rules behind it, and the remedy. */
function errorText(
  pasted: ResponseError,
  set: DefinitionSet,
  own: readonly Issue[],
  { style, columns }: Terminal,
): readonly string[] {
  const error = usualForm(pasted)
  // The request for one command has no list, so its paths have no index.
  const indexed = set.bodies.map((_, index) => ({ ...error, path: [index, ...error.path] }))
  const candidates = typeof error.path[0] === 'number' ? [error] : indexed
  const isPasted = (one: ResponseError) =>
    candidates.some((each) => one.path.join() === each.path.join() && hasSameText(one, each))
  const cause = own.find((issue) => wireErrorsOf(issue).some(isPasted))
  const others = cause === undefined ? brokenAt(error, candidates, own) : []
  const only = candidates.length === 1 ? candidates[0]! : error
  const place = cause?.path ?? others[0]?.path ?? only.path
  const shown = cause === undefined ? others : [cause]
  const issues = shown.length > 0 ? shown : [{ ...error, path: place, params: {}, clause: '' }]
  const hasFile = typeof place[0] === 'number' && place[0] < set.bodies.length
  const found = hasFile ? assignToFiles(set, issues, []).flatMap(locatedFindings) : []
  const broken = new Set(shown.map(({ code }) => ruleOf(code)!))
  const behind = broken.size > 0 ? [...broken] : rulesBehind(error)
  const more = behind.map(({ code }) => `commandry explain ${code}`)
  if (set.sources.length === 0) more.push('give your files as well to see the file and the command')
  else if (shown.length === 0)
    more.push('the files do not break this rule there; are they what you sent, in the same order?')
  return [
    style.bold(printable([pathText(pasted.path), pasted.code, pasted.message].filter(Boolean).join('  '))),
    ...labelled('Place', found.length > 0 ? found : [describePath(place, undefined) || 'the whole request']),
    ...behind.flatMap(({ code, summary }) =>
      labelled('Rule', wrapText(`${code}: ${summary}`, columns - LABEL)),
    ),
    ...(behind.length === 0 ? labelled('Rule', ['none of this library reports this error there']) : []),
    ...labelled('More', more),
  ]
}

/** Where Discord reports a problem in another form than this library does, the file may still be wrong there. */
function brokenAt(
  error: ResponseError,
  candidates: readonly ResponseError[],
  own: readonly Issue[],
): readonly Issue[] {
  // Every place is in the whole request.
  if (error.path.length === 0 && rulesBehind(error).length > 0) return []
  const isIn = (path: Path, place: Path) => place.every((step, index) => path[index] === step)
  // A list or an object around it may break a rule too, but not the command as a whole.
  const isThere = (path: Path, place: Path) => isIn(path, place) || (path.length > 1 && isIn(place, path))
  return own
    .filter(({ path }) => candidates.some((candidate) => isThere(path, candidate.path)))
    .slice(0, MAX_LINES)
}

function locatedFindings({ source, findings }: FileFindings): readonly string[] {
  return findings
    .filter(({ issue }) => issue !== null)
    .map(({ position, text: line }) => {
      const at = position === null ? '' : `:${position.line}:${position.column}`
      return printable(`${source.file}${at}  ${line}`)
    })
}

function listOfRules(style: Style): string {
  const width = Math.max(...rules.map(({ code }) => code.length))
  const bySubject = new Map<string, string[]>()
  for (const { code, summary, level } of rules) {
    const [subject = ''] = code.split('.')
    const note = level === 'warning' ? style.yellow('warning: ') : ''
    const lines = bySubject.get(subject) ?? [style.bold(subject)]
    bySubject.set(subject, [...lines, `  ${code.padEnd(width)}  ${note}${summary}`])
  }
  return [...bySubject.values()].map((lines) => lines.join('\n')).join('\n\n')
}

const LABEL = 11

function explanation(rule: Rule<RuleCode>, { style, columns }: Terminal): string {
  const level = rule.level === 'error' ? style.red('error') : style.yellow('warning')
  const { wrong, right, path, issue } = ruleExample(rule)
  const at = path.length === 0 ? [] : [`at ${pathText(path)}`]
  const width = columns - LABEL
  return [
    `${style.bold(rule.code)}  ${level}`,
    ...wrapText(rule.summary, columns),
    '',
    ...labelled('Wrong', [...shortJson(wrong, width), ...at], style.red),
    ...(issue === undefined ? [] : labelled('Message', wrapText(issue.message, width))),
    ...(right === undefined ? [] : labelled('Right', shortJson(right, width), style.green)),
    ...(rule.fix === null ? [] : labelled('Fix', ['commandry check --fix repairs it'])),
    ...(rule.offers === null ? [] : labelled('Choose', Object.keys(rule.offers))),
    ...(issue === undefined || rule.wire === null ? [] : labelled('Discord', wireLines(issue))),
    ...labelled('Since', wrapText(sinceText(rule), width)),
    ...labelled('More', [ruleUrl(rule.code)]),
  ].join('\n')
}

function labelled(
  label: string,
  lines: readonly string[],
  paint = (text: string) => text,
): readonly string[] {
  return lines.map((line, index) =>
    index === 0
      ? `  ${paint(label)}${' '.repeat(LABEL - 2 - label.length)}${line}`
      : `${' '.repeat(LABEL)}${line}`,
  )
}

const MAX_LINES = 8

/** JSON in a few lines; longer JSON is cut off. */
function shortJson(value: unknown, width: number): readonly string[] {
  const lines = jsonLines(value, width).map((line) =>
    line.length <= width ? line : `${line.slice(0, width - 1)}…`,
  )
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), '…']
}

/** JSON with each object and list in one line where it fits. */
function jsonLines(value: unknown, width: number): readonly string[] {
  const line = JSON.stringify(value, bigintsAsText, 1).replace(/\n\s*/g, ' ')
  if (line.length <= width || typeof value !== 'object' || value === null) return [line]
  const items = Object.entries(value).map(([key, item]) => {
    const [first = '', ...rest] = jsonLines(item, width - 2)
    return [Array.isArray(value) ? first : `${JSON.stringify(key)}: ${first}`, ...rest].join('\n  ')
  })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n  ${items.join(',\n  ')}\n${close}`.split('\n')
}

function wireLines(issue: Issue): readonly string[] {
  const { code } = toErrorBody([issue])
  const [error] = wireErrorsOf(issue)
  return error === undefined ? [String(code)] : [`${code}, ${error.code}`, JSON.stringify(error.message)]
}

// --- Errors as libraries print them ----------------------------------------------------------------------------

const FIELD = String.raw`(?:\d+|[a-z][a-z_]*)(?:\.[\w-]+|\[\d+\])*`
/** `1.options[0].name[CODE]: message` (discord.js), `In 1.options.0.name: message` (discord.py), and without `In` (oceanic.js, eris). */
const ERROR_LINE = new RegExp(String.raw`^(?:In )?(${FIELD})(?:\[([A-Z][A-Z0-9_]+)\])?(?:: (\S.*))?$`)
/** JDA prints the path alone, and below it `- CODE: message`. discord.js prints errors of the whole body without a path. */
const CODE_LINE = /^(?:- )?([A-Z][A-Z0-9]*_[A-Z0-9_]+): (.+)$/

/** The errors in a text, each with its path in the request; a code that the library leaves out is empty. */
function readPastedErrors(text: string): readonly ResponseError[] {
  const json = errorsInResponse(parsedJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)))
  if (json.length > 0) return json
  const found: ResponseError[] = []
  let above: Path = []
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const [, code, message = ''] = CODE_LINE.exec(line) ?? []
    if (code !== undefined) found.push({ path: above, code, message })
    const [, place, own = '', said = ''] = ERROR_LINE.exec(line) ?? []
    above = place === undefined ? above : pathOf(place)
    // Other lines of an inspected error are `code: 50035,` and `method: 'PUT',`.
    const isError = own !== '' || (said !== '' && !said.endsWith(',') && isBodyPath(above))
    if (place !== undefined && isError) found.push({ path: above, code: own, message: said })
  }
  return found
}

function pathOf(place: string): Path {
  return place
    .split(/[.[\]]+/)
    .flatMap((step) => (step === '' ? [] : /^\d+$/.test(step) ? Number(step) : step))
}

/** Paths in the body of one command start with these; those in a list with an index. */
const FIELDS: ReadonlySet<string> = new Set([...commandKeys, ...Object.keys(optionFields)])

function isBodyPath([first]: Path): boolean {
  return typeof first === 'number' || FIELDS.has(String(first))
}

function wireErrorsOf(issue: Issue): readonly ResponseError[] {
  return errorsInResponse(toErrorBody([issue])).map(usualForm)
}

/** Discord has two forms for some problems: a missing `type` (discord.js#10347), and an item that is not an object. */
function usualForm(error: ResponseError): ResponseError {
  const { code, message, path } = error
  if (code === 'LIST_ITEM_VALUE_REQUIRED') return { ...error, code: 'MODEL_TYPE_CONVERT' }
  const [, field] = /^Field "(\w+)" is required to determine/.exec(message) ?? []
  if (code !== 'TAG_FIELD_MISSING' && field === undefined) return error
  return { ...isRequired, path: [...path, field ?? 'type'] }
}

/** Whether two errors are the same, as far as the library printed them. */
function hasSameText(one: ResponseError, pasted: ResponseError): boolean {
  if (pasted.code !== '') return one.code === pasted.code
  // Values and numbers of the rule's example are not those of the user's command.
  const shape = (message: string) => message.replace(/"[^"]*"/g, '""').replace(/-?\d+/g, '0')
  return shape(one.message) === shape(pasted.message)
}

/** The rules that report this error at this kind of place; at other places if there are none. */
function rulesBehind(pasted: ResponseError): readonly Rule<RuleCode>[] {
  // Answers share codes with commands, but a deploy never sends them.
  const same = rules.flatMap((rule) => {
    if (rule.on === 'callback') return []
    const { issue } = rule.wire === null ? {} : ruleExample(rule)
    const error = issue && wireErrorsOf(issue).find((each) => hasSameText(each, pasted))
    return error === undefined ? [] : [{ rule, place: fieldsOf(error.path) }]
  })
  const place = fieldsOf(pasted.path)
  const closest = [
    same.filter((each) => each.place.join() === place.join()),
    same.filter((each) => each.place.at(-1) === place.at(-1)),
    same,
  ].find((list) => list.length > 0)
  return (closest ?? []).map(({ rule }) => rule)
}

/** The fields of a path: `options, name` for `3.options[0].options[1].name`. */
function fieldsOf(path: Path): readonly string[] {
  const isLocale = (index: number) => String(path[index - 1]).endsWith('_localizations')
  return path
    .filter((step, index) => typeof step === 'string' && !isLocale(index))
    .map(String)
    .filter((field, index, all) => field !== 'options' || all[index - 1] !== 'options')
}
