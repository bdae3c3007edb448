/** The value of a JSON text; `undefined` if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The definitions of a body: a single definition is a list of one. */
export function listOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body]
}
