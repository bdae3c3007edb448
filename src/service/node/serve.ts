import { deadlines } from '../../core/deadlines.ts'
import { argument, aDuration, optionsOf, withMethods } from '../../core/rules/arguments.ts'
import { listOf, optional } from '../../core/rules/readers.ts'
import { aHandler } from '../http/web-handler.ts'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { deadlineAfter } from '../http/body.ts'
import { hostRule } from '../http/hosts.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { Connections, refuseAndEnd, refuseBroken } from './connections.ts'
import { aSocketModule, attachGateway, importSockets, type WebSocketModule } from './gateway-sockets.ts'
import { requestListener, sendResponse, type WebHandler } from './listener.ts'

/** The handler, the address and the time limits of a server. */
export interface ServeOptions {
  /** A handler of `createHandler`, or any Web-standard handler. */
  readonly handler: WebHandler
  /** The port. Default 0: any free port. */
  readonly port?: number
  /** The address or name to listen on. Default `127.0.0.1`: only this machine can connect. */
  readonly host?: string
  /**
   * The names beside those of this machine and of Discord, without a port, under which requests and WebSockets are
   * accepted; others get 403. For a server that takes any token: a website can call it under its own name. Default: every
   * name.
   */
  readonly hosts?: readonly string[]
  /** Milliseconds the head of a request may take to arrive; `Infinity` for no limit. Default 10 seconds. */
  readonly headersTimeout?: number
  /** Milliseconds a whole request may take to arrive; `Infinity` for no limit. Default 30 seconds. */
  readonly requestTimeout?: number
  /**
   * Milliseconds without a byte in either direction after which a connection is closed; `Infinity` for no limit.
   * Default 60 seconds.
   */
  readonly idleTimeout?: number
  /** Receives the WebSockets of bots on the same port. Requires the package `ws`. Default: none. */
  readonly gateway?: Pick<Gateway, 'open' | 'close'>
  /** The module `ws`. Default: the installed one. */
  readonly ws?: WebSocketModule
}

interface CloseOptions {
  /** Milliseconds from now after which the connections that are still open are cut off. Default `Infinity`. */
  readonly timeout?: number
}

/** A running server. */
export interface Serving {
  /** The address of the server, without a slash at the end: `http://127.0.0.1:8787`. */
  readonly url: string
  readonly port: number
  /**
   * Stops the server: closes idle connections and responds to the requests that have arrived; later ones are ignored.
   * A request that is still arriving has `requestTimeout` from now. Resolves when the last response is sent, or cut off.
   * Further calls return the same promise.
   */
  close(options?: CloseOptions): Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

const checkedOptions = /* @__PURE__ */ optionsOf<ServeOptions>('serve', {
  handler: aHandler,
  port: optional(
    argument(
      'an integer from 0 to 65535',
      (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
    ),
  ),
  host: optional(argument('a name or an address', isText)),
  hosts: optional(listOf(argument('a name or an address', isText))),
  headersTimeout: optional(aDuration),
  requestTimeout: optional(aDuration),
  idleTimeout: optional(aDuration),
  gateway: optional(withMethods('the result of createGateway', 'open', 'close')),
  ws: optional(aSocketModule),
})

const readCloseOptions = /* @__PURE__ */ optionsOf<CloseOptions>('close', { timeout: optional(aDuration) })

/**
 * Starts a server for a handler. Slow requests, idle connections and clients that stop reading are dropped.
 *
 * @returns when the server listens; rejects when it cannot, or when the gateway is used and `ws` is not installed
 * @throws TypeError when an option is invalid
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { handler, port = 0, host = '127.0.0.1', hosts, gateway, ws, ...timeouts } = checkedOptions(options)
  const {
    headersTimeout = deadlines.HEADERS_TIMEOUT,
    requestTimeout = deadlines.REQUEST_TIMEOUT,
    idleTimeout = deadlines.IDLE_TIMEOUT,
  } = timeouts
  const sockets = gateway && (ws ?? (await importSockets()))
  const connections = new Connections()
  const server = createServer({
    headersTimeout: orOff(Math.min(headersTimeout, requestTimeout)),
    requestTimeout: orOff(requestTimeout),
    // How often the two timeouts are checked.
    connectionsCheckingInterval: Math.min(2_000, headersTimeout, requestTimeout),
    // Node would refuse a request without Host with an empty body.
    requireHostHeader: false,
    noDelay: true,
  })
  server.timeout = orOff(idleTimeout)
  // On close Node treats a connection that is still flushing a response as idle and destroys it.
  server.closeIdleConnections = () => {}
  const answer = requestListener(handler)
  const refusalOfHost = hosts === undefined ? () => undefined : hostRule(hosts)
  server.on('connection', (socket) => connections.opened(socket))
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const isHostMissing = request.headers.host === undefined && request.httpVersion === '1.1'
    if (isHostMissing) return refuseAndEnd(response, 'body_broken')
    const refusal = refusalOfHost(request.headers.host)
    if (refusal === undefined) answer(request, response)
    else sendResponse(response, refusal)
  }
  server.on('request', (request, response) => connections.inTurn(response, () => respond(request, response)))
  // Node would put "100 Continue" between the head and the body of an earlier response.
  server.on('checkContinue', (request, response) =>
    connections.inTurn(response, () => {
      response.writeContinue()
      respond(request, response)
    }),
  )
  server.on('checkExpectation', (_, response) =>
    connections.inTurn(response, () => refuseAndEnd(response, 'expectation_failed')),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseBroken(error, socket as Socket, connections),
  )
  let url = ''
  const closeGateway =
    sockets && attachGateway(server, gateway!, sockets, { connections, refusalOfHost, url: () => url })
  server.listen(port, host)
  await once(server, 'listening')

  const { port: actual } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  url = `http://${hostInUrl(host)}:${actual}`
  const close = (options: CloseOptions = {}) => {
    const { timeout = Infinity } = readCloseOptions(options)
    const cancel = deadlineAfter(timeout)(() => connections.drop())
    closing ??= closeAll()
    closing.then(cancel, cancel)
    return closing
  }
  async function closeAll(): Promise<void> {
    await closeGateway?.()
    // A closing server does not check this timeout itself.
    const cancel = deadlineAfter(requestTimeout)(() => connections.dropUnfinished())
    const closed = once(server, 'close')
    server.close()
    connections.drain()
    await closed
    cancel()
  }
  return { url, port: actual, close, [Symbol.asyncDispose]: () => close() }
}

/** A timeout for Node, where 0 means no limit. */
function orOff(milliseconds: number): number {
  return milliseconds === Infinity ? 0 : milliseconds
}

/** A host in a URL. `localhost` stands for the addresses that mean every address. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
