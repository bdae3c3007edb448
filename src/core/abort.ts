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
