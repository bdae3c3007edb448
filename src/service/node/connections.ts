/** The connections of a server: which responses are due on each, and how a connection ends. */
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Outgoing } from '../../core/http-message.ts'
import { realTimers } from '../../core/timers.ts'
import { refuse } from '../http/respond.ts'
import type { RefusalName } from '../refusals.ts'
import { sendResponse } from './listener.ts'

/** Requests of a connection that wait for an earlier response before its reading pauses. */
const MAX_WAITING_REQUESTS = 100

export class Connections {
  /** The responses that are not finished on each connection, in the order of their requests. */
  readonly #due = new Map<Socket, Set<ServerResponse>>()
  /** Connections on which bytes arrived that are not HTTP: nothing after them is read. */
  readonly #broken = new WeakSet<Socket>()
  /** How to respond to the requests that wait for an earlier response. */
  readonly #waiting = new WeakMap<ServerResponse, () => void>()
  #isDraining = false

  opened(socket: Socket): void {
    // A connection whose upgrade was not accepted is opened again.
    if (this.#due.has(socket)) return
    const due = new Set<ServerResponse>()
    this.#due.set(socket, due)
    // Node reads on for the body of a request. Only the last one can be incomplete, and none waits for it.
    socket.on('resume', () => due.size > MAX_WAITING_REQUESTS && socket.pause())
    socket.on('close', () => this.#due.delete(socket))
  }

  /**
   * Responds to a request when the earlier responses of its connection are sent. RFC 9112 requires this for methods that
   * change something, and a client that sends many requests must not delay others. Never responds if the connection
   * closes before, nor while draining: then an earlier response is the last one.
   */
  inTurn(response: ServerResponse, respond: () => void): void {
    const { socket } = response.req
    const due = this.#due.get(socket)
    if (this.#isDraining || due === undefined) return
    const isFirst = due.size === 0
    due.add(response)
    if (due.size > MAX_WAITING_REQUESTS) socket.pause()
    response.on('close', () => {
      due.delete(response)
      if (due.size === MAX_WAITING_REQUESTS) socket.resume()
      // A response whose head was sent before the drain promised to keep the connection alive.
      if (this.#isDraining && due.size === 0) socket.destroySoon()
      const [next] = due
      // Other connections come first.
      if (next !== undefined)
        void realTimers.turn().then(() => socket.writable && this.#waiting.get(next)?.())
    })
    if (isFirst) respond()
    else this.#waiting.set(response, respond)
  }

  /** Calls back when the responses that are due on a connection are sent; not at all if it closes before. */
  afterDue(socket: Socket, then: () => void): void {
    const last = [...(this.#due.get(socket) ?? [])].at(-1)
    if (last !== undefined) last.on('close', () => socket.writable && then())
    else if (this.#due.has(socket)) then()
  }

  /** Closes the connections without a due response, and each of the others after its last one. */
  drain(): void {
    this.#isDraining = true
    for (const [socket, due] of this.#due) {
      const last = [...due].at(-1)
      if (last === undefined) socket.destroy()
      else last.shouldKeepAlive = false
    }
  }

  /** Drops all connections. */
  drop(): void {
    for (const socket of this.#due.keys()) socket.destroy()
  }

  /** Drops the connections whose request has not arrived completely. */
  dropUnfinished(): void {
    for (const [socket, due] of this.#due) {
      for (const { req } of due) if (!req.complete) socket.destroy()
    }
  }

  /**
   * Ends a connection on which bytes arrived that are not HTTP: the complete requests before them get their responses
   * first, then `end` is called. A response that has begun without a complete request is cut off.
   */
  endBroken(socket: Socket, end: () => void): void {
    const due = this.#due.get(socket)
    if (due === undefined || this.#broken.has(socket)) return
    this.#broken.add(socket)
    const lastComplete = [...due].findLast(({ req }) => req.complete)
    const finish = () => {
      const hasBegun = [...due].some(({ headersSent }) => headersSent)
      if (hasBegun || !socket.writable) socket.destroy()
      else end()
    }
    if (lastComplete === undefined) finish()
    else lastComplete.on('close', finish)
  }
}

/** Refuses a request and closes the connection, because the end of the request is unknown. */
export function refuseAndEnd(response: ServerResponse, refusal: RefusalName): void {
  response.shouldKeepAlive = false
  sendResponse(response, refuse(refusal))
}

const parserRefusals: ReadonlyMap<string | undefined, RefusalName> = new Map([
  ['HPE_HEADER_OVERFLOW', 'head_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'body_timed_out'],
])

/** Responds to bytes that are not HTTP, or that arrive too slowly, and closes the connection. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Socket, connections: Connections): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  connections.endBroken(socket, () => {
    socket.write(httpMessageOf(refuse(parserRefusals.get(error.code) ?? 'body_broken')))
    socket.destroySoon()
  })
}

/** A response as the text of the last HTTP message of a connection. */
export function httpMessageOf({ status, headers, body }: Outgoing): string {
  const text = String(body)
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(text),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n')
}
