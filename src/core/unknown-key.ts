/** The params of a rule about keys that are not known. */
export interface UnknownKeyParams {
  readonly key: string
  /** The key that the author may have meant; null for none. */
  readonly suggestion: string | null
}

/**
 * A key that is not known. Most callers only ask whether a body is valid, and looking for a suggestion costs more than
 * everything else about a key, so it is looked for when it is read.
 */
export class UnknownKey implements UnknownKeyParams {
  readonly key: string
  readonly #suggest: (key: string) => string | null

  constructor(key: string, suggest: (key: string) => string | null) {
    this.key = key
    this.#suggest = suggest
  }

  get suggestion(): string | null {
    return this.#suggest(this.key)
  }

  /** The plain params of an issue. */
  toJSON(): UnknownKeyParams {
    return { key: this.key, suggestion: this.suggestion }
  }
}
