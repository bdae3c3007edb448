import { BodyBytes, leaveUnread, readInto } from '../../core/bytes.ts'
import { argument, demand } from '../../core/rules/arguments.ts'
import { earlierBody } from './earlier-body.ts'
import type { BodyRead, Exchange, Incoming, Outgoing, SendingFailure } from '../../core/http-message.ts'
import { refuse } from './respond.ts'

/** A Web-standard request handler. It rejects only what is not a `Request`. */
export type Handler = (request: Request) => Promise<Response>

// Registered, so that it is the same for every copy of this module in a process.
const EXCHANGE = Symbol.for('commandry.http.exchange')

/** A handler of requests, as an argument. */
export const aHandler = /* @__PURE__ */ argument(
  'a function',
  (value) => typeof value === 'function',
  'see createHandler',
)

export const checkHandler = /* @__PURE__ */ demand(aHandler)

const checkRequest = /* @__PURE__ */ demand(
  argument(
    'a Request',
    (value) => typeof value?.headers?.get === 'function',
    'node:http and Express take requestListener(handler)',
  ),
)

export function handlerOf(exchange: Exchange): Handler {
  const handler: Handler = async (request) => {
    checkRequest(request, 'request')
    const incoming = new WebIncoming(request)
    const outgoing = await exchange(incoming)
    incoming.release()
    const { response, failure } = responseOf(outgoing)
    const report = outgoing.report?.(failure)
    if (report === undefined && failure !== undefined) console.error(failure.error)
    return response
  }
  return Object.defineProperty(handler, EXCHANGE, { value: exchange })
}

/** A response as the Web has it; one that it does not allow, such as with a header of other characters, is a 500. */
function responseOf({ status, headers, body }: Outgoing): { response: Response; failure?: SendingFailure } {
  try {
    return { response: new Response(body as BodyInit | null, { status, headers }) }
  } catch (error) {
    return { ...responseOf(refuse('server_fault')), failure: { error } }
  }
}

/** The exchange of a handler, for hosts without `Request` and `Response`; `undefined` for other functions. */
export function exchangeOf(handler: unknown): Exchange | undefined {
  return typeof handler === 'function'
    ? (handler as unknown as { readonly [EXCHANGE]?: Exchange })[EXCHANGE]
    : undefined
}

class WebIncoming implements Incoming {
  readonly raw: Request
  #reader: ReadableStreamDefaultReader<unknown> | null = null
  #body: BodyBytes | null = null
  readonly path: string
  readonly query: string

  constructor(request: Request) {
    this.raw = request
    const { pathname, search } = new URL(request.url)
    this.path = pathname
    this.query = search.slice(1)
  }

  get method(): string {
    return this.raw.method
  }

  header(name: string): string | null {
    return this.raw.headers.get(name)
  }

  async body(most: number): Promise<BodyRead> {
    if (Number(this.header('content-length')) > most) return 'body_too_large'
    if (this.raw.bodyUsed) return earlierBody(this, most)
    try {
      const { body } = this.raw
      if (body === null) return new Uint8Array()
      this.#reader = body.getReader()
      const bytes = (this.#body = new BodyBytes(most))
      return (await readInto(bytes, this.#reader, this.header('content-type'))) ?? bytes.bytes
    } catch {
      return 'body_broken'
    }
  }

  /** Ends the count of the body, once there is a response. */
  release(): void {
    this.#body?.release()
  }

  isAborted(): boolean {
    // What some hosts pass for a Request has no signal.
    return (this.raw.signal as AbortSignal | undefined)?.aborted === true
  }

  abandon(): void {
    if (this.#reader !== null) void leaveUnread(this.#reader, this.header('content-type'))
  }
}

/** A function like `fetch` whose requests go to a handler. */
export type RestFetch = (input: string | URL | Request, init?: object) => Promise<Response>

/**
 * A `fetch` that sends every request to a handler, whatever its host, so that a client needs no port. It can be the
 * `makeRequest` of discord.js (`new REST({ makeRequest: restFetch(handler) })`) and the `fetch` of any other client.
 *
 * @throws TypeError when the handler is not a function
 */
export function restFetch(handler: Handler): RestFetch {
  checkHandler(handler, 'handler')
  // A body that is a stream needs `duplex`; for any other it has no effect.
  return async (input, init) => handler(new Request(input, { duplex: 'half', ...init } as RequestInit))
}
