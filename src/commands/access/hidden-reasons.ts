import type { AccessExplanation, AccessStep } from './access.ts'
import type { Availability } from './availability.ts'

/** A reason why a picker hides a command. Each place that shows it has its own words. */
export type HiddenReason =
  | ({ readonly kind: 'unavailable' } & Availability['reasons'][number])
  | { readonly kind: 'denied'; readonly step: AccessStep }
  | { readonly kind: 'no_entries' }

/** The facts about a hidden command. An empty list of options means that it has only groups without subcommands. */
interface HiddenFacts {
  readonly command: { readonly options?: readonly unknown[] }
  readonly availability: Availability
  readonly access: AccessExplanation | null
}

/** Why a command is hidden: the first reason is the one that decides. */
export function reasonsOf({ command, availability, access }: HiddenFacts): readonly HiddenReason[] {
  const reasons: HiddenReason[] = availability.reasons.map((reason) => ({ kind: 'unavailable', ...reason }))
  if (access !== null && !access.allowed) reasons.push({ kind: 'denied', step: access.trace.at(-1)! })
  if (command.options?.length === 0) reasons.push({ kind: 'no_entries' })
  return reasons
}

/**
 * Why a command is hidden, a sentence for each reason.
 *
 * @param textOf the text of a step. Default: its own, which names roles and users by their ids
 */
export function whyHidden(
  facts: HiddenFacts,
  textOf: (step: AccessStep) => string = ({ text }) => text,
): readonly string[] {
  return reasonsOf(facts).map((reason) => {
    if (reason.kind === 'unavailable') return reason.text
    return reason.kind === 'denied' ? textOf(reason.step) : 'The command has only groups without subcommands.'
  })
}
