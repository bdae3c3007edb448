/** Formats findings for people, for programs, and for GitHub Actions. */
import { counted, listed, printable, withoutColors, wrapText } from '../../../core/text.ts'
import { ruleUrl } from '../../../reference/rule-url.ts'
import { allFindings, allErrors, type FileFindings, type Finding } from '../../authoring/findings.ts'
import { wordOf, option } from './cli-command.ts'
import type { Io, Terminal } from './io.ts'

export const format = option(
  'FORMAT',
  'pretty, json or github (pretty; in GitHub Actions also github)',
  wordOf('pretty', 'json', 'github'),
)

/** Whether problems become annotations of GitHub Actions. */
export function isAnnotating(io: Io, format: string | undefined): boolean {
  return format === 'github' || (format === undefined && io.env.GITHUB_ACTIONS === 'true')
}

/** Whether `--fix` repairs a finding. A module has no text to change. */
export function isFixable({ repair, position }: Finding): boolean {
  return repair.length > 0 && position !== null
}

type Counts = ReturnType<typeof countsOf>

/** The files, with those that one stands for. */
function fileCount(files: readonly FileFindings[]): number {
  return files.reduce((sum, { source }) => sum + 1 + (source.alike ?? 0), 0)
}

export function countsOf(files: readonly FileFindings[]) {
  const all = allFindings(files)
  return {
    files: fileCount(files),
    commands: files.reduce((sum, { source }) => sum + source.definitions.length, 0),
    errors: allErrors(files).length,
    warnings: all.filter(({ level }) => level === 'warning').length,
    fixable: all.filter(isFixable).length,
  }
}

// --- For people -----------------------------------------------------------------------------------------------

// A list with more problems starts with the total as well: a terminal may show only one end of it.
const LONG = 50
// From this width on, rows end with the code of the rule; otherwise it has a line of its own.
const WIDE = 110
const LEVEL_WIDTH = 9

const MAX_PLACES = 10

/** Files in which a warning that is the same at several places is one finding, the first, which lists the others. */
function distinctFacts(files: readonly FileFindings[]): readonly FileFindings[] {
  const places = new Map<string, { readonly file: string; readonly finding: Finding }[]>()
  const factOf = ({ code, place, text }: Finding) => `${code} ${text.slice(place.length)}`
  const isFact = ({ level, issue }: Finding) => level === 'warning' && issue !== null
  for (const { source, findings } of files)
    for (const finding of findings.filter(isFact)) {
      const fact = factOf(finding)
      places.set(fact, [...(places.get(fact) ?? []), { file: source.file, finding }])
    }
  return files.map(({ source, findings }) => ({
    source,
    findings: findings.flatMap((finding) => {
      const [first, ...others] = (isFact(finding) && places.get(factOf(finding))) || []
      if (first === undefined || others.length === 0) return [finding]
      if (first.finding !== finding) return []
      return [{ ...finding, text: `${finding.text} (${placesText(source.file, others)})` }]
    }),
  }))
}

function placesText(
  file: string,
  others: readonly { readonly file: string; readonly finding: Finding }[],
): string {
  const shown = others.slice(0, MAX_PLACES).map(({ file: other, finding: { position, place } }) => {
    const at = position === null ? place : `${position.line}:${position.column}`
    return other === file ? at : `${other}${position === null ? ' ' : ':'}${at}`
  })
  const rest = others.length - shown.length
  const list = listed(rest > 0 ? [...shown, `${rest} more`] : shown)
  return `${others.length + 1} places; also at ${list}`
}

/** One row for each problem, below the name of its file. */
export function prettyRows(files: readonly FileFindings[], terminal: Terminal): readonly string[] {
  return distinctFacts(files).flatMap(({ source, findings }) => {
    if (findings.length === 0) return []
    const { style } = terminal
    const isModule = source.text === null && source.fault === null && source.isList !== true
    const note = isModule ? style.dim(' (module: no line numbers)') : ''
    const positions = findings.map(({ position }) => (position ? `${position.line}:${position.column}` : ''))
    const width = Math.max(5, ...positions.map((position) => position.length)) + 2
    return [
      style.underline(printable(source.file)) + note,
      ...findings.flatMap((finding, index) => rowOf(finding, positions[index]!, width, terminal)),
    ]
  })
}

