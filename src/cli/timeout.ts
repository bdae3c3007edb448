/** A promise with a time limit. */

/** A time limit was exceeded. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** The result of a promise, or a `TimeoutError` after some milliseconds. */
export async function withTimeout<T>(
  promise: PromiseLike<T>,
  milliseconds: number,
  action: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimeoutError(`${action} timed out after ${milliseconds / 1_000} s`)),
      milliseconds,
    )
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
