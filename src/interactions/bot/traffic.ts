/** What went over the wire between the service and its bots: requests, interactions and frames, without secrets. */
import { BoundedMap, bytesOfText } from '../../core/bounded-map.ts'
import { systemClock } from '../../core/clock.ts'
import { Emitter } from '../../core/emitter.ts'
import { parsedJson, type JsonObject } from '../../core/json.ts'
import { realTimers } from '../../core/timers.ts'
import { isForm, readFormParts, type FormParts } from '../answer/form.ts'
import { MaskedBody, maskPath } from './mask.ts'
import { withBody, type BodyRead, type Exchange, type Incoming } from '../../core/http-message.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'

interface Transfer {
  /** Counts all transfers from 1. */
  readonly id: number
  /** Milliseconds since 1970. */
  readonly time: number
  /** `in` to the service, `out` to a bot. */
  readonly direction: 'in' | 'out'
}

/** A request to the service and its response, or an interaction and its answer. */
export interface TrafficRequest extends Transfer {
  readonly kind: 'request'
  /** `GATEWAY` for an interaction at a gateway. */
  readonly method: string
  /** The path and the query; of an interaction the host of the endpoint. */
  readonly path: string
  /** Null while an interaction is not answered; 0 if its endpoint did not respond. */
  readonly status: number | null
  readonly milliseconds: number
  /** The type of the credential, `Bot` or `Bearer`; empty for none. */
  readonly credential: string
  /** JSON; the size of another body. */
  readonly request: string
  readonly response: string
  /** Whether the service has no route for it; absent for an interaction. */
  readonly isUnmatched?: boolean
  /** The files beside the body. Absent for none. */
  readonly files?: FormParts['files']
  /** What the service ignored in the body; absent for nothing. */
  readonly notes?: readonly string[]
  readonly summary: string
  /** The events that a request caused, in words. */
  readonly events: readonly string[]
  /** The changes of a write, value by value. */
  readonly changes: readonly string[]
}

/** A frame of a gateway, or the begin or the end of a connection. */
export interface TrafficFrame extends Transfer {
  readonly kind: 'frame'
  /** What happened to the connection; empty for a frame. */
  readonly note: string
  readonly body: string
}

/** How an interaction was answered. */
export type AnswerRecord = Pick<TrafficRequest, 'status' | 'response' | 'summary' | 'notes'>

export type TrafficEntry = TrafficRequest | TrafficFrame

export type Effects = Pick<TrafficRequest, 'summary' | 'events' | 'changes'>

/** Called before a request; returns a function that is called after it, unless it can have no effects. */
export type Watch = (incoming: Incoming) => Promise<(() => Effects) | undefined>

const MAX_TRAFFIC_ENTRIES = 2_000
const MAX_TRAFFIC_BYTES = 32 * 1024 * 1024
const SMALLEST_ENTRY = Math.floor(MAX_TRAFFIC_BYTES / MAX_TRAFFIC_ENTRIES)
const CREDENTIALS = ['Bot', 'Bearer']
const SCHEME = /^(\w+) +\S/
// The opcode in frames of bots, and how frames of the gateway begin and end.
const HEARTBEAT = 1
const ACKNOWLEDGED = '{"op":11,'
const INTERACTION = ',"t":"INTERACTION_CREATE"}'
const NO_EFFECTS: Effects = { summary: '', events: [], changes: [] }
const UNANSWERED = { status: null, milliseconds: 0, credential: '' }

/** The files beside a body; no field without any. */
function filesOf(body: Uint8Array, contentType: string | null): Pick<TrafficRequest, 'files'> {
  const files = isForm(contentType) ? readFormParts(body, contentType).files : []
  return files.length === 0 ? {} : { files }
}

/** An entry, and the bytes that it takes. */
interface Recorded {
  readonly entry: TrafficEntry
  readonly size: number
}

/** An entry whose bodies are masked when they are read: most of them never are. */
function requestOf(
  fields: Omit<TrafficRequest, 'request' | 'response'>,
  request: MaskedBody,
  response: MaskedBody,
): Recorded {
  const { path, summary, events, changes, files = [] } = fields
  const names = files.flatMap(({ filename, content_type }) => [filename, content_type])
  const texts =
    bytesOfText(path, summary, ...events, ...changes, ...names) + 2 * (request.length + response.length)
  const entry = {
    ...fields,
    get request() {
      return request.text
    },
    get response() {
      return response.text
    },
  }
  return { entry, size: Math.max(texts, SMALLEST_ENTRY) }
}

/** The last entries, oldest first. */
export class Traffic {
  readonly #entries = new BoundedMap<number, Recorded>(MAX_TRAFFIC_BYTES, ({ size }) => size)
  readonly #recorded = new Emitter<TrafficEntry>((error) => console.error(error))
  #lastId = 0
  #arrived = 0
  /** The open requests of bots, such as `POST /api/v10/…`. */
  readonly #open = new Set<{ readonly method: string; readonly path: string }>()
  #changedAt = -Infinity

  /** Counts the requests of bots when they arrive. */
  get arrived(): number {
    return this.#arrived
  }

