import {
  listRule,
  rangeRule,
  textRule,
  type ListRule,
  type RangeRule,
  type TextRule,
} from '../../core/rules/rule-kinds.ts'
import { rule, type Rule, type RuleDefinition } from '../../core/rules/rule.ts'

/** The clause of the rules about messages, embeds, components and modals. */
export const CLAUSE = '2.11-12'

/** A rule about a part of an answer. */
/* @__NO_SIDE_EFFECTS__ */
export function answerRule<const Code extends string, Params extends object, Subject extends any[]>(
  definition: Omit<RuleDefinition<Code, Params, Subject>, 'clause'>,
): Rule<Code, Params, Subject> {
  return rule({ ...definition, clause: CLAUSE })
}

/* @__NO_SIDE_EFFECTS__ */
export function answerTextRule<const Code extends string>(definition: Omit<TextRule<Code>, 'clause'>) {
  return textRule({ ...definition, clause: CLAUSE })
}

/* @__NO_SIDE_EFFECTS__ */
export function answerListRule<const Code extends string>(definition: Omit<ListRule<Code>, 'clause'>) {
  return listRule({ ...definition, clause: CLAUSE })
}

/* @__NO_SIDE_EFFECTS__ */
export function answerRangeRule<const Code extends string>(definition: Omit<RangeRule<Code>, 'clause'>) {
  return rangeRule({ ...definition, clause: CLAUSE })
}
