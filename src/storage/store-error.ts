/** The error that an adapter rejects with when its medium fails, and whether a failed write may have succeeded. */
import { errorJson } from '../core/error-json.ts'

/**
 * A failure of the medium. The driver's error is the `cause`.
 *
 * Repeating the call is safe whatever `mayHaveHappened` is: a write names the revision it expects, so repeating one
 * that succeeded finds another revision and changes nothing.
 */
export class StoreError extends Error {
  /** `StoreError`. */
  override readonly name = 'StoreError'
  /** False only if certainly nothing was written: the call was a read, or the write never reached the data. */
  readonly mayHaveHappened: boolean

  constructor(message: string, options: { readonly cause: unknown; readonly mayHaveHappened: boolean }) {
    super(message, { cause: options.cause })
    this.mayHaveHappened = options.mayHaveHappened
  }

  /** Plain JSON with `name`, `message` and `mayHaveHappened`, for logs and `postMessage`. */
  toJSON(): Readonly<Record<string, unknown>> {
    return errorJson(this)
  }
}

/**
 * Whether the write that failed with this error may have changed something: true unless the error has
 * `mayHaveHappened: false`. Checks the property and not the class, because an adapter can come from another copy of
 * the package or from another author.
 */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof Error && 'mayHaveHappened' in error && error.mayHaveHappened === false)
}

/** Wraps an error of a driver in a `StoreError`; a `StoreError` stays as it is. */
export function storeError(operation: string, cause: unknown, mayHaveHappened: boolean): StoreError {
  if (cause instanceof StoreError) return cause
  return new StoreError(`${operation} failed: ${reasonOf(cause)}`, { cause, mayHaveHappened })
}

/** The message of an error, or its name. A refused connection to a name with several addresses has a message for each. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.message !== '') return cause.message
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ')
  // Many error classes of drivers leave their `name` at "Error".
  return cause.name === 'Error' ? cause.constructor.name : cause.name
}
