/** WebSockets for the gateway, by the package `ws` of the host. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { constants, deflateRawSync } from 'node:zlib'
import type { GatewayConnection, Scheduler } from '../gateway/connection.ts'
import type { Deflate } from '../gateway/encoding.ts'
import type { Gateway } from '../gateway/gateway.ts'

/** The part of a WebSocket of `ws` that is used here. */
interface Socket {
  readonly bufferedAmount: number
  send(data: string | Uint8Array): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): void
  on(event: 'close', listener: (code: number) => void): void
  on(event: 'error', listener: (error: Error) => void): void
}

/** The part of a `WebSocketServer` of `ws` that is used here. */
interface SocketServer {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (socket: Socket) => void): void
}

/** The part of the module `ws` that a gateway needs. */
export interface WebSocketModule {
  /** The class of servers. */
  readonly WebSocketServer: new (options: object) => unknown
}

/** Compresses frames for clients that ask for `zlib-stream`. */
export const nodeDeflate: Deflate = (bytes) => deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })

/** The time of the system, for a gateway. Its timers do not keep a process alive. */
export const systemScheduler: Scheduler = {
  /** Milliseconds since any fixed time. */
  now: () => performance.now(),
  /** Starts a timer; the returned function cancels it. */
  after(milliseconds, task) {
    const timer = setTimeout(task, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}

/** The installed package `ws`. */
export async function importSockets(): Promise<WebSocketModule> {
  // Not a literal, so that bundlers do not include the package: only hosts with a gateway need it.
  const name = 'ws'
  try {
    return (await import(name)) as WebSocketModule
  } catch (cause) {
    const message = 'gateway: the package "ws" could not be loaded; install it with "npm install ws"'
    throw new Error(message, { cause })
  }
}

const PAYLOAD_BYTES = 64 * 1024
const BUFFERED_BYTES = 8 * 1024 * 1024
/** Milliseconds a client has to answer a close frame. */
const CLOSE_WITHIN = 250

/**
 * Passes the WebSocket upgrades of a server to a gateway.
 *
 * @param url returns the address of this server, such as `http://127.0.0.1:8787`; called when a client connects
 * @returns a function that closes all connections
 */
export function attachGateway(
  server: Server,
  gateway: Pick<Gateway, 'open' | 'close'>,
  { WebSocketServer }: WebSocketModule,
  url: () => string,
): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: PAYLOAD_BYTES,
  }) as SocketServer
  const open = new Map<Socket, Promise<void>>()
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy())
    const status = refusalOf(request)
    if (status !== null) {
      stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const [, query = ''] = (request.url ?? '').split('?', 2)
      open.set(socket, new Promise((resolve) => socket.on('close', () => resolve(void open.delete(socket)))))
      connect(socket, gateway, query, url().replace(/^http/, 'ws'))
    })
  })
  return async () => {
    gateway.close()
    await Promise.all(open.values())
  }
}

/** The status line of a refusal; null for the request of a bot. */
function refusalOf({ url = '/', headers }: IncomingMessage): string | null {
  if (!/^\/?(?:\?|$)/.test(url)) return '404 Not Found'
  // Browsers send an `Origin` and bots do not: a web page must not act as a bot.
  return headers.origin === undefined ? null : '403 Forbidden'
}

function connect(socket: Socket, gateway: Pick<Gateway, 'open'>, query: string, url: string): void {
  const connection: GatewayConnection = gateway.open(
    {
      send(data) {
        if (socket.bufferedAmount > BUFFERED_BYTES) socket.terminate()
        else socket.send(data)
      },
      close(code, reason) {
        socket.close(code, reason)
        // Some clients react only when the connection ends.
        setTimeout(() => socket.terminate(), CLOSE_WITHIN).unref()
      },
    },
    query,
    url,
  )
  socket.on('message', (data, isBinary) => connection.receive(isBinary ? data : data.toString()))
  socket.on('close', (code) => connection.closed(code))
  socket.on('error', () => socket.terminate())
}
