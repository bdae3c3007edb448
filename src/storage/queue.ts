/** A function that starts each operation when the earlier ones have ended. */
export function queue() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(operation: () => PromiseLike<Result>): Promise<Result> => {
    const next = last.then(operation)
    last = next.catch(() => {})
    return next
  }
}