  /** The requests of bots that have no response yet: their methods and paths. */
  get open(): readonly string[] {
    return Array.from(this.#open, ({ method, path }) => `${method} ${maskPath(path)}`)
  }

  /** Milliseconds since the last request, response or frame; 0 while a request of a bot is open. */
  get idleTime(): number {
    return this.#open.size > 0 ? 0 : realTimers.now() - this.#changedAt
  }

  /** The id of the newest entry; 0 before the first one. */
  get lastId(): number {
    return this.#lastId
  }

  get(id: number): TrafficEntry | undefined {
    return this.#entries.get(id)?.entry
  }

  /** The entries after the one with an id. Default: all. */
  since(id = 0): readonly TrafficEntry[] {
    return [...this.#entries.values()].map(({ entry }) => entry).filter((entry) => entry.id > id)
  }

  /** The requests and interactions after an id that have a response. */
  requestsSince(id = 0): readonly TrafficRequest[] {
    return this.since(id).filter(
      (entry) => entry.kind === 'request' && entry.status !== null,
    ) as TrafficRequest[]
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Calls a listener with each frame, and with each request once it has a response. @returns removes the listener */
  subscribe(listener: (entry: TrafficEntry) => void): () => void {
    return this.#recorded.add(listener)
  }

  recording(exchange: Exchange, watch?: Watch): Exchange {
    return async (incoming) => {
      const { method, path, query } = incoming
      const time = systemClock.now()
      const started = realTimers.now()
      this.#arrived++
      this.#open.add(incoming)
      try {
        const effectsOf = await watch?.(incoming)
        let body: BodyRead = new Uint8Array()
        const response = await exchange(withBody(incoming, async (max) => (body = await incoming.body(max))))
        const [, scheme] = SCHEME.exec(incoming.header('authorization') ?? '') ?? []
        const contentType = incoming.header('content-type')
        const fields = {
          id: ++this.#lastId,
          time,
          kind: 'request' as const,
          direction: 'in' as const,
          method,
          path: maskPath(path, query),
          status: response.status,
          milliseconds: Math.round(realTimers.now() - started),
          credential: CREDENTIALS.find((one) => one.toLowerCase() === scheme?.toLowerCase()) ?? '',
          isUnmatched: response.isUnmatched ?? false,
          ...(response.notes && { notes: response.notes }),
          ...(typeof body !== 'string' && filesOf(body, contentType)),
          ...(effectsOf?.() ?? NO_EFFECTS),
        }
        const text = response.body instanceof ReadableStream ? '' : (response.body ?? '')
        const request = new MaskedBody(typeof body === 'string' ? '' : body, contentType)
        this.#record(requestOf(fields, request, new MaskedBody(text)))
        return response
      } finally {
        this.#open.delete(incoming)
        this.#changedAt = realTimers.now()
      }
    }
  }

  /** Records an interaction that is sent to a bot. @returns records the answer */
  send(
    interaction: AnyInteraction,
    method: 'POST' | 'GATEWAY',
    path: string,
  ): (answer: AnswerRecord) => void {
    const started = realTimers.now()
    const sent = {
      ...UNANSWERED,
      ...NO_EFFECTS,
      id: ++this.#lastId,
      time: systemClock.now(),
      kind: 'request' as const,
      direction: 'out' as const,
      method,
      path,
    }
    const request = new MaskedBody(JSON.stringify(interaction))
    this.#entries.set(sent.id, requestOf(sent, request, new MaskedBody('')))
    this.#changedAt = started
    return ({ response, ...answer }) => {
      const milliseconds = Math.round(realTimers.now() - started)
      this.#record(requestOf({ ...sent, ...answer, milliseconds }, request, new MaskedBody(response)))
    }
  }

  /** Records a frame of a gateway, but no heartbeats, interactions and compressed frames. */
  frame(direction: Transfer['direction'], data: string | Uint8Array): void {
    if (typeof data !== 'string') return
    const isHidden =
      direction === 'in'
        ? ((parsedJson(data) ?? {}) as JsonObject).op === HEARTBEAT
        : data.startsWith(ACKNOWLEDGED) || data.endsWith(INTERACTION)
    if (!isHidden) this.#recordFrame(direction, '', data)
  }

  /** Records what happened to the connection of a bot. */
  note(direction: Transfer['direction'], note: string): void {
    this.#recordFrame(direction, note, '')
  }

  #recordFrame(direction: Transfer['direction'], note: string, data: string): void {
    const body = new MaskedBody(data)
    const entry: TrafficFrame = {
      ...{ id: ++this.#lastId, time: systemClock.now(), kind: 'frame', direction, note },
      get body() {
        return body.text
      },
    }
    const size = Math.max(bytesOfText(note) + 2 * body.length, SMALLEST_ENTRY)
    this.#record({ entry, size })
  }

  #record(recorded: Recorded): void {
    this.#entries.set(recorded.entry.id, recorded)
    this.#changedAt = realTimers.now()
    this.#recorded.publish([recorded.entry])
  }
}
