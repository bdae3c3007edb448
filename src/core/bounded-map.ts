/** A map that forgets its oldest entries when all together are larger than `most`. Without `sizeOf` it counts them. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  #total = 0

  /** @param sizeOf the size of a value, always the same */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    super()
    this.#most = most
    this.#sizeOf = sizeOf
  }

  /** A known key keeps its place. */
  override set(key: Key, value: Value): this {
    if (this.has(key)) this.#total -= this.#sizeOf(this.get(key)!)
    super.set(key, value)
    this.#total += this.#sizeOf(value)
    for (const oldest of this.keys()) {
      if (this.#total <= this.#most) break
      this.delete(oldest)
    }
    return this
  }

  override delete(key: Key): boolean {
    if (this.has(key)) this.#total -= this.#sizeOf(this.get(key)!)
    return super.delete(key)
  }

  override clear(): void {
    super.clear()
    this.#total = 0
  }
}
