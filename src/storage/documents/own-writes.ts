/**
 * The write without a read: an instance that alone writes a document plans its next change on what it wrote last. The
 * store refuses the write if that was wrong, which needs revisions that never repeat, not after a restore either
 * (decision 31).
 */
import { BoundedMap } from '../../core/bounded-map.ts'
import type { Json } from '../../core/json.ts'
import type { Entry } from '../store.ts'

/** A document that this instance wrote. */
interface Written {
  readonly revision: string
  /** Weak, as documents can be large: without it the next writer reads. Undefined in workers, which have no such references. */
  readonly value: WeakRef<object> | undefined
  /** Whether nothing else has written since the write before: the next writer need not read then. */
  readonly isAlone: boolean
}

interface Change {
  readonly isChange: boolean
  /** The document after the change; undefined to remove it. */
  readonly next: object | undefined
}

/** A change of a document, of the revision that it was planned on. */
export interface Planned<Of extends Change> {
  readonly revision: string | null
  readonly change: Of
  readonly isAlone: boolean
}

/** How many of them are kept. */
const KEPT_WRITTEN = 64

type Plan<Of extends Change> = (entries: readonly (Entry | undefined)[]) => Of

export class OwnWrites {
  readonly #written = new BoundedMap<string, Written>(KEPT_WRITTEN)

  /** The change of the document as this instance wrote it. Undefined unless only this instance writes it. */
  planUnread<Of extends Change>(key: string, plan: Plan<Of>): Planned<Of> | undefined {
    const known = this.#written.get(key)
    const value = known?.isAlone === true ? known.value?.deref() : undefined
    if (known === undefined || value === undefined) return
    const { revision } = known
    try {
      const change = plan([{ value: value as Json, revision }])
      if (change.isChange) return { revision, change, isAlone: true }
    } catch {
      // It may have another reason by now, or none.
    }
    // Only a read tells whether this is still so.
    this.#written.set(key, { ...known, isAlone: false })
    return
  }

  /** The change of a document that was read. */
  plan<Of extends Change>(key: string, entries: Parameters<Plan<Of>>[0], plan: Plan<Of>): Planned<Of> {
    const change = plan(entries)
    const revision = entries[0]?.revision ?? null
    const isAlone = revision !== null && this.#written.get(key)?.revision === revision
    return { revision, change, isAlone }
  }

  /** Before a write, whose outcome may stay unknown. */
  forget(key: string): void {
    this.#written.delete(key)
  }

  /** After a write. */
  note(key: string, revision: string, { change: { next }, isAlone }: Planned<Change>): void {
    if (next !== undefined) this.#written.set(key, { revision, value: weakly(next), isAlone })
  }
}

const weakly = <T extends object>(value: T) =>
  typeof WeakRef === 'undefined' ? undefined : new WeakRef(value)
