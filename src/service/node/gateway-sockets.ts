/** WebSockets for the gateway, by the package `ws` of the host. */
import { BoundedMap } from '../../core/bounded-map.ts'
import { deadlines } from '../../core/deadlines.ts'
import { withMethods } from '../../core/rules/arguments.ts'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import { constants, deflateRawSync } from 'node:zlib'
import { realTimers } from '../../core/timers.ts'
import type { GatewayConnection } from '../gateway/connection.ts'
import { Close, GatewayCloseCode, type Deflate, type GatewaySocket } from '../gateway/frames.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Outgoing } from '../../core/http-message.ts'
import type { HostRule } from '../http/hosts.ts'
import { refuse } from '../http/respond.ts'
import { httpMessageOf, type Connections } from './connections.ts'

/** The part of a WebSocket of `ws` that is used here. */
interface Socket {
  readonly bufferedAmount: number
  send(data: string | Uint8Array): void
  ping(data: string): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): void
  on(event: 'ping', listener: () => void): void
  on(event: 'pong', listener: (data: Buffer) => void): void
  on(event: 'close', listener: (code: number) => void): void
  on(event: 'error', listener: (error: Error) => void): void
}

/** The part of a `WebSocketServer` of `ws` that is used here. */
interface SocketServer {
  handleUpgrade(
    request: IncomingMessage,
    socket: NetSocket,
    head: Buffer,
    done: (socket: Socket) => void,
  ): void
}

/** The part of the module `ws` that a gateway needs. */
export interface WebSocketModule {
  readonly WebSocketServer: new (options: object) => unknown
}

export const aSocketModule = /* @__PURE__ */ withMethods(
  'the module ws with its WebSocketServer',
  'WebSocketServer',
)

/** The address of a gateway on the server of an HTTP address. */
export function webSocketUrl(url: string): string {
  return url.replace(/^http/, 'ws')
}

/** Compresses frames for clients that ask for `zlib-stream`. */
export const nodeDeflate: Deflate = (bytes) => deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })

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

const MAX_PAYLOAD_BYTES = 64 * 1024
const MAX_UNREAD_BYTES_OF_ONE = 8 * 1024 * 1024
const MAX_UNREAD_BYTES = 128 * 1024 * 1024
const MAX_PINGS_OF_ONE = 100

interface SocketsOptions {
  readonly connections: Connections
  readonly refusalOfHost: HostRule
  /** Returns the address of this server, such as `http://127.0.0.1:8787`; called when a client connects. */
  readonly url: () => string
}

/**
 * Passes the WebSocket upgrades of a server to a gateway.
 *
 * @returns a function that closes all connections
 */
export function attachGateway(
  server: Server,
  gateway: Pick<Gateway, 'open' | 'close'>,
  { WebSocketServer }: WebSocketModule,
  { connections, refusalOfHost, url }: SocketsOptions,
): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_PAYLOAD_BYTES,
  }) as SocketServer
  const open = new Map<Socket, Promise<void>>()
  const unread = new UnreadFrames()
  const accept = (request: IncomingMessage, stream: NetSocket, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const refusal = refusalOfHost(request.headers.host) ?? refusalOf(request)
    if (refusal !== undefined) return endWith(refusal, stream)
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const [, query = ''] = (request.url ?? '').split('?', 2)
      open.set(socket, new Promise((resolve) => socket.on('close', () => resolve(void open.delete(socket)))))
      connect(socket, unread, gateway, { query, url: webSocketUrl(url()), port: stream.remotePort })
    })
  }
  // Node 24.9 and later asks, and handles what is no WebSocket as a request. Earlier versions upgrade whatever is offered.
  if ('shouldUpgradeCallback' in server) server.shouldUpgradeCallback = isWebSocket
  server.on('upgrade', (request: IncomingMessage, stream: NetSocket, head: Buffer) => {
    if (isWebSocket(request)) accept(request, stream, head)
    else requestAgain(server, connections, request, stream, head)
  })
  return async () => {
    gateway.close()
    await Promise.all(open.values())
  }
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Lets a server read a request once more, without its `Upgrade`, which offers a protocol other than WebSocket: a server
 * may ignore the offer (RFC 9110, 7.8). Java's client and `curl --http2` offer HTTP/2 with every request.
 */
function requestAgain(
  server: Server,
  connections: Connections,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  stream: NetSocket,
  rest: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  }
  const head = Buffer.from([...lines, '', ''].join('\r\n'), 'latin1')
  const fail = () => stream.destroy()
  stream.on('error', fail)
  connections.afterDue(stream, () => {
    stream.off('error', fail)
    stream.unshift(Buffer.concat([head, rest]))
    server.emit('connection', stream)
  })
}

/** @returns the refusal of a client that is not a bot */
function refusalOf({ url = '/', headers }: IncomingMessage): Outgoing | undefined {
  if (!/^\/?(?:\?|$)/.test(url)) return refuse('not_found', { message: 'The gateway is at the path /' })
  // Browsers send an `Origin` and bots do not: a web page must not act as a bot.
  if (headers.origin === undefined) return undefined
  return refuse('foreign_host', { message: 'The gateway is for bots: it takes no request with an Origin' })
}

