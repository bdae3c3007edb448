/** Web-standard handlers that were not created by `createHandler`, on `node:http`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { isHost } from '../http/hosts.ts'
import { refuse } from '../http/respond.ts'
import { originForm, stream, write, type RequestListener, type WebHandler } from './messages.ts'

/** How a stream fails when the client disconnects while it is sent, or before. */
const DISCONNECTED: ReadonlySet<string | undefined> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
])

/** A listener that builds a `Request` for each message and streams the `Response`. */
export function bridge(handler: WebHandler): RequestListener {
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

/** The URL of a request. */
function urlOf({ headers: { host = '' }, url = '/' }: IncomingMessage): string {
  const origin = `http://${isHost(host) ? host : 'localhost'}`
  const path = originForm(url)
  return path.startsWith('/') ? origin + path : `${origin}/${path}`
}

/** A message as a Web request with a streamed body; `undefined` when the Web has no such request. */
function requestOf(message: IncomingMessage, response: ServerResponse): Request | undefined {
  const { method = 'GET', rawHeaders } = message
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  try {
    const headers = new Headers()
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const body = hasBody ? { body: Readable.toWeb(message), duplex: 'half' } : {}
    return new Request(urlOf(message), { method, headers, signal: closed.signal, ...body } as RequestInit)
  } catch {
    return undefined
  }
}
