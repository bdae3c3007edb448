/** All bytes of a stream; `undefined` if there are more than `most`. Throws a TypeError if a chunk is not bytes. */
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
  return joinBytes(parts)
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Bytes as digits of hex, two a byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
