/** Whether this process has something under way that will go on by itself: connections, requests, files. */
import type net from 'node:net'
import type { Followed } from './follower.ts'

/** Milliseconds that a connection waits for an answer to what was written on it. */
const SOCKET_PATIENCE = 250
/** The same for an HTTP request. */
const REQUEST_PATIENCE = 5_000
/** The longest frame of a bot that a gateway does not answer, such as that for a ping. */
const SMALL_FRAME = 64
/** Milliseconds after which the same work with files is not the bot's, such as the reading of a terminal. */
const FILE_PATIENCE = 1_000
/** The paths of requests for acts of people. */
const ACTS = '/people/'
/** Work of Node outside of the event loop. */
const BUSY =
  /^(?:FSReq|FileHandleCloseReq|CloseReq|GetAddrInfo|GetNameInfo|QueryReq|TCPConnect|PipeConnect|WriteWrap|ShutdownWrap)/
/** The turns of the event loop in which nothing must happen. */
export const QUIET_TURNS = 3

/** Timers in real time. */
export interface ActivityTimers {
  turn(): Promise<void>
  sleep(milliseconds: number): Promise<void>
  now(): number
}

interface Seen {
  bytesRead: number
  bytesWritten: number
  /** When it was found to wait for an answer; otherwise -Infinity. */
  waitsSince: number
}

/** What one observer has seen so far. */
export class Activity {
  readonly #timers: ActivityTimers
  readonly #followed: Followed
  readonly #arePinged: boolean
  readonly #isPatient: boolean
  readonly #sockets = new WeakMap<net.Socket, Seen>()
  readonly #requests = new WeakMap<object, number>()
  #files = { names: '', since: -Infinity }

  /**
   * @param options.arePinged whether services ping the bots of this process meanwhile, so that bytes move
   * @param options.isPatient whether work with files counts for as long as it takes
   */
  constructor(
    timers: ActivityTimers,
    followed: Followed,
    {
      arePinged = false,
      isPatient = false,
    }: { readonly arePinged?: boolean; readonly isPatient?: boolean } = {},
  ) {
    this.#timers = timers
    this.#followed = followed
    this.#arePinged = arePinged
    this.#isPatient = isPatient
  }

  /** Whether bytes moved on a connection since the last call. */
  hasMoved(): boolean {
    let hasMoved = false
    const { sockets, services } = this.#followed
    for (const [socket, writtenAtRead] of sockets) {
      const { bytesRead, bytesWritten = 0 } = socket
      const last = this.#sockets.get(socket) ?? { bytesRead: 0, bytesWritten: 0, waitsSince: -Infinity }
      const hasWritten = bytesWritten !== last.bytesWritten
      const counts = !this.#arePinged || !services.has(socket.remotePort ?? 0)
      hasMoved ||= counts && (hasWritten || bytesRead !== last.bytesRead)
      const unanswered = services.has(socket.remotePort ?? 0) ? SMALL_FRAME : 0
      if (bytesWritten <= writtenAtRead + unanswered) last.waitsSince = -Infinity
      else if (hasWritten) last.waitsSince = this.#timers.now()
      this.#sockets.set(socket, Object.assign(last, { bytesRead, bytesWritten }))
    }
    return hasMoved
  }

  /** What is under way, in words; empty when nothing is. */
  underWay(): readonly string[] {
    const now = this.#timers.now()
    const { sockets, requests, cryptoCalls, services } = this.#followed
    const names: string[] = []
    for (const request of requests) {
      const since = this.#requests.get(request) ?? now
      this.#requests.set(request, since)
      if (now - since >= REQUEST_PATIENCE) continue
      const { address, port, path } = targetOf(request)
      if (!(path.startsWith(ACTS) && services.has(port))) names.push(address)
    }
    const acts = new Map(services)
    for (const socket of sockets.keys()) {
      const { remoteAddress, remotePort, connecting } = socket
      const isWaiting = now - (this.#sockets.get(socket)?.waitsSince ?? -Infinity) < SOCKET_PATIENCE
      if (connecting) names.push('a connection that is being opened')
      if (connecting || !isWaiting) continue
      const open = acts.get(remotePort ?? 0) ?? 0
      acts.set(remotePort ?? 0, open - 1)
      if (open <= 0) names.push(`an answer of ${remoteAddress ?? 'a connection'}:${remotePort ?? ''}`)
    }
    if (cryptoCalls.size > 0) names.push('a computation of WebCrypto')
    if (this.#hasFiles(now)) names.push('work with files or names of hosts')
    return names
  }

  /**
   * Waits until nothing is under way, at most milliseconds.
   *
   * @param alsoUnderWay what the caller knows
   * @returns what is still under way, in words; empty when nothing is
   */
  async rest(
    milliseconds: number,
    alsoUnderWay: () => readonly string[] = () => [],
  ): Promise<readonly string[]> {
    const end = this.#timers.now() + milliseconds
    for (let quiet = 0; quiet < QUIET_TURNS;) {
      await this.#timers.turn()
      const hasMoved = this.hasMoved()
      const names = [...this.underWay(), ...alsoUnderWay()]
      if (!hasMoved && names.length === 0) {
        quiet++
        continue
      }
      if (this.#timers.now() >= end) return names.length === 0 ? ['bytes on a connection'] : names
      quiet = 0
      if (!hasMoved) await this.#timers.sleep(1)
    }
    return []
  }

  #hasFiles(now: number): boolean {
    // Bun and Deno may not list them.
    const all = process.getActiveResourcesInfo?.() ?? []
    const names = all.filter((name) => BUSY.test(name)).join()
    if (names !== this.#files.names) this.#files = { names, since: now }
    return names !== '' && (this.#isPatient || now - this.#files.since < FILE_PATIENCE)
  }
}

interface AnyRequest {
  readonly method?: string
  readonly origin?: string | URL
  readonly path?: string
  getHeader?(name: string): unknown
}

/** Where a request of undici or `node:http` goes. */
function targetOf(request: object) {
  const { method = 'GET', origin, path = '', getHeader } = request as AnyRequest
  const host = getHeader === undefined ? '' : `http://${String(getHeader.call(request, 'host') ?? '')}`
  const server = String(origin ?? host)
  const port = Number(/:(\d+)$/.exec(server)?.[1] ?? 0)
  return { address: `${method} ${server}${path}`, port, path }
}
