/** The timers and the connections of Node, taken before a bot or a test can load anything. */
import { createRequire } from 'node:module'
import net from 'node:net'
import timers from 'node:timers'
import { followProcess, type Followed } from '../activity/follower.ts'

/** Where the clock is, for each set of globals, and the state that all clocks of a thread share. */
export const KEY = Symbol.for('commandry.clock')

/** The functions of Node that the clock replaces. */
export type Real = Readonly<ReturnType<typeof takeFunctions>>

interface Shared {
  readonly real: Real
  readonly followed: Followed
}

/** Jest loads the preload for each test file, with the module `node:timers` in common. */
export function sharedState(): Shared {
  const holder = timers as { [KEY]?: Shared }
  const known = holder[KEY]
  if (known !== undefined) return known
  loadModulesOfNode()
  const real = takeFunctions()
  const shared: Shared = { real, followed: followProcess() }
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
    mark: performance.mark.bind(performance),
    measure: performance.measure.bind(performance),
    uptime: process.uptime.bind(process),
    hrtime: process.hrtime.bigint.bind(process.hrtime),
    connect: net.Socket.prototype.connect,
  }
}
