/**
 * An error as plain JSON: `name`, `message`, `code` and the details of its class, without its cause. JSON leaves out the
 * message of an error, and a structured clone everything else.
 */
export function errorJson(error: Error): Readonly<Record<string, unknown>> {
  const { name, message } = error
  // A value that an issue is about may be what JSON has no form for.
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return JSON.parse(JSON.stringify({ name, message, ...(error as object) }, plain)) as Readonly<
    Record<string, unknown>
  >
}
