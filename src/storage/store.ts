/**
 * The contract between the registry and a store: JSON documents under string keys, and compare-and-set on one key at a
 * time. Every engine has that, and the registry needs no more.
 */
import type { Json } from '../core/json.ts'
import { demand, withMethods } from '../core/rules/arguments.ts'
import type { Result } from '../core/rules/result.ts'

/** A document as it was read. */
export interface Entry {
  /** The document, deeply frozen: readers may keep it and pass it on. The entry around it need not be frozen. */
  readonly value: Json
  /**
   * Changes with every write and never repeats, not after the medium is restored from a backup either. Opaque: compare
   * revisions only for equality.
   */
  readonly revision: string
}

/**
 * The result of a write: done, with the revision of the written document, or the document had another revision and
 * nothing changed.
 */
export type Written = Result<{ revision: string }>

/** What hears the announcements of a store. */
export interface AnnouncementListener {
  /** Called with each announced text. */
  received(message: string): void
  /** Called when the connection is lost: later announcements do not arrive. */
  lost(): void
  /** Called when the driver has made a lost connection again by itself: announcements may be missing. */
  again(): void
}

/** The announcements of the writes of a database, which every process can hear: `{"key":…,"revision":…}` for each. */
export interface Announcements {
  /** Listens on a connection of its own. Resolves when announcements arrive. @returns ends it */
  listen(listener: AnnouncementListener): Promise<() => void>
  /** Announces another text. */
  announce(message: string): Promise<unknown>
}

/** Where a registry keeps its documents. `storeContract` tests an implementation; docs/storage.md explains it. */
export interface Store {
  /**
   * The documents with these keys, in their order; `undefined` for a key without a document. One round trip for any
   * number of keys. Each document is whole, but two documents may be of different moments.
   */
  read(keys: readonly string[]): Promise<readonly (Entry | undefined)[]>

  /**
   * Writes a document if its revision is still the expected one.
   *
   * @param expected the revision at which it was read, or `null` if there must be no document
   * @param value deeply frozen JSON, which the store may keep without copying; `undefined` removes the document
   * @returns `{ ok: false }` if the revision was another; then nothing has changed
   * @throws any error of the medium; the write may then have happened or not
   */
  write(key: string, expected: string | null, value: Json | undefined): Promise<Written>

  /** The keys that start with a prefix, in ascending order of their UTF-16 units. */
  keys(prefix: string): AsyncIterable<string>

  /** The announcements of writes, for `followChanges`. Default: this store announces none. */
  readonly announcements?: Announcements
}

/** A store, as an argument. */
export const aStore = /* @__PURE__ */ withMethods(
  'a Store with read, write and keys',
  'read',
  'write',
  'keys',
)

export const demandStore = /* @__PURE__ */ demand(aStore)
