/** Requests and responses of `node:http`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Outgoing, BodyRead, Incoming } from '../http/message.ts'

/** A handler of `createHandler`, or any other Web-standard handler. */
export type WebHandler = (request: Request) => Response | Promise<Response>

/** A listener for `node:http`, Express or Connect. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/** A request of `node:http`. */
export class NodeIncoming implements Incoming {
  readonly #request: IncomingMessage
  readonly method: string
  readonly path: string
  readonly query: string

  constructor(request: IncomingMessage, url = request.url ?? '/') {
    this.#request = request
    this.method = request.method ?? 'GET'
    const target = originForm(url)
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
    // An unread body is discarded after the response; `requestTimeout` limits how long that takes.
    if (Number(request.headers['content-length']) > most) return Promise.resolve('body_too_large')
    if (request.readableEnded || request.readableDidRead) return Promise.resolve('body_taken')
    // Its `close` event is already over.
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

/** A request target as a path. Proxies send absolute URLs. */
export function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}

/** Sends a response. */
export function write(response: ServerResponse, { status, headers, body }: Outgoing): void {
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
export function stream(response: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  return pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), response)
}
