/** Timers that a test can bring forward. They are Node's own objects; a record beside each has the time it is due. */
import { AsyncResource } from 'node:async_hooks'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Time } from './date.ts'
import type { Real } from './real.ts'

type Callback = (...given: unknown[]) => void

interface Timer {
  readonly timer: NodeJS.Timeout
  readonly milliseconds: number
  readonly isInterval: boolean
  readonly callback: Callback
  readonly given: readonly unknown[]
  /** Keeps the context of `AsyncLocalStorage`. */
  readonly context: AsyncResource
  /** In milliseconds since the start. */
  due: number
  /** Timers of one time run in this order. */
  order: number
  /** False once Node's timer was cleared because this one fired before; it then never fires. */
  isReal: boolean
  isCleared: boolean
  /** Whether it kept the process alive when Node's timer was cleared. */
  isRef: boolean
}

interface SleepOptions {
  readonly signal?: AbortSignal
  readonly ref?: boolean
}

const MAX_DELAY = 2 ** 31 - 1
/** The milliseconds of a timer that is about to fire: no person is faster. */
const SHORT = 300

export class Timers {
  /** How many have fired. */
  fired = 0
  readonly #real: Real
  readonly #time: Time
  readonly #pending = new Set<Timer>()
  readonly #known = new WeakMap<object, Timer>()
  #order = 0
  #alarm: NodeJS.Timeout | undefined

  constructor(real: Real, time: Time) {
    this.#real = real
    this.#time = time
  }

  /** The functions that take the place of Node's. */
  readonly functions = {
    setTimeout: (callback: Callback, delay?: number, ...given: unknown[]) =>
      this.#start(this.#real.setTimeout, callback, delay, given, false),
    setInterval: (callback: Callback, delay?: number, ...given: unknown[]) =>
      this.#start(this.#real.setInterval, callback, delay, given, true),
    clearTimeout: (handle: unknown) => this.#clear(handle),
    clearInterval: (handle: unknown) => this.#clear(handle),
  }

