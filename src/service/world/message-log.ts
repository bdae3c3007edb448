/** The messages of all channels, within a number for each channel and a size for all. */
import { bytesOfJson } from '../../core/bounded-map.ts'
import type { WorldMessage } from './world-message.ts'

// The oldest messages of a channel beyond this number are forgotten, and the oldest of all beyond this size.
const MAX_PER_CHANNEL = 1_000
const MAX_MESSAGE_LOG_BYTES = 64 * 1024 * 1024

export class MessageLog {
  readonly #channels = new Map<string, Map<string, WorldMessage>>()
  /** The sizes of all messages by id, the first stored first, with their channels. */
  readonly #sizes = new Map<string, { readonly channelId: string; readonly size: number }>()
  #total = 0
  readonly #onForget: (message: WorldMessage) => void

  /** @param onForget called with each message that is dropped with its channel, or for newer ones */
  constructor(onForget: (message: WorldMessage) => void = () => {}) {
    this.#onForget = onForget
  }

  /** The messages of a channel, oldest first. */
  of(channelId: string): readonly WorldMessage[] {
    return [...(this.#channels.get(channelId)?.values() ?? [])]
  }

  get(channelId: string, id: string): WorldMessage | undefined {
    return this.#channels.get(channelId)?.get(id)
  }

  /** A message of any channel. */
  find(id: string): WorldMessage | undefined {
    const at = this.#sizes.get(id)
    return at && this.get(at.channelId, id)
  }

  /** Keeps a message; a known one keeps its place. */
  set(message: WorldMessage): void {
    const { channel_id: channelId, id } = message
    const channel = this.#channels.get(channelId) ?? new Map<string, WorldMessage>()
    this.#channels.set(channelId, channel.set(id, message))
    const size = bytesOfJson(message)
    this.#total += size - (this.#sizes.get(id)?.size ?? 0)
    this.#sizes.set(id, { channelId, size })
    if (channel.size > MAX_PER_CHANNEL) this.#forget(channelId, channel.keys().next().value!)
    // Finding the oldest takes long after many deletions.
    if (this.#total > MAX_MESSAGE_LOG_BYTES) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const [oldest, { channelId }] of this.#sizes) {
      if (this.#total <= MAX_MESSAGE_LOG_BYTES) break
      this.#forget(channelId, oldest)
    }
  }

  #forget(channelId: string, id: string): void {
    const message = this.get(channelId, id)!
    this.delete(channelId, id)
    this.#onForget(message)
  }

  /** @returns whether it was there */
  delete(channelId: string, id: string): boolean {
    const channel = this.#channels.get(channelId)
    if (channel?.delete(id) !== true) return false
    if (channel.size === 0) this.#channels.delete(channelId)
    this.#total -= this.#sizes.get(id)!.size
    return this.#sizes.delete(id)
  }

  /** Forgets a channel. @returns the ids of its messages */
  clear(channelId: string): readonly string[] {
    const ids = this.of(channelId).map(({ id }) => id)
    for (const id of ids) this.#forget(channelId, id)
    return ids
  }
}
