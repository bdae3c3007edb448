/** The timers and the connections of Node, taken before a bot or a test can load anything. */
import diagnostics from 'node:diagnostics_channel'
import { webcrypto } from 'node:crypto'
import { createRequire } from 'node:module'
import net from 'node:net'
import timers from 'node:timers'

/** Where the clock is, for each set of globals, and the state that all clocks of a thread share. */
export const KEY = Symbol.for('commandry.clock')

/** The functions of Node that the clock replaces. */
export type Real = Readonly<ReturnType<typeof takeFunctions>>

interface Shared {
  readonly real: Real
  /** The open connections that this thread has opened. */
  readonly sockets: Set<net.Socket>
  /** The open HTTP requests, with the real time at which they began. */
  readonly requests: Map<object, number>
  /** The calls of WebCrypto under way. */
  readonly cryptoCalls: Set<Promise<unknown>>
}

/** Jest loads the preload for each test file, with the module `node:timers` in common. */
export function sharedState(): Shared {
  const holder = timers as { [KEY]?: Shared }
  const known = holder[KEY]
  if (known !== undefined) return known
  loadModulesOfNode()
  const real = takeFunctions()
  const shared: Shared = {
    real,
    sockets: followSockets(),
    requests: followRequests(real.performanceNow),
    cryptoCalls: followWebCrypto(),
  }
  Object.defineProperty(timers, KEY, { value: shared, configurable: true })
  return shared
}

/**
 * Modules of Node take `node:timers` apart when a program first loads them. Loaded here, they take the real timers, so
 * that HTTP servers and the time limits of `node:test` stay in real time.
 */
function loadModulesOfNode(): void {
  const load = createRequire(import.meta.url)
  const names =
    'http https http2 tls dns worker_threads child_process stream/promises readline fs perf_hooks inspector test'
  for (const name of names.split(' ')) {
    try {
      load(`node:${name}`)
    } catch {
      // A build of Node may lack it.
    }
  }
}

function takeFunctions() {
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers
  return {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    performanceNow: performance.now.bind(performance),
    hrtime: process.hrtime.bigint.bind(process.hrtime),
    connect: net.Socket.prototype.connect,
  }
}

function followSockets(): Set<net.Socket> {
  const sockets = new Set<net.Socket>()
  const { prototype } = net.Socket as unknown as { prototype: { connect: (...given: unknown[]) => unknown } }
  const { connect } = prototype
  prototype.connect = function (this: net.Socket, ...given: unknown[]) {
    if (!sockets.has(this)) this.once('close', () => sockets.delete(this))
    sockets.add(this)
    return Reflect.apply(connect, this, given)
  }
  return sockets
}

/** Requests of `fetch`, of every copy of undici, and of `node:http`. */
function followRequests(now: () => number): Map<object, number> {
  const requests = new Map<object, number>()
  const on = (channel: string, listener: (request: NodeJS.EventEmitter) => void) =>
    diagnostics.subscribe(channel, (message) =>
      listener((message as { request: NodeJS.EventEmitter }).request),
    )
  on('undici:request:create', (request) => requests.set(request, now()))
  for (const end of ['trailers', 'error']) on(`undici:request:${end}`, (request) => requests.delete(request))
  on('http.client.request.start', (request) => {
    requests.set(request, now())
    request.once('close', () => requests.delete(request))
  })
  return requests
}

/** In Node 24.21 the jobs of these calls look like those that are done at once. */
function followWebCrypto(): Set<Promise<unknown>> {
  const calls = new Set<Promise<unknown>>()
  const prototype = Object.getPrototypeOf(webcrypto.subtle) as Record<string, unknown>
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
