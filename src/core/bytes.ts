/**
 * All bytes of a stream; `undefined` if there are more than `most`. Throws a TypeError if a chunk is not bytes.
 *
 * @param type the Content-Type
 */
export async function readBytes(
  reader: ReadableStreamDefaultReader<unknown>,
  type: string | null,
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
      void leaveUnread(reader, type)
      return undefined
    }
    parts.push(value)
  }
  if (parts.length === 1) return parts[0]!
  return joinBytes(parts)
}

/** The most bytes of a form that are read to be dropped. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024

/**
 * Ends a body whose rest is not needed. That of a form is read and dropped, because Node 24 fails outside of every promise,
 * which ends the program, when a form that it has made is cancelled.
 */
export async function leaveUnread(
  reader: ReadableStreamDefaultReader<unknown>,
  type: string | null,
): Promise<void> {
  const isForm = /^\s*multipart\//i.test(type ?? '')
  try {
    for (let left = isForm ? MAX_DROPPED_BYTES : 0; left > 0;) {
      const { done, value } = await reader.read()
      if (done) return
      left -= (value as Uint8Array).length
    }
    await reader.cancel()
  } catch {
    // It has failed, and so has ended.
  }
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
