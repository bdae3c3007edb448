/** Tables that forget their oldest entries beyond a size, for one owner and for all together. */

/** The bytes that an object takes beside its texts. */
const OVERHEAD = 256

/** The bytes of texts in memory: at most two a character. */
export function bytesOfText(...texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + 2 * length, 0)
}

/** About the bytes of a JSON value in memory. */
export function bytesOfJson(value: unknown): number {
  return OVERHEAD + bytesOfText(JSON.stringify(value) ?? '')
}

/** How large the entries of one owner may be, such as of one application. */
export interface Share<Value> {
  readonly most: number
  /** The owner of a value, always the same. */
  readonly ownerOf: (value: Value) => string
}

export interface BoundedMapOptions<Key, Value> {
  /** Default: only all entries together are bounded. */
  readonly share?: Share<Value>
  /** Called with each entry that is forgotten for a newer one. */
  readonly onForget?: (value: Value, key: Key) => void
}

interface Owner<Key> {
  size: number
  /** Oldest first. */
  readonly keys: Set<Key>
}

/**
 * A map that forgets its oldest entries when all together are larger than `most`. Without `sizeOf` it counts them. No
 * value is undefined.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  readonly #share: Share<Value> | undefined
  readonly #onForget: (value: Value, key: Key) => void
  readonly #owners = new Map<string, Owner<Key>>()
  #size = 0

  /** @param sizeOf the size of a value, always the same */
  constructor(
    most: number,
    sizeOf: (value: Value) => number = () => 1,
    { share, onForget = () => {} }: BoundedMapOptions<Key, Value> = {},
  ) {
    super()
    this.#most = most
    this.#sizeOf = sizeOf
    this.#share = share
    this.#onForget = onForget
  }

  /** A known key keeps its place. */
  override set(key: Key, value: Value): this {
    const before = this.get(key)
    if (before !== undefined) this.#size -= this.#sizeOf(before)
    this.#size += this.#sizeOf(value)
    if (this.#share !== undefined) this.#setOwner(this.#share, key, value, before)
    super.set(key, value)
    if (this.#share !== undefined) {
      const { most, ownerOf } = this.#share
      const owner = this.#owners.get(ownerOf(value))!
      this.#forget(owner.keys, () => owner.size > most)
    }
    this.#forget(this.keys(), () => this.#size > this.#most)
    return this
  }

  override delete(key: Key): boolean {
    const value = this.get(key)
    if (value !== undefined) {
      this.#size -= this.#sizeOf(value)
      if (this.#share !== undefined) this.#leaveOwner(this.#share.ownerOf(value), key, value)
    }
    return super.delete(key)
  }

  override clear(): void {
    super.clear()
    this.#owners.clear()
    this.#size = 0
  }

  /** Forgets the oldest entries as long as they have ended. */
  forgetWhile(hasEnded: (value: Value) => boolean): void {
    for (const [key, value] of this) {
      if (!hasEnded(value)) break
      this.#forget([key], () => true)
    }
  }

  #forget(keys: Iterable<Key>, isFull: () => boolean): void {
    for (const key of keys) {
      if (!isFull()) break
      const value = this.get(key)!
      this.delete(key)
      this.#onForget(value, key)
    }
  }

  #setOwner({ ownerOf }: Share<Value>, key: Key, value: Value, before: Value | undefined): void {
    const name = ownerOf(value)
    if (before !== undefined) {
      const nameBefore = ownerOf(before)
      if (nameBefore === name) this.#owners.get(name)!.size -= this.#sizeOf(before)
      else this.#leaveOwner(nameBefore, key, before)
    }
    const owner = this.#owners.get(name) ?? { size: 0, keys: new Set() }
    this.#owners.set(name, owner)
    owner.size += this.#sizeOf(value)
    owner.keys.add(key)
  }

  #leaveOwner(name: string, key: Key, value: Value): void {
    const owner = this.#owners.get(name)!
    owner.size -= this.#sizeOf(value)
    owner.keys.delete(key)
    if (owner.keys.size === 0) this.#owners.delete(name)
  }
}
