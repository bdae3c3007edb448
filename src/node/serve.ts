import { createServer, STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { described } from '../core/text.ts'
import { after } from '../http/body.ts'
import { checkMilliseconds } from '../http/milliseconds.ts'
import { refuse, type Refusal } from '../http/respond.ts'
import { requestListener, write, type WebHandler } from './listener.ts'

export interface ServeOptions {
  readonly handler: WebHandler
  /** Default 0: any that is free. */
  readonly port?: number
  /** Default `127.0.0.1`: nobody but this machine. */
  readonly host?: string
  /** Milliseconds the head of a request may take to arrive; `Infinity` for any time. Default 10 seconds. */
  readonly headersTimeout?: number
  /** Milliseconds a whole request may take to arrive; `Infinity` for any time. Default 30 seconds. */
  readonly requestTimeout?: number
  /**
   * Milliseconds without a byte in either direction after which a connection is dropped; `Infinity` for never.
   * Default 60 seconds.
   */
  readonly idleTimeout?: number
}

export interface Serving {
  /** Where it listens, without a slash at the end: `http://127.0.0.1:8787`. */
  readonly url: string
  /** The port it listens on. */
  readonly port: number
  /**
   * Takes no more connections, drops those that wait, and answers the requests that have arrived; what comes after
   * them is not looked at. One that is still arriving has `requestTimeout` from now to do so. Ends when the last of
   * them is answered. Calling it again is the same close.
   */
  close(): Promise<void>
}

/**
 * Listens, and answers every request by a handler. Requests whose head or body takes too long, connections that
 * say nothing and readers who stop reading are dropped, so none of them pile up.
 *
 * @returns once it listens; rejects when it cannot
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { handler, port = 0, host = '127.0.0.1' } = options
  const { headersTimeout = 10_000, requestTimeout = 30_000, idleTimeout = 60_000 } = options
  if (typeof handler !== 'function') throw new TypeError('handler: expected a function; see createHandler')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`port: expected a whole number from 0 to 65535, got ${described(port)}`)
  }
  if (typeof host !== 'string' || host === '') {
    throw new TypeError(`host: expected a name or an address, got ${described(host)}`)
  }
  checkMilliseconds('headersTimeout', headersTimeout)
  checkMilliseconds('requestTimeout', requestTimeout)
  checkMilliseconds('idleTimeout', idleTimeout)
  const connections = new Connections()
  const server = createServer({
    headersTimeout: orOff(Math.min(headersTimeout, requestTimeout)),
    requestTimeout: orOff(requestTimeout),
    // How often the two are looked at.
    connectionsCheckingInterval: Math.min(2_000, headersTimeout, requestTimeout),
    // Without a Host, Node would refuse by itself, and say nothing.
    requireHostHeader: false,
    noDelay: true,
  })
  server.timeout = orOff(idleTimeout)
  // Closing, Node takes an answer that is still on its way out for none, and would cut it off.
  server.closeIdleConnections = () => {}
  const answer = requestListener(handler)
  server.on('connection', (socket) => connections.opened(socket))
  server.on('request', (request, response) => {
    if (!connections.began(response)) return
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      refuseAndEnd(response, 'body_broken')
    else answer(request, response)
  })
  server.on('checkExpectation', (_, response) => {
    if (connections.began(response)) refuseAndEnd(response, 'expectation_failed')
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseBroken(error, socket as Socket, connections),
  )
  await listen(server, port, host)

  const { port: actual } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  return {
    url: `http://${hostInUrl(host)}:${actual}`,
    port: actual,
    close() {
      closing ??= new Promise((resolve) => {
        // Node looks after this no longer once a server closes.
        const stop = after(requestTimeout)(() => connections.dropUnfinished())
        server.close(() => {
          stop()
          resolve()
        })
        connections.drain()
      })
      return closing
    },
  }
}

/** A time as Node has it: 0 is never. */
function orOff(milliseconds: number): number {
  return milliseconds === Infinity ? 0 : milliseconds
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** A host as a URL names it; what stands for every address is reached by the name of this machine. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** The connections of a server, and on each the answers that are owed, in the order of their requests. */
class Connections {
  readonly #owed = new Map<Socket, Set<ServerResponse>>()
  #draining = false

  opened(socket: Socket): void {
    this.#owed.set(socket, new Set())
    socket.on('close', () => this.#owed.delete(socket))
  }

  /** False for a request that comes too late: the answer before it is the last one on its connection. */
  began(response: ServerResponse): boolean {
    if (this.#draining) return false
    const { socket } = response.req
    const owed = this.#owed.get(socket)
    owed?.add(response)
    response.on('close', () => {
      owed?.delete(response)
      // An answer that had begun before the end was in sight has told the client to go on.
      if (this.#draining && owed?.size === 0) socket.destroySoon()
    })
    return true
  }

  /** Whether an answer on a connection has begun, so that nothing else can be said on it. */
  isAnswering(socket: Socket): boolean {
    for (const response of this.#owed.get(socket) ?? []) if (response.headersSent) return true
    return false
  }

  /** Drops the connections that are owed nothing, and each of the others after the last of its answers. */
  drain(): void {
    this.#draining = true
    for (const [socket, owed] of this.#owed) {
      const last = [...owed].pop()
      if (last === undefined) socket.destroy()
      else last.shouldKeepAlive = false
    }
  }

  /** Drops the connections with a request that has not arrived as a whole. */
  dropUnfinished(): void {
    for (const [socket, owed] of this.#owed) {
      for (const { req } of owed) if (!req.complete) socket.destroy()
    }
  }
}

/** A refusal after which the connection ends: what follows on it cannot be told from the request. */
function refuseAndEnd(response: ServerResponse, refusal: Refusal): void {
  response.shouldKeepAlive = false
  write(response, refuse(refusal))
}

const parserRefusals: ReadonlyMap<string | undefined, Refusal> = new Map([
  ['HPE_HEADER_OVERFLOW', 'head_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'body_timed_out'],
])

/** The last word to a connection that does not speak HTTP, or speaks it too slowly. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket, connections: Connections): void {
  if (!socket.writable || error.code === 'ECONNRESET' || connections.isAnswering(socket)) {
    socket.destroy()
    return
  }
  const { status, headers, body } = refuse(parserRefusals.get(error.code) ?? 'body_broken')
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body!),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  socket.destroySoon()
}
