/** What an adapter rejects with when its medium fails, and how to tell whether a write got through. */

/**
 * The medium failed. The driver's own error is the `cause`.
 *
 * Trying again is safe whatever `mayHaveHappened` says: a write names the revision it expects, so the second
 * try of a write that got through finds another revision and changes nothing.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** False only when it is certain that nothing was written: it was a read, or it never reached the data. */
  readonly mayHaveHappened: boolean

  constructor(message: string, options: { readonly cause: unknown; readonly mayHaveHappened: boolean }) {
    super(message, { cause: options.cause })
    this.mayHaveHappened = options.mayHaveHappened
  }
}

/**
 * Whether the write that failed with this error may have changed something. True for everything that does not
 * say otherwise. Looks at the error's shape, not at its class: an adapter may come from another copy of the
 * package, or be somebody else's.
 */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof Error && 'mayHaveHappened' in error && error.mayHaveHappened === false)
}

/** Wraps what a driver threw; what is a `StoreError` already stays as it is. */
export function storeError(doing: string, cause: unknown, mayHaveHappened: boolean): StoreError {
  if (cause instanceof StoreError) return cause
  return new StoreError(`${doing} failed: ${reason(cause)}`, { cause, mayHaveHappened })
}

// A refused connection to a name with several addresses is an AggregateError, whose own message is empty.
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.message !== '') return cause.message
  if (cause instanceof AggregateError) return cause.errors.map(reason).join(', ')
  // Many a class of a driver leaves the name at `Error`.
  return cause.name === 'Error' ? cause.constructor.name : cause.name
}
