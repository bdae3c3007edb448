/** The texts of events. The sessions of a gateway share and keep them, so that a bot that resumes has missed none. */
import { BoundedMap, bytesOfText } from '../../core/bounded-map.ts'
import type { WorldEvent } from '../world/world-events.ts'
import { eventFor } from './intents.ts'

/** What sessions keep of an event: one object for all sessions of an application that get the same. */
export interface KeptText {
  readonly applicationId: string
  /** Empty once it was dropped. */
  body: string
  /** The number of sessions that keep it. */
  holders: number
}

/** The JSON of the data of an event on its way to sessions, which send it whole even if it is too large to be kept. */
export interface EventText {
  readonly body: string
  readonly kept: KeptText
}

// The oldest kept texts beyond these sizes are dropped, of one application and of all.
const MAX_EVENT_BYTES = 96 * 1024 * 1024
const MAX_EVENT_BYTES_OF_ONE = 32 * 1024 * 1024
const EVENT_OVERHEAD = 256

export function eventText(applicationId: string, data: object): EventText {
  return textOf(applicationId, JSON.stringify(data))
}

function textOf(applicationId: string, body: string): EventText {
  return { body, kept: { applicationId, body, holders: 0 } }
}

/** The text of data that all applications get alike, by application. */
export function sharedTexts(data: object): (applicationId: string) => EventText {
  const texts = new Map<string, EventText>()
  const { body } = eventText('', data)
  return (applicationId) => {
    const text = texts.get(applicationId) ?? textOf(applicationId, body)
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
    const body = data && JSON.stringify(data)
    const text = body === null ? null : textOf(applicationId, bodies.get(body) ?? body)
    if (text !== null) bodies.set(text.body, text.body)
    texts.set(key, text)
    return text
  }
}

/** The texts that sessions keep. */
export class EventTexts {
  readonly #kept = new BoundedMap<KeptText, KeptText>(
    MAX_EVENT_BYTES,
    ({ body }) => EVENT_OVERHEAD + bytesOfText(body),
    {
      share: { most: MAX_EVENT_BYTES_OF_ONE, ownerOf: ({ applicationId }) => applicationId },
      // Its sessions still have the object.
      onForget: (text) => (text.body = ''),
    },
  )

  has(text: KeptText): boolean {
    return this.#kept.has(text)
  }

  /** Keeps a text for one more session. */
  hold(text: KeptText): void {
    if (text.holders++ === 0) this.#kept.set(text, text)
  }

  release(text: KeptText): void {
    if (--text.holders === 0) this.#kept.delete(text)
  }
}
