/** For each rule, the smallest body that breaks it and no other rule. */
import type { RuleCode } from '../../reference/catalogue.ts'
import { rules, type CatalogueRule, type CodesBySubject, type RuleSubject } from '../../reference/rules.ts'
import type { CommandBody, CommandDefinition } from '../../model/command-definition.ts'
import { parseCommand } from '../../commands/definition/parse.ts'
import type { ValidationContext } from '../../commands/definition/rules/reading.ts'
import { CommandType } from '../../model/command-types.ts'
import { commandOf } from '../../commands/registry/record.ts'
import { globalScope } from '../../commands/registry/scope.ts'
import type { ApplicationSnapshot } from '../../commands/registry/read-snapshot.ts'
import { SNAPSHOT_FORMAT } from '../../commands/registry/snapshot-rules.ts'
import { deepFreeze } from '../../core/freeze.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Path } from '../../core/rules/rule.ts'
import type { Scenario } from '../../reference/examples/registry-examples.ts'
import { suggestion } from '../../core/nearest.ts'
import { describeValue } from '../../core/text.ts'
import type { Valid } from '../../core/rules/validation.ts'
import type { CallbackContext } from '../../model/answer-types.ts'
import type { InteractionRequest } from '../../interactions/usage/create.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'

/** The subject of a rule, which decides where it is checked. */
export type SubjectOf<Code extends RuleCode> = {
  [On in RuleSubject]: Code extends CodesBySubject[On] ? On : never
}[RuleSubject]

/** The body of a violation, by the subject of the rule. */
export interface ViolatingBodies {
  /** For `validateCommand`, and every create and upsert. */
  readonly command: JsonObject
  /** For `validateCommands`, and a bulk overwrite. */
  readonly commands: readonly JsonObject[]
  /** For `validatePermissions`. */
  readonly permissions: readonly JsonObject[]
  /** For `validatePatch`, against any slash command. */
  readonly patch: JsonObject
  /** For a registry: a list to overwrite with, a number of creates and deletes, and then the change that is refused. */
  readonly scope: Scenario
  /** For `registry.restore`. */
  readonly snapshot: JsonObject
  /** For `createInteraction`. The command is valid; the path is in the request. */
  readonly interaction: { readonly command: CommandBody; readonly request: InteractionRequest }
  /** For `validateCallback`. The path is in the callback. */
  readonly callback: { readonly interaction: AnyInteraction; readonly callback: unknown }
}

/** A body that breaks one rule of a subject. */
export interface ViolationOn<On extends RuleSubject, Code extends RuleCode> {
  readonly code: Code
  /** An error is the only one of the body. A warning leaves the body valid, and there may be other warnings. */
  readonly level: 'error' | 'warning'
  readonly on: On
  readonly body: ViolatingBodies[On]
  readonly path: Path
  /** The context in which the rule applies; `{}` when it always applies. */
  readonly context: On extends 'callback' ? CallbackContext : ValidationContext
}

/** A body that breaks one rule: a union, discriminated by `on`. */
export type Violation<Code extends RuleCode = RuleCode> = {
  readonly [On in SubjectOf<Code>]: ViolationOn<On, Extract<Code, CodesBySubject[On]>>
}[SubjectOf<Code>]

/** The valid bodies that rules change, by subject; other rules create their bodies. */
export const validBodies: { readonly [On in RuleSubject]?: () => unknown } = {
  command: () => ({ name: 'a', description: 'b' }),
  commands: () => [],
  permissions: () => [],
  snapshot: snapshotOfOneCommand,
}

function snapshotOfOneCommand(): ApplicationSnapshot {
  const { value } = parseCommand({ type: CommandType.USER, name: 'A' }) as Valid<CommandDefinition>
  const command = commandOf(globalScope('1'), value, '3', '4')
  const creates = { day: '', count: 0 }
  const scope = { guild_id: null, commands: [command], tenures: ['4'], creates, latest: '9' }
  return { format: SNAPSHOT_FORMAT, application_id: '1', scopes: [scope], permissions: [] }
}

/**
 * The smallest body that breaks exactly this rule, and the path of the issue. It comes from the `breaks` of the rule, so
 * it changes with the rule.
 *
 * @example
 * const { body, path } = violating('choices.count')
 * const found = validateCommand(body) // one issue: choices.count, at path
 *
 * @throws TypeError when there is no rule with that code
 */
export function violating<const Code extends RuleCode>(code: Code): Violation<Code> {
  const { level, on, breaks, context } = knownRule(code)
  const { body, path } = breaks(validBodies[on]?.() ?? {}, () => 0)
  // Validators get the time of arrival, which makes an answer late.
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
 * @throws TypeError for an unknown code; the message suggests the nearest one
 */
export function knownRule(code: RuleCode): CatalogueRule<RuleCode> {
  const rule = rules.find((one) => one.code === code)
  if (rule !== undefined) return rule
  const codes = rules.map((one) => one.code)
  throw new TypeError(
    `code: expected the code of a rule, such as "choices.count", got ${describeValue(code)}${suggestion(String(code), codes)}`,
  )
}
