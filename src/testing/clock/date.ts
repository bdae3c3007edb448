/** The time of a thread: it flows, a test stops it and moves it, and every way to read it agrees. */
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
export function replaceDates(time: Time): DateConstructor {
  const RealDate = realDate()
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
  globalThis.Date = MovedDate
  RealDate.prototype.constructor = MovedDate
  performance.now = () => time.performanceNow()
  replaceMarks(time)
  const uptime = process.uptime.bind(process)
  process.uptime = () => uptime() + time.ahead / 1_000
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
function replaceMarks(time: Time): void {
  const { mark, measure } = performance
  performance.mark = (name, options) =>
    mark.call(performance, name, { startTime: time.performanceNow(), ...options })
  performance.measure = (name, start, end) => {
    const isOpen = end === undefined && (typeof start !== 'object' || start.end === undefined)
    if (!isOpen) return measure.call(performance, name, start as string, end)
    const options = typeof start === 'object' ? start : start === undefined ? {} : { start }
    const isTimed = options.start !== undefined && options.duration !== undefined
    return measure.call(performance, name, isTimed ? options : { ...options, end: time.performanceNow() })
  }
}
