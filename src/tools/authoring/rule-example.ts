import { validateCallback } from '../../interactions/answer/callback.ts'
import { applyEdits } from './edits.ts'
import type { CommandBody } from '../../model/command-definition.ts'
import { valueAt } from '../../core/json.ts'
import type { Issue } from '../../core/rules/report.ts'
import type { Path, Rule } from '../../core/rules/rule.ts'
import type { Validation } from '../../core/rules/validation.ts'
import { replacedAt } from '../../reference/examples/breaking.ts'
import { createInteraction } from '../../interactions/usage/create.ts'
import type { RuleSubject } from '../../reference/rules.ts'
import type { RuleCode } from '../../reference/catalogue.ts'
import { validateCommand, validateCommands, validatePermissions } from '../../commands/validate.ts'
import { violating } from '../../testing/samples/violations.ts'

/** A wrong and a right example of a rule, cut to the object or list around the problem. */
interface RuleExample {
  readonly wrong: unknown
  /** The nearest valid definition; `undefined` for rules that only a registry or an interaction checks. */
  readonly right: unknown
  readonly path: Path
  /** The issue of validation; `undefined` for rules that only a registry checks. */
  readonly issue: Issue | undefined
}

const validators: {
  readonly [On in RuleSubject]?: (body: unknown, context: object) => Validation<unknown>
} = {
  command: validateCommand,
  commands: validateCommands,
  permissions: validatePermissions,
  interaction: (body) => {
    const { command, request } = body as { readonly command: CommandBody; readonly request: object }
    return createInteraction(command, request)
  },
}

/** The example of a rule, from the smallest body that breaks it. */
export function ruleExample(rule: Rule<RuleCode>): RuleExample {
  const violation = violating(rule.code)
  const { path, context, on } = violation
  const body: unknown = violation.on === 'callback' ? violation.body.callback : violation.body
  const validated = (candidate: unknown): Validation<unknown> | undefined =>
    violation.on === 'callback'
      ? validateCallback(violation.body.interaction, candidate, violation.context)
      : validators[on]?.(candidate, context as object)
  const issuesOf = (candidate: unknown): readonly Issue[] => {
    const result = validated(candidate)
    return result === undefined ? [] : [...(result.ok ? [] : result.issues), ...result.warnings]
  }
  const issue = issuesOf(body).find(({ code }) => code === rule.code)
  const around = path.slice(0, -1)
  const repaired =
    issue === undefined
      ? undefined
      : repairs(rule, body, issue).find((candidate) => issuesOf(candidate).length === 0)
  return {
    wrong: withWords(valueAt(body, around) ?? body),
    right: repaired === undefined ? undefined : withWords(valueAt(repaired, around) ?? repaired),
    path,
    issue: issue && { ...issue, message: issue.message.replace(/(?<=")(?:a|A|b|x0|x1)(?=")/g, wordFor) },
  }
}

/** What readers see in place of the letters of the smallest bodies. */
const words: Readonly<Record<string, string>> = {
  a: 'ban',
  A: 'Ban',
  b: 'What it does',
  x0: 'reason',
  x1: 'target',
}

function wordFor(letter: string): string {
  return Object.hasOwn(words, letter) ? words[letter]! : letter
}

function withWords(value: unknown): unknown {
  if (typeof value === 'string') return wordFor(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withWords)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withWords(item)]))
}

/** Bodies that may be valid, the most useful first: fixed, shortened, or without the value at the path. */
function repairs(rule: Rule<RuleCode>, body: unknown, issue: Issue): readonly unknown[] {
  const { path } = issue
  const fix = rule.fix ?? Object.values(rule.offers ?? {})[0]
  const edits = fix?.(body, issue) ?? []
  const fixed = edits.length > 0 ? [JSON.parse(applyEdits(JSON.stringify(body), edits)) as unknown] : []
  const value = valueAt(body, path)
  const max = typeof rule.limit?.max === 'number' ? rule.limit.max : undefined
  const shorter =
    (Array.isArray(value) || typeof value === 'string') && max !== undefined ? [value.slice(0, max)] : []
  const words = typeof value === 'string' ? ['ban', 'a'] : []
  const others = [...shorter, ...words, 1, '1', true, max, rule.limit?.min].filter((one) => one !== undefined)
  return [...fixed, ...others.map((one) => replacedAt(body, path, one)), replacedAt(body, path, undefined)]
}
