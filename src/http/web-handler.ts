import { readBytes } from '../core/bytes.ts'
import type { Outgoing, BodyRead, Exchange, Incoming } from './message.ts'

/** A Web-standard request handler. It never rejects. */
export type Handler = (request: Request) => Promise<Response>

// Registered, so that it is the same for every copy of this module in a process.
const EXCHANGE = Symbol.for('commandry.http.exchange')

export function handlerOf(exchange: Exchange): Handler {
  const handler: Handler = async (request) => toResponse(await exchange(new WebIncoming(request)))
  return Object.defineProperty(handler, EXCHANGE, { value: exchange })
}

/** The exchange of a handler, for hosts without `Request` and `Response`; `undefined` for other functions. */
export function exchangeOf(handler: unknown): Exchange | undefined {
  return typeof handler === 'function'
    ? (handler as unknown as { readonly [EXCHANGE]?: Exchange })[EXCHANGE]
    : undefined
}

class WebIncoming implements Incoming {
  readonly #request: Request
  #reader: ReadableStreamDefaultReader<unknown> | null = null
  readonly path: string
  readonly query: string

  constructor(request: Request) {
    this.#request = request
    // The URL of a Request is absolute and normalized, so slicing it is enough.
    const { url } = request
    const start = url.indexOf('/', url.indexOf('//') + 2)
    const hash = url.indexOf('#', start)
    const end = hash < 0 ? url.length : hash
    const mark = url.indexOf('?', start)
    const stop = mark < 0 || mark > end ? end : mark
    this.path = url.slice(start, stop)
    this.query = url.slice(stop + 1, end)
  }

  get method(): string {
    return this.#request.method
  }

  header(name: string): string | null {
    return this.#request.headers.get(name)
  }

  async body(most: number): Promise<BodyRead> {
    if (Number(this.header('content-length')) > most) return 'body_too_large'
    if (this.#request.bodyUsed) return 'body_taken'
    try {
      const { body } = this.#request
      if (body === null) return new Uint8Array()
      this.#reader = body.getReader()
      return (await readBytes(this.#reader, most)) ?? 'body_too_large'
    } catch {
      return 'body_broken'
    }
  }

  abandon(): void {
    this.#reader?.cancel().catch(() => {})
  }
}

function toResponse({ status, headers, body }: Outgoing): Response {
  return new Response(body as BodyInit | null, { status, headers })
}
