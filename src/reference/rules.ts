import type { Rule } from '../core/rule.ts'
import { examplesByCode, type Example } from '../examples/examples.ts'
import { allRules, type RuleCode } from './catalogue.ts'

/** A rule: a fact that must hold, its check and its messages. */
export interface CatalogueRule<Code extends string = string, Params = any, Subject extends any[] = any[]>
  extends Rule<Code, Params, Subject>, Example {}

/** The catalogue: every rule as data, in the order of `docs/rules.md`. */
export const rules: readonly CatalogueRule<RuleCode>[] = /* @__PURE__ */ withExamples()

function withExamples(): readonly CatalogueRule<RuleCode>[] {
  const examples: Readonly<Record<RuleCode, Example>> = examplesByCode()
  return Object.freeze(allRules().map((rule) => Object.freeze({ ...rule, ...examples[rule.code] })))
}
