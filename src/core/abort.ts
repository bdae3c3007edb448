/** The result of an operation, or a rejection with the reason of a signal as soon as it is aborted. */
export async function orAborted<T>(
  operation: PromiseLike<T>,
  signal: AbortSignal | undefined,
  onAbort?: () => void,
): Promise<T> {
  if (signal === undefined) return operation
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => {
      onAbort?.()
      reject(signal.reason as Error)
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
    stop = () => signal.removeEventListener('abort', abort)
  })
  try {
    return await Promise.race([operation, aborted])
  } finally {
    stop()
  }
}

/** The items of an iterable until a signal is aborted, also while the next one is awaited. */
export async function* itemsUntilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const end = async () => void (await iterator.return?.())
  try {
    for (;;) {
      signal.throwIfAborted()
      const next = await orAborted(iterator.next(), signal)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    const ended = end()
    // An iterable that does not answer does not end either.
    if (signal.aborted) ended.catch(() => {})
    else await ended
  }
}