function rowOf(
  finding: Finding,
  position: string,
  width: number,
  { style, isTerminal, columns }: Terminal,
): readonly string[] {
  const rule = `${finding.code}${isFixable(finding) ? ', fixable' : ''}`
  const indent = width + 2 + LEVEL_WIDTH
  const isWide = !isTerminal || columns >= WIDE
  const room = Math.min(columns, WIDE) - indent - (isWide ? rule.length + 2 : 0)
  const [first = '', ...rest] = wrapText(printable(finding.text), isTerminal ? Math.max(30, room) : Infinity)
  const paint = finding.level === 'error' ? style.red : style.yellow
  const level = paint(finding.level) + ' '.repeat(LEVEL_WIDTH - finding.level.length)
  const row = `${style.dim(position.padStart(width))}  ${level}${first}`
  const more = rest.map((line) => ' '.repeat(indent) + line)
  if (finding.issue === null) return [row, ...more]
  return isWide
    ? [`${row}  ${style.dim(rule)}`, ...more]
    : [row, ...more, ' '.repeat(width + 2) + style.dim(rule)]
}

export function prettyReport(
  files: readonly FileFindings[],
  terminal: Terminal,
  args: readonly string[],
  seconds?: number,
  { isWhole = true, hasUnread = false } = {},
): string {
  const { style } = terminal
  const counts = countsOf(files)
  const took = seconds === undefined ? '' : style.dim(`  ${seconds.toFixed(1)} s`)
  if (counts.errors + counts.warnings === 0) {
    const checkedFiles = `${counted(counts.commands, 'command')} in ${counted(counts.files, listOrFile(files))}`
    const found = `${checkedFiles}: no problems found`
    if (isWhole && !hasUnread) return `${style.green('✓')} ${found}${took}`
    const mark = isWhole ? style.yellow('!') : style.red('✗')
    return `${mark} ${found}, and not all was seen${took}`
  }
  const rows = prettyRows(files, terminal)
  const total = totalOf(files, counts, terminal)
  const first = rows.length > LONG ? [total, ''] : []
  return [...first, ...rows, '', total + took, ...hintOf(files, counts, terminal, args)].join('\n')
}

function totalOf(files: readonly FileFindings[], counts: Counts, { style }: Terminal): string {
  const { errors, warnings } = counts
  const problems: string[] = []
  if (errors > 0) problems.push(counted(errors, 'error'))
  const facts = countsOf(distinctFacts(files)).warnings
  const places = facts < warnings ? ` at ${warnings} places` : ''
  if (warnings > 0) problems.push(counted(facts, 'warning') + places)
  const affected = fileCount(files.filter(({ findings }) => findings.length > 0))
  const text = errors > 0 ? style.red(`✗ ${listed(problems)}`) : style.yellow(`! ${listed(problems)}`)
  return `${style.bold(text)} in ${affected} of ${counted(counts.files, listOrFile(files))}`
}

function listOrFile(files: readonly FileFindings[]): string {
  return files.some(({ source }) => source.isList) ? 'list' : 'file'
}

function hintOf(
  files: readonly FileFindings[],
  counts: Counts,
  { style, isTerminal, columns }: Terminal,
  args: readonly string[],
): readonly string[] {
  const hints: string[] = []
  if (counts.fixable > 0)
    hints.push(`${counts.fixable} can be fixed: ${style.bold(`commandry check --fix ${args.join(' ')}`)}`)
  const broken = allFindings(files).find(({ issue }) => issue !== null)
  if (broken !== undefined) hints.push(`About a rule: ${style.bold(`commandry explain ${broken.code}`)}`)
  if (hints.length === 0) return []
  const line = `  ${hints.join('    ')}`
  // A terminal would break a command in the middle of a word.
  if (!isTerminal || withoutColors(line).length <= columns) return [line]
  return hints.flatMap((hint) => wrapText(hint, columns - 2).map((part) => `  ${part}`))
}

// --- For programs ---------------------------------------------------------------------------------------------

/** The version of the JSON format. Adding a field does not change it. */
export const JSON_VERSION = 1

export function jsonFiles(files: readonly FileFindings[]): readonly object[] {
  return files.map(({ source, findings }) => ({
    file: source.file,
    commands: source.definitions.length,
    issues: findings.map((finding) => {
      const { level, code, path, position, command, option, locale, message } = finding
      return {
        code,
        level,
        path,
        line: position?.line ?? null,
        column: position?.column ?? null,
        command,
        option,
        locale,
        message,
        fix: isFixable(finding) ? finding.repair : null,
        url: finding.issue === null ? null : ruleUrl(code),
      }
    }),
  }))
}

/** Annotations of GitHub Actions. The text repeats the place, because the log does not show the parameters. */
export function githubLines(files: readonly FileFindings[]): readonly string[] {
  return files.flatMap(({ source: { file }, findings }) =>
    findings.map(({ level, code, position, text }) => {
      const place = position === null ? '' : `,line=${position.line},col=${position.column}`
      const at = position === null ? file : `${file}:${position.line}:${position.column}`
      const line = printable(`${at}: ${text}`)
      const title = githubProperty(code)
      return `::${level} file=${githubProperty(file)}${place},title=${title}::${githubText(line)}`
    }),
  )
}

export function githubText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

export function githubProperty(text: string): string {
  return githubText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
