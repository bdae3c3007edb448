/** The catalogue: every rule with a way to break it. */
import { deepFreeze } from '../core/freeze.ts'
import type { Rule } from '../core/rules/rule.ts'
import { callbackExamples } from './examples/answer-examples.ts'
import type { Breaks } from './examples/breaking.ts'
import { commandExamples, commandListExamples, patchExamples } from './examples/command-examples.ts'
import { interactionExamples } from './examples/interaction-examples.ts'
import { permissionExamples, scopeExamples, snapshotExamples } from './examples/registry-examples.ts'
import { allRules, type RuleCode } from './catalogue.ts'

const examples = {
  command: commandExamples,
  commands: commandListExamples,
  permissions: permissionExamples,
  patch: patchExamples,
  scope: scopeExamples,
  snapshot: snapshotExamples,
  interaction: interactionExamples,
  callback: callbackExamples,
}

/** The body a rule is about: what its `breaks` takes and returns. */
export type RuleSubject = keyof typeof examples

/** The codes of the rules, by the kind of body that they are about. */
export type CodesBySubject = { readonly [On in RuleSubject]: keyof (typeof examples)[On] }

type ExampleCode = CodesBySubject[RuleSubject]

/** A body that breaks a rule. */
interface Example {
  /** The kind of body the rule is about. */
  readonly on: RuleSubject
  /** The smallest way to break this rule and no other, starting from a valid body. */
  readonly breaks: Breaks
}

/** A rule: a fact that must hold, its check and its messages. */
export interface CatalogueRule<Code extends string = string, Params = any, Subject extends any[] = any[]>
  extends Rule<Code, Params, Subject>, Example {}

/** The catalogue: every rule as data, in the order of `docs/rules.md`. */
export const rules: readonly CatalogueRule<RuleCode>[] = /* @__PURE__ */ withExamples()

/** From when and by which source a rule is known. */
export function sinceText({ since, source }: Pick<Rule, 'since' | 'source'>): string {
  return since === null ? 'as documented in August 2026' : `${since} (${source})`
}

function withExamples(): readonly CatalogueRule<RuleCode>[] {
  const entries = Object.entries(examples).flatMap(([on, list]) =>
    Object.entries(list).map(([code, breaks]) => [code, { on, breaks }]),
  )
  // The compiler reports an example without a rule here, and a rule without an example below.
  const byCode: Record<ExampleCode, Example> = Object.fromEntries(entries) as Record<RuleCode, Example>
  return deepFreeze(allRules().map((rule) => ({ ...rule, ...byCode[rule.code] })))
}
