/** Every rule once: the very lists the readers run, so a rule cannot be listed and not run. */
import type { Issue } from '../core/report.ts'
import type { Rule } from '../core/rule.ts'
import { rulesOfCommands } from '../command/rules.ts'
import { callbackRules } from '../answer/callback.ts'
import { interactionRules } from '../interaction/match.ts'
import { permissionRules } from '../permission/entry-list.ts'
import { scopeRules } from '../registry/scope-rules.ts'
import { snapshotRules } from '../registry/snapshot-rules.ts'

// A function, so that bundles that need no catalogue can drop it: a list made at the top of a module has to stay.
/* @__NO_SIDE_EFFECTS__ */
function gather() {
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
interface RuleCodes extends Record<ReturnType<typeof gather>[number]['code'], unknown> {}

/** The code of a rule, and so of every issue. */
export type RuleCode = keyof RuleCodes

/** An issue whose code is known to the compiler. */
export interface CommandIssue extends Issue<RuleCode> {}

/** The catalogue: every rule as data, in the order of `docs/rules.md`. */
export const rules: readonly Rule<RuleCode>[] = /* @__PURE__ */ Object.freeze(gather())

const byCode: ReadonlyMap<string, Rule<RuleCode>> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ rules.map((rule) => [rule.code, rule]),
)

/** The rule with a code, if there is one. */
export function ruleOf(code: string): Rule<RuleCode> | undefined {
  return byCode.get(code)
}

/** The documentation of a rule, in the package. */
export function ruleUrl(code: string): string {
  return `docs/rules.md#${code.replaceAll(/[._]/g, '-')}`
}
