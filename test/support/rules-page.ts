import { rules, type Rule } from 'commandry'

/** `docs/rules.md`, from the catalogue. */
export function rulesPage(): string {
  const errors = rules.filter(({ level }) => level === 'error')
  const warnings = rules.filter(({ level }) => level === 'warning')
  return [
    '# Rules',
    '',
    'Every rule of the library, from its catalogue (`rules`). This page is generated: change the rule, then run',
    '`npm run docs`. The clauses are those of the specification this library follows.',
    '',
    `## Errors (${errors.length})`,
    '',
    'An error refuses the body, and nothing changes.',
    '',
    ...table(errors),
    '',
    `## Warnings (${warnings.length})`,
    '',
    'A warning never stops anything.',
    '',
    ...table(warnings),
    '',
  ].join('\n')
}

function table(list: readonly Rule[]): string[] {
  const rows = list.map((rule) => {
    const error = rule.level === 'error' ? example(rule) : null
    return [
      `\`${rule.code}\``,
      rule.summary,
      limit(rule),
      rule.clause,
      ...(error === null ? [] : [`\`${error}\``]),
    ]
  })
  const head = [
    'Code',
    'What must hold',
    'Limit',
    'Clause',
    ...(list[0]?.level === 'error' ? ['On the wire'] : []),
  ]
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escape).join(' | ')} |`)
}

function limit({ limit }: Rule): string {
  if (limit === null) return ''
  const { min, max } = limit
  if (min === undefined) return `at most ${max}`
  if (max === undefined) return `at least ${min}`
  return `${min} to ${max}`
}

const lists: ReadonlySet<string | symbol> = new Set(['supported', 'values', 'types', 'fits'])

/** The wire's code for a rule; it may depend on the issue, so the first way to break the rule is taken. */
function example(rule: Rule): string {
  const params = new Proxy({}, { get: (_, key) => (key === 'locale' ? null : lists.has(key) ? [0] : '') })
  return rule.wire(params).code
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|')
}