  /** Puts them in the place of Node's. Call `syncBuiltinESMExports` after it. */
  replace(): void {
    const { functions } = this
    Object.assign(functions.setTimeout, { [promisify.custom]: this.#sleep })
    Object.assign(timers, functions)
    Object.assign(globalThis, functions)
    Object.assign(timersPromises, { setTimeout: this.#sleep, setInterval: this.#ticks })
    const wait = (delay: number, options?: SleepOptions) => this.#sleep(delay, undefined, options)
    // The object has it from its class.
    Object.defineProperty(timersPromises.scheduler, 'wait', {
      value: wait,
      configurable: true,
      writable: true,
    })
    AbortSignal.timeout = (delay) => {
      const controller = new AbortController()
      const message = 'The operation was aborted due to timeout'
      const abort = () => controller.abort(new DOMException(message, 'TimeoutError'))
      functions.setTimeout(abort, delay).unref()
      return controller.signal
    }
  }

  /** Whether the globals are these functions, and not the fake timers of a test runner. */
  get areInPlace(): boolean {
    return (globalThis.setTimeout as unknown) === this.functions.setTimeout
  }

  /** The timer that is due first, until a time. */
  next(until = Infinity): Timer | undefined {
    let first: Timer | undefined
    for (const one of this.#pending)
      if (
        one.due <= until &&
        (first === undefined || one.due < first.due || (one.due === first.due && one.order < first.order))
      )
        first = one
    return first
  }

  /**
   * The timers that fire once, and soon. Those that are started later do not count, because many bots start one after
   * another.
   *
   * @returns those that have not fired, in words
   */
  shortTimers(): () => readonly string[] {
    const newest = this.#order
    const until = this.#time.elapsed() + SHORT
    return () => {
      const short = [...this.#pending].filter(
        ({ isInterval, milliseconds, due, order }) =>
          !isInterval && milliseconds <= SHORT && order < newest && due <= until,
      )
      return short.map(({ milliseconds }) => `a timer of ${milliseconds} ms`)
    }
  }

  /** Fires a timer before Node does. */
  fire(one: Timer): void {
    // The record stays: `refresh` starts a timer again that has fired.
    if (!one.isInterval) this.#clearReal(one)
    this.#run(one)
  }

  #run(one: Timer): void {
    const { timer, isInterval, milliseconds, context, callback, given } = one
    if (isInterval) one.due = this.#time.elapsed() + milliseconds
    else this.#pending.delete(one)
    this.fired++
    try {
      context.runInAsyncScope(callback, timer, ...given)
    } catch (error) {
      // An error in a timer is an uncaught one, and no error of who moves time.
      process.nextTick(() => {
        throw error
      })
    }
  }

  /**
   * Sets one real timer for what is due first. After time has moved, timers are due before Node would fire them. It
   * keeps the process alive only in the place of timers that Node has no longer.
   */
  setAlarm(): void {
    this.#real.clearTimeout(this.#alarm)
    const first = this.next()
    if (first === undefined) return
    const delay = Math.ceil(first.due - this.#time.elapsed())
    this.#alarm = this.#real.setTimeout(
      () => {
        if (this.#time.isStopped) return
        for (let one; (one = this.next(this.#time.elapsed())) !== undefined;) this.fire(one)
        this.setAlarm()
      },
      Math.min(MAX_DELAY, Math.max(1, delay)),
    )
    const isNeeded = [...this.#pending].some(({ isReal, isRef }) => !isReal && isRef)
    if (!isNeeded) this.#alarm.unref()
  }

  #start(
    start: (callback: Callback, delay?: number) => NodeJS.Timeout,
    callback: Callback,
    delay: number | undefined,
    given: readonly unknown[],
    isInterval: boolean,
  ): NodeJS.Timeout {
    // Node throws its own error.
    if (typeof callback !== 'function') return start(callback, delay)
    const milliseconds = delay !== undefined && delay >= 1 && delay <= MAX_DELAY ? Math.trunc(delay) : 1
    const timer = start(() => this.#onReal(one, refresh), milliseconds)
    const { refresh, close } = timer
    const one: Timer = {
      timer,
      milliseconds,
      isInterval,
      callback,
      given,
      context: new AsyncResource('Timeout'),
      due: this.#time.elapsed() + milliseconds,
      order: this.#order++,
      isReal: true,
      isCleared: false,
      isRef: true,
    }
    timer.refresh = () => {
      if (one.isCleared) return timer
      one.due = this.#time.elapsed() + milliseconds
      one.order = this.#order++
      this.#pending.add(one)
      if (one.isReal) refresh.call(timer)
      else if (!this.#time.isStopped) this.setAlarm()
      return timer
    }
    timer.close = () => {
      this.#clear(timer)
      return close.call(timer)
    }
    if (Symbol.dispose) timer[Symbol.dispose] = () => void timer.close()
    this.#pending.add(one)
    this.#known.set(timer, one)
    return timer
  }

  /** Node's timer fires: when it is due. Otherwise time stands still, or has stood still. */
  #onReal(one: Timer, refresh: () => NodeJS.Timeout): void {
    if (!this.#pending.has(one)) return
    // Node rounds to milliseconds.
    if (!this.#time.isStopped && one.due <= this.#time.elapsed() + 1) this.#run(one)
    else if (!one.isInterval) refresh.call(one.timer)
  }

  #clearReal(one: Timer): void {
    if (!one.isReal) return
    one.isRef = one.timer.hasRef()
    one.isReal = false
    this.#real.clearTimeout(one.timer)
  }

  #clear(handle: unknown): void {
    const one = this.#find(handle)
    if (one !== undefined) {
      one.isCleared = true
      this.#pending.delete(one)
    }
    this.#real.clearTimeout(handle as NodeJS.Timeout)
  }

  /** By the object, or by its number as `+timer` gives it. */
  #find(handle: unknown): Timer | undefined {
    if (typeof handle === 'object') return handle === null ? undefined : this.#known.get(handle)
    if (typeof handle !== 'number' && typeof handle !== 'string') return undefined
    return [...this.#pending].find(({ timer }) => +timer === +handle)
  }

  readonly #sleep = <Value>(
    delay?: number,
    value?: Value,
    { signal, ref = true }: SleepOptions = {},
  ): Promise<Value> =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer)
        const error = new Error('The operation was aborted', { cause: signal?.reason })
        reject(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }))
      }
      const { setTimeout, clearTimeout } = this.functions
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve(value as Value)
      }, delay)
      if (signal?.aborted) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      if (!ref) timer.unref()
    })

  readonly #ticks = async function* <Value>(
    this: Timers,
    delay = 1,
    value?: Value,
    options?: SleepOptions,
  ): AsyncGenerator<Value> {
    for (let due = this.#time.elapsed() + delay; ; due += delay)
      yield await this.#sleep(Math.max(1, due - this.#time.elapsed()), value as Value, options)
  }.bind(this)
}
