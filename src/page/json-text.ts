/** The definitions of a body: a single definition is a list of one. */
export function listOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body]
}
