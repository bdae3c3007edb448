/**
 * The contract between the registry and whatever remembers for it: documents of JSON under string keys, and
 * compare-and-set on one key at a time. That is all the domain needs, and what every engine has.
 */
import type { Json } from '../core/json.ts'

/** A document as it was found. */
export interface Entry {
  /** Deeply frozen. Whoever reads it may keep it and hand it on. */
  readonly value: Json
  /** Opaque; changes with every write and never comes back. Only equality means anything. */
  readonly revision: string
}

/** How a write ended: done, or somebody else was first and nothing changed. */
export type Written = { readonly ok: true; readonly revision: string } | { readonly ok: false }

export interface Store {
  /**
   * The documents under the keys, in their order; `undefined` where there is none. One round trip, however many
   * keys. Each document is whole, but two of them need not be of the same moment.
   */
  read(keys: readonly string[]): Promise<readonly (Entry | undefined)[]>

  /**
   * Puts a document if its revision still is the expected one.
   *
   * @param expected the revision it was read at, or `null` when there must be none
   * @param value deeply frozen JSON, which the store may keep by reference; `undefined` removes the document
   * @returns `{ ok: false }` when the revision was another, and then nothing has changed
   * @throws whatever the medium throws; the write may then have happened or not
   */
  write(key: string, expected: string | null, value: Json | undefined): Promise<Written>

  /** The keys that start with a prefix, in ascending order of their UTF-16 units. */
  keys(prefix: string): AsyncIterable<string>
}
