import type { Issue } from '../core/report.ts'
import type { Rule } from '../core/rule.ts'
import { nearest } from '../core/nearest.ts'
import { ruleOf, rules, ruleUrl, type RuleCode } from '../reference/catalogue.ts'
import { toErrorBody } from '../reference/error-body.ts'
import { errorsInResponse } from '../reference/response-errors.ts'
import { ruleExample } from '../testing/rule-example.ts'
import { readArguments } from './arguments.ts'
import { UsageError } from './errors.ts'
import { print, type Io } from './io.ts'
import { bigintsAsText, pathText } from './load.ts'
import { terminalOf, wrapText, type Style, type Terminal } from './style.ts'
import type { ExitCode, Subcommand } from './subcommand.ts'

const usage = `Examples
  commandry explain options.order
  commandry explain

commandry explain [CODE]

Explains a rule: what must hold, a wrong definition and its fix, and the error that Discord responds with. Without a
code it lists all rules.

  --color auto|always|never   (auto)`

export const explainCommand: Subcommand = { summary: 'explain a rule by its code', usage, run }

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, { color: { type: 'string', default: 'auto' } })
  const terminal = terminalOf(io, values.color)
  const [code, surplus] = positionals
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}"`)
  if (code === undefined) {
    print(io, listOfRules(terminal.style))
    return 0
  }
  const rule = ruleOf(code)
  if (rule === undefined) {
    const codes = rules.map((each) => each.code)
    const meant = nearest(code, codes) ?? codes.find((each) => each.split('.')[0] === code.split('.')[0])
    const remedy = meant === undefined ? '"commandry explain" lists them all' : `did you mean ${meant}?`
    throw new UsageError(`no rule "${code}"; ${remedy}`)
  }
  print(io, explanation(rule, terminal))
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

function explanation(rule: Rule<RuleCode>, { style, columns }: Terminal): string {
  const level = rule.level === 'error' ? style.red('error') : style.yellow('warning')
  const row = (label: string, lines: readonly string[], paint = (text: string) => text) =>
    lines.map((line, index) =>
      index === 0
        ? `  ${paint(label)}${' '.repeat(LABEL - 2 - label.length)}${line}`
        : `${' '.repeat(LABEL)}${line}`,
    )
  const { wrong, right, path, issue } = ruleExample(rule)
  const at = path.length === 0 ? [] : [`at ${pathText(path)}`]
  const width = columns - LABEL
  return [
    `${style.bold(rule.code)}  ${level}`,
    ...wrapText(rule.summary, columns),
    '',
    ...row('Wrong', [...shortJson(wrong, width), ...at], style.red),
    ...(issue === undefined ? [] : row('Message', wrapText(issue.message, width))),
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
  const json = JSON.stringify(value, bigintsAsText, 1)
  const lines = wrapText(json.replace(/\n\s*/g, ' '), width).map((line) =>
    line.length <= width ? line : `${line.slice(0, width - 1)}…`,
  )
  return lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), '…']
}

function wireLines(issue: Issue): readonly string[] {
  const body = toErrorBody([issue])
  const [error] = errorsInResponse(body)
  if (error === undefined) return [String(body.code)]
  return [`${body.code}, ${error.code}`, JSON.stringify(error.message)]
}
