/** Answers that come by a request of their own: POST /interactions/{id}/{token}/callback (service facts 7.3). */
import type { ApplicationSettings } from '../command/application.ts'
import type { Clock } from '../core/clock.ts'
import type { Issue } from '../core/report.ts'
import { validateCallback, type InteractionCallback } from './callback.ts'
import type { AnyInteraction } from './payload.ts'

/** What comes of an answer that arrives. */
export type Received =
  | { readonly ok: true; readonly interaction: AnyInteraction; readonly callback: InteractionCallback }
  /** Nobody waits for an answer with that id and token, or not any more. */
  | { readonly ok: false; readonly code: 'unknown_interaction'; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly code: 'already_answered'; readonly issues: readonly Issue[] }
  /** The answer has faults; another can still come. */
  | { readonly ok: false; readonly code: 'invalid'; readonly issues: readonly Issue[] }

/** An interaction that waits for its answer. */
export interface Expected {
  /** Settles with the first answer that is right; never, when none comes. */
  readonly answer: Promise<{ readonly via: 'callback'; readonly callback: InteractionCallback }>
  /** Stops waiting: later answers are for an interaction nobody knows. */
  end(): void
}

/** The interactions that wait for an answer. */
export interface PendingAnswers {
  expect(interaction: AnyInteraction, application?: ApplicationSettings): Expected
  /** Takes what was posted to an interaction's callback. */
  receive(interactionId: string, token: string, callback: unknown): Received
}

interface Waiting {
  readonly interaction: AnyInteraction
  readonly application: ApplicationSettings | undefined
  readonly settle: (callback: InteractionCallback) => void
  answered: boolean
}

/**
 * A table of interactions that wait, for `deliver` on one side and an HTTP route on the other.
 *
 * @param clock by which an answer is late; absent, only `deliver` minds the time
 */
export function pendingAnswers({ clock }: { readonly clock?: Clock } = {}): PendingAnswers {
  const table = new Map<string, Waiting>()
  return {
    expect(interaction, application) {
      const { id } = interaction
      let settle: Waiting['settle'] = () => {}
      const answer = new Promise<{ via: 'callback'; callback: InteractionCallback }>((resolve) => {
        settle = (callback) => resolve({ via: 'callback', callback })
      })
      table.set(id, { interaction, application, settle, answered: false })
      return { answer, end: () => void table.delete(id) }
    },
    receive(interactionId, token, callback) {
      const waiting = table.get(interactionId)
      if (waiting === undefined || !sameText(waiting.interaction.token, token))
        return refused('unknown_interaction')
      if (waiting.answered) return refused('already_answered')
      const { interaction, application } = waiting
      const context = { ...(clock && { now: clock.now() }), ...(application && { application }) }
      const read = validateCallback(interaction, callback, context)
      if (!read.ok) return refused('invalid', read.issues)
      waiting.answered = true
      waiting.settle(read.value)
      return { ok: true, interaction, callback: read.value }
    },
  }
}

function refused(
  code: 'unknown_interaction' | 'already_answered' | 'invalid',
  issues: readonly Issue[] = [],
): Received {
  return { ok: false, code, issues }
}

/** In a time that does not tell how much of a token was right. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
