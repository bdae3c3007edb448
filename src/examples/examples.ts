/** How to break each rule, by the kind of body that the rule is about. */
import { callbackExamples } from './answer.ts'
import type { Breaks } from './breaking.ts'
import { commandExamples, commandListExamples, patchExamples } from './command.ts'
import { interactionExamples } from './interaction.ts'
import { permissionExamples, scopeExamples, snapshotExamples } from './registry.ts'

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

/** How to break a rule. */
export interface Example {
  /** The kind of body the rule is about. */
  readonly on: RuleSubject
  /** The smallest way to break this rule and no other, starting from a valid body. */
  readonly breaks: Breaks
}

export function examplesByCode(): Readonly<Record<CodesBySubject[RuleSubject], Example>> {
  return Object.fromEntries(
    Object.entries(examples).flatMap(([on, list]) =>
      Object.entries(list).map(([code, breaks]) => [code, { on, breaks }]),
    ),
  ) as unknown as Record<CodesBySubject[RuleSubject], Example>
}
