/** What the bodies have together that a process reads and handles, beyond the first bytes of each. */
const MAX_BODIES_BYTES = 128 * 1024 * 1024
/** So that small requests are answered while large ones fill the rest. */
const UNCOUNTED_BYTES = 16 * 1024
const SMALLEST_ROOM = 64 * 1024

/** Memory belongs to the process, so all services in it count together. */
const underWay = { bytes: 0 }

/** Why a body is not taken: it is too large, or all bodies together are. */
export type BodyExcess = 'body_too_large' | 'bodies_too_large'

/** The bytes of one body, in one piece however it arrives, counted until they are released. */
export class BodyBytes {
  readonly #most: number
  #room: Uint8Array = new Uint8Array()
  #length = 0
  #counted = 0
  #isReleased = false

  /** @param most the largest body */
  constructor(most: number) {
    this.#most = most
  }

  /** @returns why the chunk, and with it the body, is not taken; undefined if it is */
  add(chunk: Uint8Array): BodyExcess | undefined {
    if (this.#isReleased) return undefined
    const length = this.#length + chunk.length
    if (length > this.#most) return this.#drop('body_too_large')
    const counted = Math.max(0, length - UNCOUNTED_BYTES)
    if (underWay.bytes - this.#counted + counted > MAX_BODIES_BYTES) return this.#drop('bodies_too_large')
    underWay.bytes += counted - this.#counted
    this.#counted = counted
    // Most bodies are one chunk.
    if (this.#length === 0) this.#room = chunk
    else {
      if (length > this.#room.length) this.#grow(length)
      this.#room.set(chunk, this.#length)
    }
    this.#length = length
    return undefined
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#room.buffer, this.#room.byteOffset, this.#length)
  }

  /** Ends the count, when the body has been handled. */
  release(): void {
    underWay.bytes -= this.#counted
    this.#counted = 0
    this.#isReleased = true
    this.#room = new Uint8Array()
    this.#length = 0
  }

  /** Doubled, so that many small chunks cost no more than a few large ones. */
  #grow(length: number): void {
    const doubled = Math.min(this.#most, Math.max(SMALLEST_ROOM, 2 * length))
    const room = new Uint8Array(doubled)
    room.set(this.#room.subarray(0, this.#length))
    this.#room = room
  }

  #drop(excess: BodyExcess): BodyExcess {
    this.release()
    return excess
  }
}

/**
 * Reads a stream into a body. @returns why it is not taken; undefined if it is. Throws a TypeError if a chunk is not bytes.
 *
 * @param type the Content-Type
 */
export async function readInto(
  body: BodyBytes,
  reader: ReadableStreamDefaultReader<unknown>,
  type: string | null,
): Promise<BodyExcess | undefined> {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return undefined
    if (!(value instanceof Uint8Array)) throw new TypeError('body: expected a stream of bytes')
    const excess = body.add(value)
    if (excess === undefined) continue
    void leaveUnread(reader, type)
    return excess
  }
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

/** Bytes as digits of hex, two a byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
