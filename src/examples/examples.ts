/** How to break each rule, by the kind of body that the rule is about. */
import type { Breaks } from './breaking.ts'
import { callbackExamples } from './callback.ts'
import { commandExamples, commandListExamples, patchExamples } from './command.ts'
import { interactionExamples } from './interaction.ts'
import { permissionExamples, scopeExamples, snapshotExamples } from './registry.ts'
import { snowflakeExamples } from './shape.ts'

const examples = {
  command: commandExamples,
  commands: commandListExamples,
  permissions: { ...permissionExamples, ...snowflakeExamples },
  patch: patchExamples,
  scope: scopeExamples,
  snapshot: snapshotExamples,
  interaction: interactionExamples,
  callback: callbackExamples,
}

/** The codes of the rules, by the kind of body that they are about. */
export type CodesBySubject = { readonly [On in keyof typeof examples]: keyof (typeof examples)[On] }

/** The body a rule is about: what its `breaks` takes and returns. */
export type RuleSubject =
  'command' | 'commands' | 'permissions' | 'patch' | 'scope' | 'snapshot' | 'interaction' | 'callback'

/** How to break a rule. */
export interface Example {
  /** The kind of body the rule is about. */
  readonly on: RuleSubject
  /** The smallest way to break this rule and no other, starting from a valid body. */
  readonly breaks: Breaks
}

/** The example of each rule, by code. */
export function examplesByCode(): Readonly<Record<CodesBySubject[RuleSubject], Example>> {
  return Object.fromEntries(
    Object.entries(examples).flatMap(([on, list]) =>
      Object.entries(list).map(([code, breaks]) => [code, { on, breaks }]),
    ),
  ) as unknown as Record<CodesBySubject[RuleSubject], Example>
}
