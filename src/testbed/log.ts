/** The frames and requests of a bot, in order, with masked tokens. */
import { BoundedMap } from '../core/bounded-map.ts'
import { isObject, parsedJson, type JsonObject } from '../core/json.ts'
import { maskBody, maskPath } from '../core/mask.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Exchange, Incoming, Outgoing } from '../http/message.ts'
import { errorsInResponse } from '../reference/response-errors.ts'

/** A request of the bot. */
export interface LoggedRequest {
  /** The HTTP method. */
  readonly method: string
  /** The path and the query, with masked tokens. */
  readonly path: string
  /** The HTTP status of the response. */
  readonly status: number
  /** Why the request was refused. Absent for other requests. */
  readonly error?: string
  /** The JSON body, with masked tokens. Absent if it is larger than 64 KiB or not JSON. */
  readonly body?: unknown
}

interface Line {
  readonly head: string
  readonly body: string
  /** The method and path of a request for which the service has no route. */
  readonly unknownRoute?: string
}

/** A request whose body is a JSON text. */
type KeptRequest = Omit<LoggedRequest, 'body'> & { readonly json: string }

const MOST_REQUESTS = 1_000
const MOST_REQUEST_CHARACTERS = 16 * 1024 * 1024
const MOST_LINES = 2_000
const MOST_CHARACTERS = 1_000
const MOST_BYTES = 64 * 1024

export class Log {
  readonly #requests: BoundedMap<number, KeptRequest> | null
  /** By their numbers, from 0. */
  readonly #lines = new BoundedMap<number, Line>(MOST_LINES)
  #count = 0

  /** @param options.keepsRequests whether `requests` lists them; otherwise only the lines are kept */
  constructor({ keepsRequests }: { readonly keepsRequests: boolean }) {
    this.#requests = keepsRequests ? new BoundedMap(MOST_REQUEST_CHARACTERS, requestSize) : null
  }

  get requests(): readonly LoggedRequest[] {
    return [...(this.#requests?.values() ?? [])].map(({ json, ...request }) => {
      const body = parsedJson(json)
      return body === undefined ? request : { ...request, body }
    })
  }

  forgetRequests(): void {
    this.#requests?.clear()
  }

  /** The number of lines so far; for `since`. */
  get length(): number {
    return this.#count
  }

  /** The requests after the first `length` lines, without their bodies. */
  requestsSince(length: number): readonly Omit<LoggedRequest, 'body'>[] {
    return [...(this.#requests ?? [])].flatMap(([number, request]) => (number < length ? [] : request))
  }

  /** The lines after the first `length` ones, with the first characters of their bodies. */
  since(length: number, mostOfBody = MOST_CHARACTERS): readonly string[] {
    return this.#linesSince(length).map(({ head, body }) =>
      body === '' ? head : `${head} ${body.length <= mostOfBody ? body : `${body.slice(0, mostOfBody)}…`}`,
    )
  }

  /** The requests after the first `length` lines for which the service has no route, such as `PUT /api/v10/…`. */
  unknownRoutes(length: number): readonly string[] {
    return [...new Set(this.#linesSince(length).flatMap(({ unknownRoute = [] }) => unknownRoute))]
  }

  /** @param body without secrets */
  add(head: string, body = '', unknownRoute?: string): void {
    const line: Line = {
      head,
      body: body.slice(0, MOST_CHARACTERS + 1),
      ...(unknownRoute !== undefined && { unknownRoute }),
    }
    // A copy: a part of a text keeps the whole text in memory.
    this.#lines.set(this.#count++, JSON.parse(JSON.stringify(line)) as Line)
  }

  /** An exchange that logs every request and its status, and calls `after` when it is answered. */
  recording(exchange: Exchange, after: () => void): Exchange {
    return async (incoming) => {
      let bytes: Uint8Array = new Uint8Array()
      const { method, path, query } = incoming
      const response = await exchange({
        method,
        path,
        query,
        header: (name) => incoming.header(name),
        async body(most) {
          const read = await incoming.body(most)
          if (typeof read !== 'string') bytes = read
          return read
        },
        abandon: () => incoming.abandon(),
      })
      this.#addRequest(incoming, response, bytes)
      after()
      return response
    }
  }

  /** A gateway that logs frames in both directions, except heartbeats, and calls `after` when one arrives. */
  listening(gateway: Gateway, after: () => void): Pick<Gateway, 'open' | 'close'> {
    return {
      open: (socket, query, url) => {
        this.add('--> the bot connects')
        const connection = gateway.open(
          {
            send: (data) => {
              if (typeof data === 'string') this.#frame('<--', data)
              socket.send(data)
            },
            close: (code, reason) => {
              this.add(`<-- closed with ${code}: ${reason}`)
              socket.close(code, reason)
            },
          },
          query,
          url,
        )
        return {
          receive: (data) => {
            if (typeof data === 'string') this.#frame('-->', data)
            connection.receive(data)
            // The gateway logs a bot in asynchronously.
            setTimeout(after, 0)
          },
          closed: (code) => {
            this.add('--> the connection closed')
            connection.closed(code)
            after()
          },
        }
      },
      close: () => gateway.close(),
    }
  }

  #linesSince(length: number): readonly Line[] {
    return [...this.#lines].flatMap(([number, line]) => (number < length ? [] : line))
  }

  #frame(direction: string, text: string): void {
    const masked = maskBody(text, MOST_BYTES)
    const { op, t } = (parsedJson(masked) ?? {}) as JsonObject
    const isHeartbeat = op === 1 || op === 11
    // The use of a command has logged the interaction already.
    if (!isHeartbeat && t !== 'INTERACTION_CREATE') this.add(direction, masked)
  }

  #addRequest({ method, path, query }: Incoming, response: Outgoing, bytes: Uint8Array): void {
    const { status, isUnmatched = false } = response
    const masked = maskPath(path, query)
    const error = errorOf(response)
    const json = maskBody(bytes, MOST_BYTES)
    this.#requests?.set(this.#count, { method, path: masked, status, ...(error !== '' && { error }), json })
    const request = `${method} ${masked}`
    const head = `--> ${request} ${status}${error === '' ? '' : ` (${error})`}`
    this.add(head, json, isUnmatched ? request : undefined)
  }
}

const LONGEST_ERROR = 500

/** The problems in a refusal; empty for other responses. */
function errorOf({ status, body }: Outgoing): string {
  const refusal = status >= 400 && typeof body === 'string' ? parsedJson(body) : undefined
  if (!isObject(refusal)) return ''
  const fields = errorsInResponse(refusal).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return [refusal.message, ...fields].join('; ').slice(0, LONGEST_ERROR)
}

function requestSize({ path, json }: KeptRequest): number {
  return Math.max(path.length + json.length, Math.floor(MOST_REQUEST_CHARACTERS / MOST_REQUESTS))
}
