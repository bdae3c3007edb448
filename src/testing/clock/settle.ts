/** When a bot is done with what time has caused: it has no requests open, reads no files, and computes nothing. */
import { createHook } from 'node:async_hooks'
import inspector from 'node:inspector'
import type net from 'node:net'
import type { Real } from './real.ts'

/** Milliseconds that a connection waits for an answer to what was written on it. */
const SOCKET_PATIENCE = 250
/** The same for an HTTP request. */
const REQUEST_PATIENCE = 5_000
/** Milliseconds after which a bot that does not come to rest is an error. */
const LIMIT = 10_000
/** The turns of the event loop in which nothing must happen. */
const QUIET_TURNS = 3
/** Work of Node outside of the event loop. */
const BUSY =
  /^(?:FSReq|FileHandleCloseReq|CloseReq|GetAddrInfo|GetNameInfo|QueryReq|TCPConnect|PipeConnect|WriteWrap|ShutdownWrap)/
/** Work in the threads of Node, of which Node has no list. */
const JOB = /^(?!HTTP).*REQUEST$|^ZLIB$/

interface Traffic {
  bytesRead: number
  bytesWritten: number
  /** When it was written and not read since; otherwise -Infinity. */
  waitsSince: number
}

interface Sources {
  readonly sockets: ReadonlySet<net.Socket>
  readonly requests: ReadonlyMap<object, number>
  readonly cryptoCalls: ReadonlySet<object>
}

interface Job {
  /** Of a job of crypto that is not synchronous. */
  readonly ondone?: unknown
  /** What a compression works on; null when it rests. */
  readonly buffer?: unknown
}

function isOpen({ ondone, buffer = null }: Job): boolean {
  return typeof ondone === 'function' || buffer !== null
}

export class Activity {
  readonly #real: Real
  readonly #sources: Sources
  readonly #traffic = new WeakMap<net.Socket, Traffic>()
  readonly #jobs = new Map<number, Job>()
  readonly #hook = createHook({
    init: (id, type, _trigger, job) => {
      if (JOB.test(type)) this.#jobs.set(id, job)
    },
    before: (id) => {
      // A compression goes on with its next chunk.
      if (this.#jobs.get(id)?.buffer === undefined) this.#jobs.delete(id)
    },
  })

  constructor(real: Real, sources: Sources) {
    this.#real = real
    this.#sources = sources
  }

  /** Watches jobs, which costs time, so only while time is moved. */
  watch(): void {
    this.#hook.enable()
  }

  unwatch(): void {
    this.#hook.disable()
    this.#jobs.clear()
  }

  /** Resolves in the next turn of the event loop. */
  turn(): Promise<void> {
    return new Promise((resolve) => void this.#real.setImmediate(resolve))
  }

  /** Waits until the bot is at rest. @throws Error when it is not within 10 seconds of real time */
  async settle(): Promise<void> {
    const began = this.#now()
    let wasBusy = false
    for (let quiet = 0; quiet < QUIET_TURNS;) {
      await this.turn()
      const hasMoved = this.#hasMoved()
      if (hasMoved || this.#isWaiting()) {
        quiet = 0
        wasBusy = true
        if (!hasMoved) await this.#pause()
        // A debugger stops a bot for longer.
        if (this.#now() - began > LIMIT && inspector.url() === undefined) throw this.#unsettled()
      } else if (++quiet === QUIET_TURNS && wasBusy) {
        // What arrived last may cause more.
        wasBusy = false
        quiet = 1
        await this.#pause()
      }
    }
  }

  #now(): number {
    return this.#real.performanceNow()
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#real.setTimeout(resolve, 1))
  }

  /** Whether bytes moved on a connection since the last call. */
  #hasMoved(): boolean {
    let hasMoved = false
    for (const socket of this.#sources.sockets) {
      const { bytesRead, bytesWritten = 0 } = socket
      const last = this.#traffic.get(socket) ?? { bytesRead: 0, bytesWritten: 0, waitsSince: -Infinity }
      const hasWritten = bytesWritten !== last.bytesWritten
      const hasRead = bytesRead !== last.bytesRead
      if (hasWritten) last.waitsSince = this.#now()
      if (hasRead) last.waitsSince = -Infinity
      hasMoved ||= hasWritten || hasRead
      this.#traffic.set(socket, Object.assign(last, { bytesRead, bytesWritten }))
    }
    return hasMoved
  }

  #isWaiting(): boolean {
    const now = this.#now()
    const { sockets, requests, cryptoCalls } = this.#sources
    return (
      [...sockets].some(
        (socket) =>
          socket.connecting || now - (this.#traffic.get(socket)?.waitsSince ?? -Infinity) < SOCKET_PATIENCE,
      ) ||
      [...requests.values()].some((since) => now - since < REQUEST_PATIENCE) ||
      cryptoCalls.size > 0 ||
      [...this.#jobs.values()].some(isOpen) ||
      process.getActiveResourcesInfo().some((name) => BUSY.test(name))
    )
  }

  #unsettled(): Error {
    const open = [...this.#sources.requests.keys()].map((request) => {
      const {
        method,
        origin = '',
        path = '',
      } = request as { method?: string; origin?: string; path?: string }
      return `${method} ${origin}${path}`
    })
    const what = open.length === 0 ? 'the bot is still busy' : `still open: ${open.slice(0, 5).join(', ')}`
    return new Error(
      `advance: ${what}, after ${LIMIT / 1_000} s of real time; answer slow requests of the bot in the test`,
    )
  }
}
