/** Answers that come by a request of their own: POST /interactions/{id}/{token}/callback (service facts 7.3). */
import type { ApplicationSettings } from '../command/application.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import type { Issue } from '../core/report.ts'
import { TOKEN_VALID, validateCallback, type InteractionCallback } from './callback.ts'
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
  /** The answer came by another way: one that comes now is the second. */
  acknowledge(): void
  /** Stops waiting: an answer that comes now, without one before it, is for an interaction nobody knows. */
  end(): void
}

/** The interactions that wait for an answer. */
export interface PendingAnswers {
  /** An interaction that is brought several times waits for as many answers, and the first comes first. */
  expect(interaction: AnyInteraction, application?: ApplicationSettings): Expected
  /** What would come of an answer, as far as that does not depend on the answer. */
  stateOf(interactionId: string, token: string): 'waiting' | 'already_answered' | 'unknown_interaction'
  /** Takes what was posted to an interaction's callback. */
  receive(interactionId: string, token: string, callback: unknown): Received
}

interface Waiting {
  readonly interaction: AnyInteraction
  readonly application: ApplicationSettings | undefined
  readonly settle: (callback: InteractionCallback) => void
}

interface Answered {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly until: number
}

// More are not remembered, however slowly the clock goes.
const MOST_ANSWERED = 100_000

/**
 * A table of interactions that wait, for `deliver` on one side and an HTTP route on the other. Those that were
 * answered are remembered for as long as their token is good, so that a second answer is told what it is.
 *
 * @param clock by which an answer is late; absent, only `deliver` minds the time
 */
export function pendingAnswers({ clock }: { readonly clock?: Clock } = {}): PendingAnswers {
  const waiting = new Map<string, readonly Waiting[]>()
  // In the order in which they were answered.
  const answered = new Map<string, Answered>()
  const now = () => (clock ?? systemClock).now()

  function find(interactionId: string, token: string): Waiting | undefined {
    return waiting.get(interactionId)?.find(({ interaction }) => sameText(interaction.token, token))
  }

  function refusalOf(interactionId: string, token: string): 'already_answered' | 'unknown_interaction' {
    const known = answered.get(interactionId)
    const isKnown = known !== undefined && sameText(known.token, token) && now() <= known.until
    return isKnown ? 'already_answered' : 'unknown_interaction'
  }

  /** @returns whether it was there */
  function remove(one: Waiting): boolean {
    const { id } = one.interaction
    const all = waiting.get(id) ?? []
    const others = all.filter((other) => other !== one)
    if (others.length > 0) waiting.set(id, others)
    else waiting.delete(id)
    return others.length < all.length
  }

  function remember({ interaction: { id, token } }: Waiting): void {
    const time = now()
    for (const [oldest, { until }] of answered) {
      if (time <= until && answered.size < MOST_ANSWERED) break
      answered.delete(oldest)
    }
    answered.delete(id)
    answered.set(id, { token, until: time + TOKEN_VALID })
  }

  return {
    expect(interaction, application) {
      let settle: Waiting['settle'] = () => {}
      const answer = new Promise<{ via: 'callback'; callback: InteractionCallback }>((resolve) => {
        settle = (callback) => resolve({ via: 'callback', callback })
      })
      const one: Waiting = { interaction, application, settle }
      waiting.set(interaction.id, [...(waiting.get(interaction.id) ?? []), one])
      return {
        answer,
        acknowledge() {
          if (remove(one)) remember(one)
        },
        end: () => void remove(one),
      }
    },
    stateOf: (interactionId, token) =>
      find(interactionId, token) === undefined ? refusalOf(interactionId, token) : 'waiting',
    receive(interactionId, token, callback) {
      const one = find(interactionId, token)
      if (one === undefined) return refused(refusalOf(interactionId, token))
      const { interaction, application } = one
      const context = { ...(clock && { now: clock.now() }), ...(application && { application }) }
      const read = validateCallback(interaction, callback, context)
      if (!read.ok) return refused('invalid', read.issues)
      remove(one)
      remember(one)
      one.settle(read.value)
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
