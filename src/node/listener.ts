/** Handlers for `node:http`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { isHost } from '../http/hosts.ts'
import type { Exchange } from '../http/message.ts'
import { refuse } from '../http/respond.ts'
import { exchangeOf } from '../http/web-handler.ts'
import { NodeIncoming, originForm, stream, write, type RequestListener, type WebHandler } from './messages.ts'

/**
 * A handler as a listener: `createServer(requestListener(handler))`, or `app.use(requestListener(handler))` before
 * body parsers. A request for a path that is not the service's goes to `next`, if there is one; otherwise it is
 * answered with 404. Handlers that were not created by this library answer every path.
 */
export function requestListener(handler: WebHandler): RequestListener {
  const exchange = exchangeOf(handler)
  return exchange === undefined ? bridge(handler) : listenerOf(exchange)
}

/** Responds without a `Request` or a `Response`, which would be most of the cost of a small request. */
function listenerOf(exchange: Exchange): RequestListener {
  const answerTo = async (request: IncomingMessage & { readonly originalUrl?: string }) => {
    const answer = await exchange(new NodeIncoming(request))
    // Express takes the path at which a listener is mounted from the front of `url`, and keeps the whole one.
    const { url, originalUrl = url } = request
    return answer.isUnmatched && originalUrl !== url
      ? exchange(new NodeIncoming(request, originalUrl))
      : answer
  }
  return (request, response, next) => {
    answerTo(request).then(
      (answer) => {
        if (answer.isUnmatched && next !== undefined) next()
        else write(response, answer)
      },
      () => response.destroy(),
    )
  }
}

// --- Handlers that were not created by `createHandler` --------------------------------------------------------

/** How a stream fails when the client disconnects while it is sent, or before. */
const DISCONNECTED: ReadonlySet<string | undefined> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
])

/** A listener that builds a `Request` for each message and streams the `Response`. */
function bridge(handler: WebHandler): RequestListener {
  return (message, response) => {
    respond(handler, message, response).catch((error: NodeJS.ErrnoException) => {
      // A client that disconnects is not an error of the handler.
      if (!DISCONNECTED.has(error?.code)) console.error(error)
      if (response.headersSent) response.destroy()
      else write(response, refuse('server_fault'))
    })
  }
}

async function respond(
  handler: WebHandler,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = requestOf(message, response)
  if (request === undefined) return write(response, refuse('body_broken'))
  const { status, headers, body } = await handler(request)
  // Only cookies can occur more than once.
  response.writeHead(status, [...headers].flat())
  if (body === null || message.method === 'HEAD') response.end()
  else await stream(response, body)
}

/** A message as a Web request with a streamed body; `undefined` when the Web has no such request. */
function requestOf(message: IncomingMessage, response: ServerResponse): Request | undefined {
  const {
    method = 'GET',
    rawHeaders,
    headers: { host = '' },
  } = message
  const path = originForm(message.url ?? '/')
  const url = `http://${isHost(host) ? host : 'localhost'}${path.startsWith('/') ? '' : '/'}${path}`
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  try {
    const headers = new Headers()
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const body = hasBody ? { body: Readable.toWeb(message), duplex: 'half' } : {}
    return new Request(url, { method, headers, signal: closed.signal, ...body } as RequestInit)
  } catch {
    return undefined
  }
}
