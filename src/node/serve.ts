import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { requestListener, type WebHandler } from './listener.ts'

export interface ServeOptions {
  readonly handler: WebHandler
  /** Default 0: any that is free. */
  readonly port?: number
  /** Default `127.0.0.1`: nobody but this machine. */
  readonly host?: string
  /** Milliseconds the head of a request may take to arrive. Default 10 seconds. */
  readonly headersTimeout?: number
  /** Milliseconds a whole request may take to arrive. Default 30 seconds. */
  readonly requestTimeout?: number
  /** Milliseconds without a byte in either direction after which a connection is dropped. Default 60 seconds. */
  readonly idleTimeout?: number
}

export interface Serving {
  /** Where it listens, without a slash at the end: `http://127.0.0.1:8787`. */
  readonly url: string
  /** The port it listens on. */
  readonly port: number
  /**
   * Takes no more connections, drops those that wait, and answers the requests that have arrived. Ends when the
   * last of them is answered. Calling it again is the same close.
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
  if (typeof handler !== 'function') throw new TypeError('handler: expected a function; see createHandler')
  const { headersTimeout = 10_000, requestTimeout = 30_000, idleTimeout = 60_000 } = options
  for (const [name, value] of Object.entries({ headersTimeout, requestTimeout, idleTimeout })) {
    if (!(value > 0)) throw new TypeError(`${name}: expected milliseconds above 0, got ${String(value)}`)
  }
  const connections = new Connections()
  const server = createServer({
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    // How often the two are looked at.
    connectionsCheckingInterval: Math.min(2_000, headersTimeout, requestTimeout),
    noDelay: true,
  })
  server.timeout = idleTimeout
  const answer = requestListener(handler)
  server.on('connection', (socket) => connections.opened(socket))
  server.on('request', (request, response) => {
    connections.began(response)
    answer(request, response)
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
        server.close(() => resolve())
        connections.drain()
      })
      return closing
    },
  }
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

/** The connections of a server and the answers that are owed on them. */
class Connections {
  readonly #sockets = new Set<Socket>()
  readonly #owed = new Set<ServerResponse>()
  #draining = false

  opened(socket: Socket): void {
    if (this.#draining) {
      socket.destroy()
      return
    }
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
  }

  began(response: ServerResponse): void {
    this.#owed.add(response)
    if (this.#draining) response.shouldKeepAlive = false
    const { socket } = response
    response.on('close', () => {
      this.#owed.delete(response)
      if (this.#draining) socket?.end()
    })
  }

  /** Whether an answer on a connection has begun, so that nothing else can be said on it. */
  isAnswering(socket: Socket): boolean {
    for (const response of this.#owed) if (response.socket === socket && response.headersSent) return true
    return false
  }

  /** Drops the connections that are owed nothing, and each of the others after its answer. */
  drain(): void {
    this.#draining = true
    const busy = new Set<Socket | null>()
    for (const response of this.#owed) {
      busy.add(response.socket)
      if (!response.headersSent) response.shouldKeepAlive = false
    }
    for (const socket of this.#sockets) if (!busy.has(socket)) socket.destroy()
  }
}

const parserStatuses: ReadonlyMap<string | undefined, readonly [status: number, phrase: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'Request Header Fields Too Large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout']],
])

/** The last word to a connection that does not speak HTTP, or speaks it too slowly. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket, connections: Connections): void {
  if (!socket.writable || error.code === 'ECONNRESET' || connections.isAnswering(socket)) {
    socket.destroy()
    return
  }
  const [status, phrase] = parserStatuses.get(error.code) ?? [400, 'Bad Request']
  const body = JSON.stringify({ message: `${status}: ${phrase}`, code: 0 })
  socket.write(
    [
      `HTTP/1.1 ${status} ${phrase}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  socket.destroySoon()
}
