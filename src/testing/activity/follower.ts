/**
 * What this process has under way outside of its event loop, as Node shows it. One follower serves all testbeds, all
 * copies of this library and the clock.
 */
import type { ChildProcess } from 'node:child_process'
import type { webcrypto } from 'node:crypto'
import diagnostics from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import net from 'node:net'
import timers from 'node:timers'
import type { Worker } from 'node:worker_threads'

export interface Followed {
  /** The open connections that this thread has opened, with the bytes that were written when the last ones were read. */
  readonly sockets: Map<net.Socket, number>
  /** The HTTP requests without a complete response. */
  readonly requests: Set<object>
  /** The calls of WebCrypto under way. */
  readonly cryptoCalls: Set<Promise<unknown>>
  /** The threads and programs that were started and have not ended. */
  readonly started: Set<Worker | ChildProcess>
  /**
   * The ports of the services that bots of this process use, each with the number of its open requests for an act of a person: these are
   * not the bot's, but their clients may be in this process.
   */
  readonly services: Map<number, number>
}

const KEY = Symbol.for('commandry.follower')

/** The follower of this thread. The first call starts it. */
export function followProcess(): Followed {
  const holder = timers as { [KEY]?: Followed }
  const known = holder[KEY]
  if (known !== undefined) return known
  const followed: Followed = {
    sockets: followSockets(),
    requests: followRequests(),
    cryptoCalls: followWebCrypto(),
    started: followStarted(),
    services: servicesOf(process.env.COMMANDRY_URL),
  }
  Object.defineProperty(holder, KEY, { value: followed, configurable: true })
  return followed
}

/** The service that a program of `bed.run` has been given. */
function servicesOf(url: string | undefined): Map<number, number> {
  return new Map(url !== undefined && URL.canParse(url) ? [[Number(new URL(url).port), 0]] : [])
}

function followSockets(): Map<net.Socket, number> {
  const sockets = new Map<net.Socket, number>()
  const follow = (socket: net.Socket) => {
    if (sockets.has(socket)) return
    sockets.set(socket, 0)
    socket.once('close', () => sockets.delete(socket))
  }
  type Method = (...given: unknown[]) => unknown
  const { prototype } = net.Socket as unknown as { prototype: { connect: Method; push: Method } }
  const { connect, push } = prototype
  prototype.connect = function (this: net.Socket, ...given: unknown[]) {
    follow(this)
    return Reflect.apply(connect, this, given)
  }
  prototype.push = function (this: net.Socket, ...given: unknown[]) {
    // What is written after it waits for an answer of its own.
    if (sockets.has(this)) sockets.set(this, this.bytesWritten)
    return Reflect.apply(push, this, given)
  }
  // A bot may have connected to its database before the first testbed.
  for (const handle of activeHandles())
    if (handle instanceof net.Socket && handle.remotePort !== undefined && !isOfServer(handle)) {
      follow(handle)
      sockets.set(handle, handle.bytesWritten)
    }
  return sockets
}

function activeHandles(): readonly unknown[] {
  return (process as { _getActiveHandles?: () => readonly unknown[] })._getActiveHandles?.() ?? []
}

function isOfServer(socket: net.Socket): boolean {
  return ((socket as { server?: unknown }).server ?? null) !== null
}

/** Requests of `fetch`, of every copy of undici, and of `node:http`. */
function followRequests(): Set<object> {
  const requests = new Set<object>()
  const on = (channel: string, listener: (request: NodeJS.EventEmitter) => void) =>
    diagnostics.subscribe(channel, (message) =>
      listener((message as { request: NodeJS.EventEmitter }).request),
    )
  on('undici:request:create', (request) => requests.add(request))
  for (const end of ['trailers', 'error']) on(`undici:request:${end}`, (request) => requests.delete(request))
  on('http.client.request.start', (request) => {
    requests.add(request)
    request.once('close', () => requests.delete(request))
  })
  return requests
}

/** In Node 24.21 the jobs of these calls look like those that are done at once. */
function followWebCrypto(): Set<Promise<unknown>> {
  const calls = new Set<Promise<unknown>>()
  // Loaded here, because an import of a testbed alone would take a tenth longer.
  const { subtle } = createRequire(import.meta.url)('node:crypto').webcrypto as typeof webcrypto
  const prototype = Object.getPrototypeOf(subtle) as Record<string, unknown>
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value !== 'function' || name === 'constructor') continue
    prototype[name] = function (...given: unknown[]) {
      const call: unknown = Reflect.apply(value, this, given)
      if (!(call instanceof Promise)) return call
      const end = () => calls.delete(call)
      calls.add(call)
      call.then(end, end)
      return call
    }
  }
  return calls
}

function followStarted(): Set<Worker | ChildProcess> {
  const started = new Set<Worker | ChildProcess>()
  const follow = (one: Worker | ChildProcess) => {
    started.add(one)
    one.once('exit', () => started.delete(one))
  }
  diagnostics.subscribe('worker_threads', (message) => follow((message as { worker: Worker }).worker))
  diagnostics.subscribe('child_process', (message) => follow((message as { process: ChildProcess }).process))
  return started
}
