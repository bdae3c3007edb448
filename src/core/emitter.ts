/// <reference lib="esnext.disposable" preserve="true" />
import { isThenable } from './thenable.ts'

/** Ends a subscription when it is called, or at the end of a `using` block. */
export interface Subscription {
  (): void
  /** Ends the subscription. */
  [Symbol.dispose](): void
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
    // Wrapped, so that one function can be subscribed twice and unsubscribed once.
    const entry = (event: Event) => listener(event)
    if (signal?.aborted !== true) this.#listeners.add(entry)
    const end = () => {
      this.#listeners.delete(entry)
      signal?.removeEventListener('abort', end)
    }
    signal?.addEventListener('abort', end)
    // Older runtimes have no `Symbol.dispose`.
    return Object.assign(end, { [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: end }) as Subscription
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
