/** Every rule once: the same rules that the readers run. */
import { callbackRules } from '../interactions/answer/answer-rules.ts'
import { rulesOfCommands } from '../commands/definition/rules/definition-rules.ts'
import type { Rule } from '../core/rules/rule.ts'
import { interactionRules } from '../interactions/usage/match.ts'
import { permissionRules } from '../commands/access/entry-list.ts'
import { scopeRules } from '../commands/registry/scope-rules.ts'
import { snapshotRules } from '../commands/registry/snapshot-rules.ts'

// A function, so that bundles that need no catalogue can drop it: a list made at the top of a module has to stay.
export function allRules() {
  return [
    ...rulesOfCommands(),
    ...scopeRules,
    ...snapshotRules,
    ...permissionRules,
    ...interactionRules,
    ...callbackRules,
  ] as const
}

/** The codes as keys, so that editors show `keyof RuleCodes` and not every code. */
export interface RuleCodes extends Record<ReturnType<typeof allRules>[number]['code'], unknown> {}

/** The code of a rule, and so of every issue. */
export type RuleCode = keyof RuleCodes

const byCode: ReadonlyMap<string, Rule<RuleCode>> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ allRules().map((rule) => [rule.code, rule]),
)

/** The rule with a code, if there is one. */
export function ruleOf(code: string): Rule<RuleCode> | undefined {
  return byCode.get(code)
}
