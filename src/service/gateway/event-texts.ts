/** The texts of events. The sessions of a gateway share and keep them, so that a bot that resumes has missed none. */
import { BoundedMap, bytesOfText } from '../../core/bounded-map.ts'
import type { WorldEvent } from '../world/events.ts'
import { eventFor } from './intents.ts'

/** The JSON of the data of an event; one object for all sessions of an application that get the same. */
export interface EventText {
  readonly applicationId: string
  /** Empty once it was dropped. */
  body: string
  /** The number of sessions that keep it. */
  holders: number
}

// The oldest kept texts beyond these sizes are dropped, of one application and of all.
const MAX_EVENT_BYTES = 96 * 1024 * 1024
const MAX_EVENT_BYTES_OF_ONE = 32 * 1024 * 1024
const EVENT_OVERHEAD = 256

export function eventText(applicationId: string, data: object): EventText {
  return { applicationId, body: JSON.stringify(data), holders: 0 }
}

/** The text of data that all applications get alike, by application. */
export function textsOf(data: object): (applicationId: string) => EventText {
  const texts = new Map<string, EventText>()
  const { body } = eventText('', data)
  return (applicationId) => {
    const text = texts.get(applicationId) ?? { applicationId, body, holders: 0 }
    texts.set(applicationId, text)
    return text
  }
}

/** The text of an event for an application and its intents; null if it does not get the event. */
export function eventTexts(event: WorldEvent): (applicationId: string, intents: number) => EventText | null {
  const texts = new Map<string, EventText | null>()
  /** Equal texts of several applications are one in memory. */
  const bodies = new Map<string, string>()
  return (applicationId, intents) => {
    const key = `${applicationId} ${intents}`
    const known = texts.get(key)
    if (known !== undefined) return known
    const data = event.sees(applicationId) ? eventFor(event, applicationId, intents) : null
    const text = data && eventText(applicationId, data)
    if (text !== null) {
      text.body = bodies.get(text.body) ?? text.body
      bodies.set(text.body, text.body)
    }
    texts.set(key, text)
    return text
  }
}

/** The texts that sessions keep. */
export class EventTexts {
  readonly #kept = new BoundedMap<EventText, EventText>(
    MAX_EVENT_BYTES,
    ({ body }) => EVENT_OVERHEAD + bytesOfText(body),
    {
      share: { most: MAX_EVENT_BYTES_OF_ONE, ownerOf: ({ applicationId }) => applicationId },
      // Its sessions still have the object.
      onForget: (text) => (text.body = ''),
    },
  )

  has(text: EventText): boolean {
    return this.#kept.has(text)
  }

  /** Keeps a text for one more session. */
  hold(text: EventText): void {
    if (text.holders++ === 0) this.#kept.set(text, text)
  }

  release(text: EventText): void {
    if (--text.holders === 0) this.#kept.delete(text)
  }
}
