import { toErrorBody } from 'commandry/http'
import { rules, type Rule, type RuleCode } from 'commandry/reference'
import { sinceText } from '../../src/reference/rules.ts'
import { ruleExample } from '../../src/tools/authoring/rule-example.ts'

/** `docs/rules.md`, from the catalogue. */
export function rulesPage(): string {
  const errors = rules.filter(({ level }) => level === 'error')
  const warnings = rules.filter(({ level }) => level === 'warning')
  return [
    '# Rules',
    '',
    'Every rule of the library, from its catalogue (`rules`). This page is generated: change the rule, then run',
    '`npm run docs`. The clauses are those of the specification this library follows; a decision is a note',
    'of `docs/decisions` in the repository. A rule without `since` is as documented in August 2026;',
    '[what changed since then](platform.md) lists the newer ones.',
    '',
    'A code is a subject and a fact. A singular subject (`option`, `choice`, `command`, `permission`) is one thing by',
    'itself; a plural one (`options`, `choices`, `commands`, `permissions`) is a list, and what is wrong between its items.',
    '',
    `## Errors (${errors.length})`,
    '',
    'An error refuses the body, and nothing changes.',
    '',
    ...errors.flatMap(ruleSection),
    `## Warnings (${warnings.length})`,
    '',
    'A warning never stops anything.',
    '',
    ...warnings.flatMap(ruleSection),
  ].join('\n')
}

/** One rule: its sentence, a wrong and a right example, and their message and error. */
export function ruleSection(rule: Rule<RuleCode>): readonly string[] {
  const { wrong, right, path, issue } = ruleExample(rule)
  const at = path.length === 0 ? '' : ` at \`${path.join('.')}\``
  const notes = [
    limit(rule),
    clause(rule),
    rule.since === null ? '' : `since ${sinceText(rule)}`,
    rule.fix === null ? '' : '`commandry check --fix` repairs it',
  ]
  return [
    `### <a id="${rule.code.replaceAll(/[._]/g, '-')}"></a>\`${rule.code}\``,
    '',
    `${rule.summary} (${notes.filter((note) => note !== '').join('; ')})`,
    '',
    `- Wrong${at}: \`${json(wrong)}\``,
    ...(issue === undefined ? [] : [`- Message: ${issue.message}`]),
    ...(right === undefined ? [] : [`- Right: \`${json(right)}\``]),
    ...(rule.wire === null || issue === undefined ? [] : [`- Discord: \`${wireCode(issue)}\``]),
    '',
  ]
}

function clause({ clause }: Rule): string {
  return clause.startsWith('decision') ? clause : `clause ${clause}`
}

const MAX_LENGTH = 140

function json(value: unknown): string {
  const text =
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)) ?? 'nothing'
  const printable = text.replaceAll('`', "'").replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '�')
  return printable.length <= MAX_LENGTH ? printable : `${printable.slice(0, MAX_LENGTH)}…`
}

/** The error code of the service for an issue. */
function wireCode(issue: Parameters<typeof toErrorBody>[0][number]): string {
  const codes = Array.from(
    JSON.stringify(toErrorBody([issue])).matchAll(/"code":"([^"]+)"/g),
    ([, code]) => code,
  )
  return codes[0] ?? ''
}

function limit({ limit }: Rule): string {
  if (limit === null) return ''
  const { min, max } = limit
  if (min === undefined) return `at most ${max}`
  if (max === undefined) return `at least ${min}`
  return `${min} to ${max}`
}
