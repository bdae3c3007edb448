import { deepFreeze } from './freeze.ts'
import type { Issue, Report } from './report.ts'

/** What a validator answers: the value it read, or every issue; warnings either way. */
export type Validation<T, Code extends string = string> = Valid<T, Code> | Invalid<Code>

export interface Valid<T, Code extends string = string> {
  readonly ok: true
  /** The value as it was read: defaults filled, deeply frozen, a copy that later changes of the body miss. */
  readonly value: T
  readonly warnings: readonly Issue<Code>[]
}

export interface Invalid<Code extends string = string> {
  readonly ok: false
  /** In document order; at least one. */
  readonly issues: readonly Issue<Code>[]
  readonly warnings: readonly Issue<Code>[]
}

/** Turns what was read, and what was noted meanwhile, into an answer. */
export function validation<T>(value: T | undefined, report: Report, body: unknown): Validation<T> {
  if (report.issues === null && report.warnings === null) return new Read(value as T, NONE)
  const { issues, warnings } = report.ordered(body)
  return issues === null ? new Read(value as T, warnings) : { ok: false, issues, warnings }
}

const NONE: readonly Issue[] = Object.freeze([])

/**
 * A reading that went well. Freezing a definition costs several times what reading it does, so it happens when
 * somebody first takes the value: most callers of a validator only want to know whether all is well.
 */
class Read<T> implements Valid<T> {
  readonly ok = true
  readonly warnings: readonly Issue[]
  readonly #value: T

  constructor(value: T, warnings: readonly Issue[]) {
    this.warnings = warnings
    this.#value = value
  }

  get value(): T {
    return deepFreeze(this.#value)
  }

  toJSON(): { ok: true; value: T; warnings: readonly Issue[] } {
    return { ok: true, value: this.value, warnings: this.warnings }
  }
}
