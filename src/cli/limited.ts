/** A promise with a time limit. */

/** Something took longer than it may. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** The result of a promise, or a `TimeoutError` after some milliseconds. */
export async function limited<T>(promise: PromiseLike<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimeoutError(`${what} timed out after ${milliseconds / 1_000} s`)),
      milliseconds,
    )
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
