/** Every rule once: the very lists the readers run, so a rule cannot be listed and not run. */
import type { Issue } from './core/report.ts'
import type { Rule } from './core/rule.ts'
import { choiceRules } from './command/choice.ts'
import { descriptionRules } from './command/description.ts'
import { exposureRules } from './command/exposure.ts'
import { localizedRules } from './command/localized.ts'
import { nameRules } from './command/name.ts'
import { optionListRules } from './command/option-list.ts'
import { optionRules } from './command/option.ts'
import { patchRules } from './command/parse.ts'
import { commandRules } from './command/read-command.ts'
import { setRules } from './command/set.ts'
import { shapeRules } from './command/shape.ts'
import { commandSize } from './command/size.ts'
import { callbackRules } from './interaction/callback.ts'
import { interactionRules } from './interaction/match.ts'
import { permissionRules } from './permission/overwrite.ts'
import { scopeRules } from './command/scope-rules.ts'
import { snapshotRules } from './command/snapshot-rules.ts'

// In a function, so that bundles which need no catalogue can leave it out: a list put together at the top of a module
// has to stay.
/* @__NO_SIDE_EFFECTS__ */
function gather() {
  return [
    ...commandRules,
    ...nameRules,
    ...descriptionRules,
    ...localizedRules,
    ...exposureRules,
    ...optionListRules,
    ...optionRules,
    ...choiceRules,
    commandSize,
    ...setRules,
    ...scopeRules,
    ...snapshotRules,
    ...patchRules,
    ...permissionRules,
    ...interactionRules,
    ...callbackRules,
    ...shapeRules,
  ] as const
}

/** The code of a rule, and so of every issue. */
export type RuleCode = ReturnType<typeof gather>[number]['code']

/** An issue whose code is known to the compiler. */
export type CommandIssue = Issue<RuleCode>

/** The catalogue: every rule as data, in the order of `docs/rules.md`. */
export const rules: readonly Rule<RuleCode>[] = /* @__PURE__ */ Object.freeze(gather())

const byCode: ReadonlyMap<string, Rule<RuleCode>> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ rules.map((rule) => [rule.code, rule]),
)

/** The rule with a code, if there is one. */
export function ruleOf(code: string): Rule<RuleCode> | undefined {
  return byCode.get(code)
}
