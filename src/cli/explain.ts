import type { Issue } from '../core/report.ts'
import type { Rule } from '../core/rule.ts'
import { toErrorBody, type ErrorNode } from '../reference/error-body.ts'
import { ruleOf, rules, ruleUrl, type RuleCode } from '../reference/catalogue.ts'
import { ruleExample } from '../testing/rule-example.ts'
import { oneOfWords, readArguments } from './arguments.ts'
import { UsageError, type ExitCode } from './errors.ts'
import { print, type Io } from './io.ts'
import { pathText } from './load.ts'
import { nearest } from '../core/nearest.ts'
import { colorModes, columnsOf, styleFor, wrapped, type Style } from './style.ts'

export const explainUsage = `Examples
  commandry explain options.order
  commandry explain

commandry explain [CODE]

Explains a rule: what must hold, a wrong definition and its fix, and the error that Discord responds with. Without a
code it lists all rules.

  --color auto|always|never   (auto)`

export async function explain(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, { color: { type: 'string', default: 'auto' } })
  const style = styleFor(io, oneOfWords('color', values.color, colorModes))
  const [code, surplus] = positionals
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}"`)
  if (code === undefined) {
    print(io, listOfRules(style))
    return 0
  }
  const rule = ruleOf(code)
  if (rule === undefined) {
    const codes = rules.map((each) => each.code)
    const meant = nearest(code, codes) ?? codes.find((each) => each.split('.')[0] === code.split('.')[0])
    const remedy = meant === undefined ? '"commandry explain" lists them all' : `did you mean ${meant}?`
    throw new UsageError(`no rule "${code}"; ${remedy}`)
  }
  print(io, explanation(rule, style, columnsOf(io)))
  return 0
}

function listOfRules(style: Style): string {
  const bySubject = new Map<string, Rule[]>()
  for (const rule of rules) {
    const [subject = ''] = rule.code.split('.')
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), rule])
  }
  const width = Math.max(...rules.map(({ code }) => code.length))
  return [...bySubject]
    .map(([subject, list]) =>
      [
        style.bold(subject),
        ...list.map(({ code, summary, level }) => {
          const note = level === 'warning' ? style.yellow('warning: ') : ''
          return `  ${code.padEnd(width)}  ${note}${summary}`
        }),
      ].join('\n'),
    )
    .join('\n\n')
}

const LABEL = 11

function explanation(rule: Rule<RuleCode>, style: Style, columns: number): string {
  const level = rule.level === 'error' ? style.red('error') : style.yellow('warning')
  const row = (label: string, lines: readonly string[], paint = (text: string) => text) =>
    lines.map((line, index) =>
      index === 0
        ? `  ${paint(label)}${' '.repeat(LABEL - 2 - label.length)}${line}`
        : `${' '.repeat(LABEL)}${line}`,
    )
  const { wrong, right, path, issue } = ruleExample(rule)
  const at = path.length === 0 ? '' : pathText(path)
  const width = columns - LABEL
  return [
    `${style.bold(rule.code)}  ${level}`,
    ...wrapped(rule.summary, columns),
    '',
    ...row('Wrong', [...shortJson(wrong, width), ...(at === '' ? [] : [`at ${at}`])], style.red),
    ...(issue === undefined ? [] : row('Message', wrapped(issue.message, width))),
    ...(right === undefined ? [] : row('Right', shortJson(right, width), style.green)),
    ...(rule.fix === null ? [] : row('Fix', ['commandry check --fix repairs it'])),
    ...(rule.offers === null ? [] : row('Choose', Object.keys(rule.offers))),
    ...(issue === undefined || rule.wire === null ? [] : row('Discord', wireLines(issue))),
    ...row('More', [ruleUrl(rule.code)]),
  ].join('\n')
}

const MOST_LINES = 3

/** JSON in a few lines; longer JSON is cut off. */
function shortJson(value: unknown, width: number): readonly string[] {
  const json = JSON.stringify(
    value,
    (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item),
    1,
  )
  const lines = wrapped(json.replace(/\n\s*/g, ' '), width).map((line) =>
    line.length <= width ? line : `${line.slice(0, width - 1)}…`,
  )
  return lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), '…']
}

function wireLines(issue: Issue): readonly string[] {
  const { code, errors } = toErrorBody([issue])
  const error = errors === undefined ? undefined : firstError(errors)
  return error === undefined ? [String(code)] : [`${code}, ${error.code}`, JSON.stringify(error.message)]
}

function firstError(node: ErrorNode): { readonly code: string; readonly message: string } | undefined {
  let current: unknown = node
  while (typeof current === 'object' && current !== null) {
    if ('_errors' in current) return (current._errors as { code: string; message: string }[])[0]
    current = Object.values(current)[0]
  }
  return undefined
}
