/** A handler as `node:http` calls it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { exchangeOf } from '../http/handler.ts'
import type { Answer, BodyRead, Exchange, Incoming } from '../http/message.ts'
import { refuse } from '../http/respond.ts'

/** What `createHandler` of `commandry/http` gives, or any other Web-standard handler. */
export type WebHandler = (request: Request) => Response | Promise<Response>

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A handler as `node:http` calls it, for a server of one's own: `createServer(requestListener(handler))`, or
 * `app.use(requestListener(handler))` before whatever else would read the body.
 */
export function requestListener(handler: WebHandler): Listener {
  const exchange = exchangeOf(handler)
  return exchange === undefined ? foreign(handler) : native(exchange)
}

/** Requests answered without a `Request` or a `Response`, which would be most of the cost of a small one. */
function native(exchange: Exchange): Listener {
  return (request, response) => {
    exchange(new NodeIncoming(request)).then(
      (answer) => write(response, answer),
      () => response.destroy(),
    )
  }
}

class NodeIncoming implements Incoming {
  readonly #request: IncomingMessage
  readonly method: string
  readonly path: string
  readonly query: string

  constructor(request: IncomingMessage) {
    this.#request = request
    this.method = request.method ?? 'GET'
    const target = originForm(request.url ?? '/')
    const mark = target.indexOf('?')
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? '' : target.slice(mark + 1)
  }

  header(name: string): string | null {
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : null
  }

  body(most: number): Promise<BodyRead> {
    const request = this.#request
    // What is not read is thrown away when the answer is out; how long that may take, requestTimeout says.
    if (Number(request.headers['content-length']) > most) return Promise.resolve('body_too_large')
    if (request.readableEnded || request.readableDidRead) return Promise.resolve('body_taken')
    // Its `close` has passed already.
    if (request.destroyed) return Promise.resolve('body_broken')
    return new Promise((resolve) => {
      const chunks: Buffer[] = []
      let length = 0
      request.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length <= most) chunks.push(chunk)
        else {
          chunks.length = 0
          resolve('body_too_large')
        }
      })
      request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
      request.on('error', () => resolve('body_broken'))
      request.on('close', () => resolve('body_broken'))
    })
  }

  abandon(): void {
    this.#request.removeAllListeners('data').resume()
  }
}

/** A request target as a path. Proxies send whole URLs. */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}

/** Sends an answer. */
export function write(response: ServerResponse, { status, headers, body }: Answer): void {
  if (body === null) {
    response.writeHead(status, headers).end()
    return
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(status, { ...headers, 'Content-Length': length }).end(body)
}

// --- Handlers of another make ---------------------------------------------------------------------------------

function foreign(handler: WebHandler): Listener {
  return (request, response) => {
    answerBy(handler, request, response).catch((error: unknown) => {
      console.error(error)
      if (response.headersSent) response.destroy()
      else write(response, refuse('server_fault'))
    })
  }
}

async function answerBy(
  handler: WebHandler,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = toRequest(message, response)
  if (request === undefined) {
    write(response, refuse('body_broken'))
    return
  }
  const { status, headers, body } = await handler(request)
  for (const [name, value] of headers) if (name !== 'set-cookie') response.setHeader(name, value)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies)
  response.writeHead(status)
  if (body === null || message.method === 'HEAD') {
    response.end()
    return
  }
  for await (const chunk of Readable.fromWeb(body as NodeStream<Uint8Array>)) {
    if (response.destroyed) break
    if (!response.write(chunk)) await drained(response)
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?$/i

/** The URL of a request. The host is what the client says it is, so it must not be more than a host. */
function urlOf({ headers: { host = '' }, url = '/' }: IncomingMessage): string {
  const origin = HOST.test(host) && URL.canParse(`http://${host}`) ? `http://${host}` : 'http://localhost'
  const path = originForm(url)
  return path.startsWith('/') ? origin + path : `${origin}/${path}`
}

/** A message as a Web request whose body streams; `undefined` when it is none that the Web knows. */
function toRequest(message: IncomingMessage, response: ServerResponse): Request | undefined {
  const { method = 'GET', rawHeaders } = message
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  try {
    const headers = new Headers()
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
    const init: RequestInit = { method, headers, signal: gone.signal }
    if (method !== 'GET' && method !== 'HEAD') {
      Object.assign(init, { body: Readable.toWeb(message), duplex: 'half' })
    }
    return new Request(urlOf(message), init)
  } catch {
    return undefined
  }
}
