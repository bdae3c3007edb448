/** The intents with which bots have logged in, and those by which something was sent to them. */
import { BoundedMap } from '../../core/bounded-map.ts'
import type { WorldEvent } from '../world/events.ts'
import type { Session } from './gateway-session.ts'
import { Intent, intentsOf } from './intents.ts'

/** Bit sets. */
export interface IntentUse {
  readonly asked: number
  readonly received: number
}

const MAX_INTENT_USES = 10_000

/** The intents of bots, by the id of their application, also of bots that have left. */
export class IntentUses {
  readonly #uses = new BoundedMap<string, IntentUse>(MAX_INTENT_USES)

  /** Notes an event that was sent in a session. */
  note({ application: { id }, intents }: Session, event: WorldEvent): void {
    const { asked, received } = this.#uses.get(id) ?? { asked: 0, received: 0 }
    this.#uses.set(id, { asked: asked | intents, received: received | intentsOf(event, id) })
  }

  of(applicationId: string, sessions: readonly Session[]): IntentUse {
    const own = sessions.filter(({ application }) => application.id === applicationId)
    const { asked, received } = this.#uses.get(applicationId) ?? { asked: 0, received: 0 }
    const all = own.reduce((bits, { intents }) => bits | intents, asked)
    // Each login brings the servers.
    return { asked: all, received: received | (all & Intent.GUILDS) }
  }
}
