/** The frames and requests of a bot, in order, with masked tokens. */
import type { Gateway } from '../gateway/gateway.ts'
import type { Exchange, Incoming } from '../http/message.ts'

/** A request of the bot. */
export interface LoggedRequest {
  /** The HTTP method. */
  readonly method: string
  /** The path and the query, with masked tokens. */
  readonly path: string
  /** The HTTP status of the response. */
  readonly status: number
  /** The JSON body. Absent if it is larger than 64 KiB or not JSON. */
  readonly body?: unknown
}

const MOST_REQUESTS = 1_000
const MOST_LINES = 2_000
const MOST_CHARACTERS = 1_000
const MOST_BYTES = 64 * 1024
const TOKEN_IN_PATH = /^((?:\/[^/]+)*?\/(?:interactions|webhooks)\/[^/]+\/)[^/?]+/
const TOKEN_IN_JSON = /"(token|session_id)":"[^"]*"/g

export class Log {
  readonly #requests: LoggedRequest[] = []
  readonly #lines: string[] = []
  #dropped = 0

  get requests(): readonly LoggedRequest[] {
    return [...this.#requests]
  }

  /** The number of lines so far; for `since`. */
  get length(): number {
    return this.#dropped + this.#lines.length
  }

  /** The lines after the first `length` ones. */
  since(length: number): string {
    return this.#lines.slice(Math.max(0, length - this.#dropped)).join('\n')
  }

  add(line: string): void {
    const masked = line.replace(TOKEN_IN_JSON, '"$1":"***"')
    this.#lines.push(masked.length <= MOST_CHARACTERS ? masked : `${masked.slice(0, MOST_CHARACTERS)}…`)
    if (this.#lines.length <= MOST_LINES) return
    this.#lines.shift()
    this.#dropped++
  }

  /** An exchange that logs every request and its status, and calls `after` when it is answered. */
  recording(exchange: Exchange, after: () => void): Exchange {
    return async (incoming) => {
      let bytes: Uint8Array | undefined
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
      this.#addRequest(incoming, response.status, bytes)
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

  #frame(direction: string, text: string): void {
    const [, op] = /^\{"op":(\d+)/.exec(text) ?? []
    const isHeartbeat = op === '1' || op === '11'
    // The use of a command has logged the interaction already.
    if (!isHeartbeat && !text.endsWith('"t":"INTERACTION_CREATE"}')) this.add(`${direction} ${text}`)
  }

  #addRequest({ method, path, query }: Incoming, status: number, bytes: Uint8Array | undefined): void {
    const masked = path.replace(TOKEN_IN_PATH, '$1***') + (query === '' ? '' : `?${query}`)
    const body = bytes === undefined ? undefined : jsonOf(bytes)
    this.#requests.push({ method, path: masked, status, ...(body !== undefined && { body }) })
    if (this.#requests.length > MOST_REQUESTS) this.#requests.shift()
    const text = body === undefined ? '' : ` ${JSON.stringify(body)}`
    this.add(`--> ${method} ${masked} ${status}${text}`)
  }
}

const decoder = new TextDecoder()

/** The JSON of a body, or of the JSON part of a form. */
function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length > MOST_BYTES) return undefined
  const text = decoder.decode(bytes)
  const part = /name="payload_json"(?:\r\n[^\r\n]+)*\r\n\r\n(.*?)\r\n--/su.exec(text)
  try {
    return JSON.parse(part?.[1] ?? text)
  } catch {
    return undefined
  }
}
