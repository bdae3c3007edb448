/** The time of a thread: it flows, a test stops it and moves it, and every way to read it agrees. */
import { replaceInContexts } from './contexts.ts'
import { KEY, type Real } from './real.ts'

export class Time {
  readonly #real: Real
  readonly #startReal: number
  readonly #startHrtime: bigint
  readonly #startDate: number
  /** Milliseconds by which it is ahead of real time. */
  #offset: number
  /** Milliseconds since the start, while it stands still. */
  #stopped: number | undefined

  /** @param offset milliseconds by which it begins ahead of real time */
  constructor(real: Real, startDate: number, offset: number) {
    this.#real = real
    this.#startReal = real.performanceNow()
    this.#startHrtime = real.hrtime()
    this.#startDate = startDate
    this.#offset = offset
  }

  /** Milliseconds by which it is ahead of real time. */
  get offset(): number {
    return this.#offset
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  /** Milliseconds since the start. */
  elapsed(): number {
    return this.#stopped ?? this.#realElapsed() + this.#offset
  }

  /** Milliseconds by which it is ahead of real time, also while it stands still. */
  get ahead(): number {
    return this.elapsed() - this.#realElapsed()
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#startDate + this.elapsed()
  }

  performanceNow(): number {
    return this.#startReal + this.elapsed()
  }

  hrtime(): bigint {
    return this.#startHrtime + BigInt(Math.round(this.elapsed() * 1e6))
  }

  stop(): void {
    this.#stopped = this.elapsed()
  }

  /** Moves time that stands still; never back. */
  goTo(elapsed: number): void {
    this.#stopped = Math.max(this.elapsed(), elapsed)
  }

  flow(): void {
    this.#offset = this.elapsed() - this.#realElapsed()
    this.#stopped = undefined
  }

  #realElapsed(): number {
    return this.#real.performanceNow() - this.#startReal
  }
}

type Keyed = { readonly [KEY]?: DateConstructor }

/** The real `Date`, also when a clock has replaced it. */
export function realDate(): DateConstructor {
  return (Date as Keyed)[KEY] ?? Date
}

/** Replaces what reads the time. @returns the new `Date` */
export function replaceDates(time: Time, real: Real): DateConstructor {
  const RealDate = realDate()
  const MovedDate = movedDate(RealDate, time)
  globalThis.Date = MovedDate
  // Jest runs each test file in a context, and loads the clock there.
  if (process.env.JEST_WORKER_ID === undefined) replaceInContexts((original) => movedDate(original, time))
  performance.now = () => time.performanceNow()
  replaceMarks(time, real)
  process.uptime = () => real.uptime() + time.ahead / 1_000
  const hrtime = (since?: [number, number]): [number, number] => {
    const total = time.hrtime()
    const [seconds, nanoseconds] = [Number(total / 1_000_000_000n), Number(total % 1_000_000_000n)]
    if (since === undefined) return [seconds, nanoseconds]
    const [fromSeconds, from] = since
    return nanoseconds < from
      ? [seconds - fromSeconds - 1, nanoseconds - from + 1e9]
      : [seconds - fromSeconds, nanoseconds - from]
  }
  process.hrtime = Object.assign(hrtime, { bigint: () => time.hrtime() })
  return MovedDate
}

/** Marks and measures without a time of their own begin and end now. */
function replaceMarks(time: Time, { mark, measure }: Real): void {
  performance.mark = (name, options) => mark(name, { startTime: time.performanceNow(), ...options })
  performance.measure = (name, start, end) => {
    const isOpen = end === undefined && (typeof start !== 'object' || start.end === undefined)
    if (!isOpen) return measure(name, start as string, end)
    const options = typeof start === 'object' ? start : start === undefined ? {} : { start }
    const isTimed = options.start !== undefined && options.duration !== undefined
    return measure(name, isTimed ? options : { ...options, end: time.performanceNow() })
  }
}

/** A class of dates that reads this time. */
function movedDate(RealDate: DateConstructor, time: Time): DateConstructor {
  const now = () => Math.floor(time.now())
  const MovedDate: DateConstructor = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(
        target,
        given.length === 0 ? [now()] : given,
        newTarget === MovedDate ? target : newTarget,
      ) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, key) =>
      key === KEY ? RealDate : key === 'now' ? now : (Reflect.get(target, key, target) as unknown),
  })
  RealDate.prototype.constructor = MovedDate
  return MovedDate
}
