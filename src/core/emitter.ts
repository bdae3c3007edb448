/// <reference lib="esnext.disposable" preserve="true" />
import { describeValue } from './text.ts'
import { isThenable } from './thenable.ts'

/** Ends a subscription when it is called, or at the end of a `using` block. */
export interface Subscription {
  (): void
  /** Ends the subscription. */
  [Symbol.dispose](): void
}

/** A subscription that can also be ended by a signal. @param stop called once, when it ends */
export function subscription(stop: () => void, signal: AbortSignal | undefined): Subscription {
  let isEnded = false
  const end = () => {
    signal?.removeEventListener('abort', end)
    if (!isEnded) stop()
    isEnded = true
  }
  if (signal?.aborted === true) end()
  signal?.addEventListener('abort', end)
  // Older runtimes have no `Symbol.dispose`.
  return Object.assign(end, { [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: end }) as Subscription
}

/** Calls listeners with events. A failing listener affects neither the others nor the code that publishes. */
export class Emitter<Event> {
  readonly #listeners = new Set<(event: Event) => unknown>()
  readonly #onError: (error: unknown) => void

  /** @param onError called with what a listener throws, or its promise rejects with */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  get size(): number {
    return this.#listeners.size
  }

  /** @param signal ends the subscription when it is aborted */
  add(listener: (event: Event) => unknown, signal?: AbortSignal): Subscription {
    if (typeof listener !== 'function')
      throw new TypeError(`listener: expected a function, got ${describeValue(listener)}`)
    // Wrapped, so that one function can be subscribed twice and unsubscribed once.
    const entry = (event: Event) => listener(event)
    this.#listeners.add(entry)
    return subscription(() => this.#listeners.delete(entry), signal)
  }

  publish(events: readonly Event[]): void {
    const report = (error: unknown) =>
      attempt(
        () => this.#onError(error),
        (another) => console.error(another),
      )
    for (const event of events) {
      for (const listener of this.#listeners) {
        attempt(() => listener(Object.freeze(event)), report)
      }
    }
  }
}

/** Calls a function, and reports what it throws or its promise is rejected with. */
function attempt(call: () => unknown, report: (error: unknown) => void): void {
  try {
    const result = call()
    if (isThenable(result)) Promise.resolve(result).catch(report)
  } catch (error) {
    report(error)
  }
}
