/** Handlers for `node:http`, and its requests and responses. */
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { BodyBytes } from '../../core/bytes.ts'
import { earlierBody } from '../http/earlier-body.ts'
import { isHost } from '../http/hosts.ts'
import type { BodyRead, Exchange, Incoming, Outgoing, SendingFailure } from '../../core/http-message.ts'
import { refuse } from '../http/respond.ts'
import { checkHandler, exchangeOf } from '../http/web-handler.ts'

/** A handler of `createHandler`, or any other Web-standard handler. */
export type WebHandler = (request: Request) => Response | Promise<Response>

/** A listener for `node:http`, Express or Connect. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/**
 * A handler as a listener: `createServer(requestListener(handler))`, or `app.use(requestListener(handler))`, best before
 * body parsers: of a body that was read, it takes the `rawBody` or `body` of the request. A request for a path that is not the service's goes to `next`, if there is one; otherwise it is
 * answered with 404. Handlers that were not created by this library answer every path.
 */
export function requestListener(handler: WebHandler): RequestListener {
  checkHandler(handler, 'handler')
  const exchange = exchangeOf(handler)
  return exchange === undefined ? bridge(handler) : listenerOf(exchange)
}

/** Every response of a listener, as `onResponse` receives it: `diagnostics_channel.subscribe('commandry.response', …)`. */
const responses = channel('commandry.response')

/** Responds without a `Request` or a `Response`, which would be most of the cost of a small request. */
function listenerOf(exchange: Exchange): RequestListener {
  const answerTo = async (incoming: NodeIncoming) => {
    try {
      return await exchange(incoming)
    } finally {
      incoming.release()
    }
  }
  const respond = async (
    request: IncomingMessage & { readonly originalUrl?: string },
    response: ServerResponse,
    next?: () => void,
  ) => {
    const first = await answerTo(new NodeIncoming(request))
    // Express takes the path at which a listener is mounted from the front of `url`, and keeps the whole one.
    const { url, originalUrl = url } = request
    const answer =
      first.isUnmatched && originalUrl !== url
        ? await answerTo(new NodeIncoming(request, originalUrl))
        : first
    if (answer.isUnmatched && next !== undefined) return next()
    const failure = sendResponse(response, answer)
    const report = answer.report?.(failure)
    if (report !== undefined && responses.hasSubscribers) responses.publish(report)
    // Files and pages of the service have no hooks.
    if (report === undefined && failure !== undefined) console.error(failure.error)
  }
  return (request, response, next) => {
    respond(request, response, next).catch((error) => {
      console.error(error)
      response.destroy()
    })
  }
}

// --- Handlers that were not created by `createHandler` --------------------------------------------------------

/** How a stream fails when the client disconnects while it is sent, or before. */
const DISCONNECTED: readonly unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']

/** A listener that builds a `Request` for each message and streams the `Response`. */
function bridge(handler: WebHandler): RequestListener {
  const respond = async (message: IncomingMessage, response: ServerResponse) => {
    const request = requestOf(message, response)
    if (request === undefined) return sendResponse(response, refuse('body_broken'))
    const { status, headers, body } = await handler(request)
    // Only cookies can occur more than once.
    response.writeHead(status, [...headers].flat())
    if (body === null || message.method === 'HEAD') response.end()
    else await stream(response, body)
  }
  return (message, response) => {
    respond(message, response).catch((error: NodeJS.ErrnoException) => {
      // A client that disconnects is not an error of the handler.
      if (!DISCONNECTED.includes(error?.code)) console.error(error)
      if (response.headersSent) response.destroy()
      else sendResponse(response, refuse('server_fault'))
    })
  }
}

/** A message as a Web request with a streamed body; `undefined` when the Web has no such request. */
function requestOf(message: IncomingMessage, response: ServerResponse): Request | undefined {
  const { method = 'GET', rawHeaders } = message
  const { host = '' } = message.headers
  const path = originForm(message.url ?? '/')
  const url = `http://${isHost(host) ? host : 'localhost'}${path.startsWith('/') ? '' : '/'}${path}`
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  try {
    const headers = new Headers()
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const body = hasBody ? { body: Readable.toWeb(message), duplex: 'half' } : {}
    const request = new Request(url, { method, headers, signal: closed.signal, ...body } as RequestInit)
    requests.set(response, request)
    return request
  } catch {
    return undefined
  }
}

/** Keeps requests as long as their responses: the signal of a request that was collected is never aborted. */
const requests = new WeakMap<ServerResponse, Request>()

// --- Requests and responses -----------------------------------------------------------------------------------

class NodeIncoming implements Incoming {
  readonly raw: IncomingMessage
  readonly method: string
  readonly path: string
  readonly query: string
  #body: BodyBytes | null = null

  constructor(request: IncomingMessage, url = request.url ?? '/') {
    this.raw = request
    this.method = request.method ?? 'GET'
    const target = originForm(url)
    const mark = target.indexOf('?')
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? '' : target.slice(mark + 1)
  }

  header(name: string): string | null {
    const value = this.raw.headers[name]
    return typeof value === 'string' ? value : null
  }

  body(most: number): Promise<BodyRead> {
    const request = this.raw
    // An unread body is discarded after the response; `requestTimeout` limits how long that takes.
    if (Number(request.headers['content-length']) > most) return Promise.resolve('body_too_large')
    if (request.readableEnded || request.readableDidRead) return Promise.resolve(earlierBody(this, most))
    // Its `close` event is already over.
    if (request.destroyed) return Promise.resolve('body_broken')
    const body = (this.#body = new BodyBytes(most))
    return new Promise((resolve) => {
      request.on('data', (chunk: Buffer) => {
        const excess = body.add(chunk)
        if (excess !== undefined) resolve(excess)
      })
      request.on('end', () => resolve(body.bytes))
      request.on('error', () => resolve('body_broken'))
      request.on('close', () => resolve('body_broken'))
    })
  }

  /** Ends the count of the body, once there is a response. */
  release(): void {
    this.#body?.release()
  }

  isAborted(): boolean {
    return this.raw.socket?.destroyed === true
  }

  abandon(): void {
    this.raw.removeAllListeners('data').resume()
  }
}

/** A request target as a path. Proxies send absolute URLs. */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}

/**
 * Sends a response. One that cannot be sent, such as with a header that HTTP does not allow, becomes a 500.
 *
 * @returns the error of one that could not be sent
 */
export function sendResponse(response: ServerResponse, outgoing: Outgoing): SendingFailure | undefined {
  try {
    send(response, outgoing)
    return undefined
  } catch (error) {
    if (response.headersSent) response.destroy()
    else send(response, refuse('server_fault'))
    return { error }
  }
}

function send(response: ServerResponse, { status, headers, body }: Outgoing): void {
  if (body === null) {
    response.writeHead(status, headers).end()
    return
  }
  if (body instanceof ReadableStream) {
    response.writeHead(status, headers).flushHeaders()
    // A client that disconnects cancels the stream; a stream that fails cuts off the response.
    stream(response, body).catch(() => response.destroy())
    return
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(status, { ...headers, 'Content-Length': length }).end(body)
}

/** Sends a body as it comes, after the head. When the client disconnects, the body is cancelled. */
export async function stream(response: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const source = Readable.fromWeb(body as NodeStream<Uint8Array>)
  try {
    await pipeline(source, response)
  } finally {
    // Node 24 leaves it open when the response is closed already.
    source.destroy()
  }
}
