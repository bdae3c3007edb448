/** The bytes of a stream, which somebody else may make as long as they like. */

/**
 * All bytes of a stream, or `undefined` when there are more than `most`; what is left of it is not read then.
 *
 * @throws TypeError when the stream holds something else than bytes, and whatever the stream fails with
 */
export async function readBytes(
  reader: ReadableStreamDefaultReader<unknown>,
  most: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!(value instanceof Uint8Array)) throw new TypeError('body: expected a stream of bytes')
    length += value.length
    if (length > most) {
      void reader.cancel().catch(() => {})
      return undefined
    }
    parts.push(value)
  }
  if (parts.length === 1) return parts[0]!
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
