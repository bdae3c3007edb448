/** For every rule a body that breaks it and nothing else, made by the rule itself. */
import { ruleOf, rules, type RuleCode } from '../reference/catalogue.ts'
import type { CommandBody } from '../command/body.ts'
import type { patchRules } from '../command/parse.ts'
import type { ValidationContext } from '../command/reading.ts'
import type { Scenario, scopeRules } from '../registry/scope-rules.ts'
import type { commandListRules } from '../command/commands.ts'
import type { snowflake } from '../command/shape.ts'
import { SNAPSHOT_FORMAT, type snapshotRules } from '../registry/snapshot-rules.ts'
import { deepFreeze } from '../core/freeze.ts'
import type { JsonObject } from '../core/json.ts'
import type { Path, Rule, RuleSubject } from '../core/rule.ts'
import { nearest } from '../core/nearest.ts'
import { describeValue } from '../core/text.ts'
import type { CallbackContext } from '../answer/answer-types.ts'
import type { callbackRules } from '../answer/callback.ts'
import type { InteractionRequest } from '../interaction/create.ts'
import type { interactionRules } from '../interaction/match.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import type { permissionRules } from '../permission/entry-list.ts'

type CodeOf<Rules extends readonly Rule[]> = Rules[number]['code']

/** The rules that are about something other than the body of one command, by what they are about. */
interface Elsewhere {
  readonly commands: CodeOf<typeof commandListRules>
  readonly permissions: CodeOf<typeof permissionRules> | (typeof snowflake)['code']
  readonly patch: CodeOf<typeof patchRules>
  readonly scope: CodeOf<typeof scopeRules>
  readonly snapshot: CodeOf<typeof snapshotRules>
  readonly interaction: CodeOf<typeof interactionRules>
  readonly callback: CodeOf<typeof callbackRules>
}

/** What a rule is about, and so who finds it broken. */
export type SubjectOf<Code extends RuleCode> = Code extends Elsewhere[keyof Elsewhere]
  ? { [On in keyof Elsewhere]: Code extends Elsewhere[On] ? On : never }[keyof Elsewhere]
  : 'command'

/** What a violation of each kind of rule consists of. */
export interface ViolatingBodies {
  /** For `validateCommand`, and every create and upsert. */
  readonly command: JsonObject
  /** For `validateCommands`, and a bulk overwrite. */
  readonly commands: readonly JsonObject[]
  /** For `validatePermissions`. */
  readonly permissions: readonly JsonObject[]
  /** For `validatePatch`, against any slash command. */
  readonly patch: JsonObject
  /** For a registry: what to overwrite with, how often to create and delete, and then the one change it refuses. */
  readonly scope: Scenario
  /** For `registry.restore`. */
  readonly snapshot: JsonObject
  /** For `createInteraction`. The command is valid; what is wrong, and the path, is in the request. */
  readonly interaction: { readonly command: CommandBody; readonly request: InteractionRequest }
  /** For `validateCallback`. What is wrong, and the path, is in the callback. */
  readonly callback: { readonly interaction: AnyInteraction; readonly callback: unknown }
}

export interface ViolationOn<On extends RuleSubject, Code extends RuleCode> {
  readonly code: Code
  /** Of an error nothing else is wrong with the body. A warning leaves it valid, and may not be the only one. */
  readonly level: 'error' | 'warning'
  /** What the rule is about. */
  readonly on: On
  /** Valid but for this rule. */
  readonly body: ViolatingBodies[On]
  /** Where the issue is. */
  readonly path: Path
  /** What the validator has to be told for the rule to apply; `{}` when it applies everywhere. */
  readonly context: On extends 'callback' ? CallbackContext : ValidationContext
}

/** A body that breaks one rule; a union to be told apart by `on`. */
export type Violation<Code extends RuleCode = RuleCode> = {
  readonly [On in SubjectOf<Code>]: ViolationOn<On, Extract<Code, CodeOn<On>>>
}[SubjectOf<Code>]

type CodeOn<On extends RuleSubject> = On extends keyof Elsewhere
  ? Elsewhere[On]
  : Exclude<RuleCode, Elsewhere[keyof Elsewhere]>

/** Whatever rules start from; those that are not here start from nothing. */
const whole: { readonly [On in RuleSubject]?: unknown } = {
  command: { name: 'a', description: 'b' },
  commands: [],
  permissions: [],
  snapshot: { format: SNAPSHOT_FORMAT, application_id: '1', scopes: [], permissions: [] },
}

/**
 * The smallest body that breaks exactly this rule, and where. It comes from the rule's own `breaks`, so it stays
 * true when the rule changes.
 *
 * @example
 * const { body, path } = violating('choices.count')
 * const found = validateCommand(body) // one issue: choices.count, at path
 *
 * @throws TypeError when there is no rule with that code
 */
export function violating<const Code extends RuleCode>(code: Code): Violation<Code> {
  const { level, on, breaks, context } = knownRule(code)
  const { body, path } = breaks(whole[on] ?? {}, () => 0)
  // An answer that is late is so by the time at which it comes, which validators are told with the rest.
  const { now, ...rest } = body as { readonly now?: number }
  const isLate = on === 'callback' && now !== undefined
  return deepFreeze({
    code,
    level,
    on,
    body: structuredClone(isLate ? rest : body),
    path: [...path],
    context: { ...context, ...(isLate && { now }) },
  }) as unknown as Violation<Code>
}

/**
 * The rule with a code.
 *
 * @throws TypeError when there is none; the message suggests the nearest code
 */
export function knownRule(code: RuleCode): Rule<RuleCode> {
  const rule = ruleOf(code)
  if (rule !== undefined) return rule
  const suggestion = nearest(
    String(code),
    rules.map((one) => one.code),
  )
  const advice = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  throw new TypeError(
    `code: expected the code of a rule, such as "choices.count", got ${describeValue(code)}${advice}`,
  )
}
