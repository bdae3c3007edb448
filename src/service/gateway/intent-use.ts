/** The intents with which bots have logged in, and those by which something was sent to them. */
import { BoundedMap } from '../../core/bounded-map.ts'
import type { WorldEvent } from '../world/world-events.ts'
import type { Session } from './gateway-session.ts'
import { Intent, intentsOf } from './intents.ts'

/** Bit sets: what was asked for at logins, and by what something was received or requested. */
export interface IntentUse {
  readonly asked: number
  readonly received: number
}

const MAX_INTENT_USES = 10_000

/** The intents of bots, by the id of their application, also of bots that have left. */
export class IntentUses {
  readonly #uses = new BoundedMap<string, IntentUse>(MAX_INTENT_USES)

  /** Notes an event that was sent in a session. Returns whether it is the first of a bot without its content. */
  note({ application: { id }, intents }: Session, event: WorldEvent): boolean {
    const before = this.#uses.get(id) ?? { asked: 0, received: 0 }
    const after = { asked: before.asked | intents, received: before.received | intentsOf(event, id) }
    this.#uses.set(id, after)
    return !lacksContent(before) && lacksContent(after)
  }

  /** Notes the intents of a request of a bot. */
  noteNeed({ application: { id }, intents }: Session, needed: number): void {
    const { asked, received } = this.#uses.get(id) ?? { asked: 0, received: 0 }
    this.#uses.set(id, { asked: asked | intents, received: received | needed })
  }

  of(applicationId: string, sessions: readonly Session[]): IntentUse {
    const own = sessions.filter(({ application }) => application.id === applicationId)
    const { asked, received } = this.#uses.get(applicationId) ?? { asked: 0, received: 0 }
    const all = own.reduce((bits, { intents }) => bits | intents, asked)
    // Each login brings the servers. The members that GUILD_PRESENCES adds to them can be requested without it.
    return { asked: all, received: received | (all & Intent.GUILDS) }
  }
}

function lacksContent({ asked, received }: IntentUse): boolean {
  return (received & ~asked & Intent.MESSAGE_CONTENT) !== 0
}
