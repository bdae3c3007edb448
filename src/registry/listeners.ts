/// <reference lib="esnext.disposable" preserve="true" />
import { isThenable } from '../core/thenable.ts'
import type { RegistryEvent, RegistryListener } from './events.ts'

/** Ends a subscription when it is called, or at the end of a `using` block. */
export interface Subscription {
  (): void
  /** Ends the subscription. */
  [Symbol.dispose](): void
}

/** The listeners of a registry. */
export class Listeners {
  readonly #listeners = new Set<RegistryListener>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  get size(): number {
    return this.#listeners.size
  }

  add(listener: RegistryListener): Subscription {
    // Wrapped, so that one function can be subscribed twice and unsubscribed once.
    const entry: RegistryListener = (event) => listener(event)
    this.#listeners.add(entry)
    const end = () => void this.#listeners.delete(entry)
    // Older runtimes have no `Symbol.dispose`.
    return Object.assign(end, { [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: end }) as Subscription
  }

  /** Calls every listener with every event. A failing listener affects neither the others nor the committed change. */
  publish(events: readonly RegistryEvent[]): void {
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
