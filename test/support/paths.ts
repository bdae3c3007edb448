/** The value at a path of a body; `undefined` when the path does not exist. */
export function valueAt(body: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce(
    (value, step) =>
      Object(value) === value && Object.hasOwn(value as object, step) ? (value as any)[step] : undefined,
    body,
  )
}