function endWith(refusal: Outgoing, stream: NetSocket): void {
  stream.write(httpMessageOf(refusal))
  // The client may keep its side open, and Node has removed its timeouts.
  stream.setTimeout(deadlines.CLOSE_TIMEOUT, () => stream.destroy())
  stream.destroySoon()
}

/** What waits for a client. */
interface Unread {
  readonly bytes: number
  /** The part of it that is one large frame, such as a GUILD_CREATE, which takes a client some time. */
  readonly large: number
}

const NOTHING_UNREAD: Unread = { bytes: 0, large: 0 }

/** Sends frames, and ends the connections of clients that do not read them. */
class UnreadFrames {
  /** What waited for each client when it was looked at last; it becomes less without notice. */
  readonly #unread = new Map<Socket, Unread>()
  #sum = 0

  /** @throws Close for a frame that is larger than all frames together may be */
  send(socket: Socket, data: string | Uint8Array): void {
    if (data.length > MAX_UNREAD_BYTES) {
      const most = `at most ${MAX_UNREAD_BYTES} are sent`
      throw new Close(GatewayCloseCode.UNKNOWN_ERROR, `A frame has more than ${data.length} bytes; ${most}.`)
    }
    if (!this.check(socket)) return
    const before = socket.bufferedAmount
    socket.send(data)
    const size = socket.bufferedAmount - before
    this.#note(socket, size > MAX_UNREAD_BYTES_OF_ONE ? size : 0)
  }

  /** Notes what waits for a client. @returns whether its connection goes on */
  check(socket: Socket): boolean {
    const { bytes, large } = this.#note(socket)
    if (bytes - large > MAX_UNREAD_BYTES_OF_ONE) this.#end(socket)
    if (this.#sum > MAX_UNREAD_BYTES) {
      for (const one of this.#unread.keys()) this.#note(one)
      while (this.#sum > MAX_UNREAD_BYTES) this.#end(this.#slowest())
    }
    return this.#unread.has(socket)
  }

  forget(socket: Socket): void {
    this.#sum -= this.#of(socket).bytes
    this.#unread.delete(socket)
  }

  /** @param sent the size of a large frame that was just sent */
  #note(socket: Socket, sent = 0): Unread {
    const { bytes: before, large } = this.#of(socket)
    const bytes = socket.bufferedAmount
    const noted = { bytes, large: bytes > MAX_UNREAD_BYTES_OF_ONE ? Math.max(large, sent) : 0 }
    this.#sum += bytes - before
    this.#unread.set(socket, noted)
    return noted
  }

  #of(socket: Socket): Unread {
    return this.#unread.get(socket) ?? NOTHING_UNREAD
  }

  #slowest(): Socket {
    return [...this.#unread].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most))[0]
  }

  #end(socket: Socket): void {
    this.forget(socket)
    socket.terminate()
  }
}

/** The pings that a client has not answered. */
class Pings {
  readonly #socket: Socket
  /** By number. Those of a client that answers none are forgotten. */
  readonly #answered = new BoundedMap<number, () => void>(MAX_PINGS_OF_ONE)
  #last = 0

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('pong', (data) => this.#answer(Number(data.toString())))
  }

  /** Resolves when the client answers, which it does after it has read everything before. */
  send(): Promise<void> {
    return new Promise((resolve) => {
      this.#answered.set(++this.#last, resolve)
      this.#socket.ping(String(this.#last))
    })
  }

  /** A client may answer only the last one of several pings (RFC 6455, 5.5.3). */
  #answer(last: number): void {
    for (const [number, resolve] of this.#answered) {
      if (number > last) break
      this.#answered.delete(number)
      resolve()
    }
  }
}

/** A socket, and the port of its client. */
export interface PortSocket extends GatewaySocket {
  readonly port: number | undefined
}

function connect(
  socket: Socket,
  unread: UnreadFrames,
  gateway: Pick<Gateway, 'open'>,
  { query, url, port }: { readonly query: string; readonly url: string; readonly port: number | undefined },
): void {
  const pings = new Pings(socket)
  const opened: PortSocket = {
    send: (data) => unread.send(socket, data),
    whenRead: () => pings.send(),
    port,
    close(code, reason) {
      socket.close(code, reason)
      // Some clients react only when the connection ends.
      realTimers.start(() => socket.terminate(), deadlines.CLOSE_TIMEOUT).unref()
    },
  }
  const connection: GatewayConnection = gateway.open(opened, query, url)
  socket.on('message', (data, isBinary) => connection.receive(isBinary ? data : data.toString()))
  // Some versions of `ws` buffer an answer to each ping without limit.
  socket.on('ping', () => unread.check(socket))
  socket.on('close', (code) => {
    unread.forget(socket)
    connection.closed(code)
  })
  socket.on('error', () => socket.terminate())
}
