import { documentOrder } from './document-order.ts'
import { deepFreeze } from './freeze.ts'
import type { Issue, Report } from './report.ts'

/** The result of a validator: the value, or every issue; warnings in both cases. */
export type Validation<T, Code extends string = string> = Valid<T, Code> | Invalid<Code>

/** A valid body. */
export interface Valid<T, Code extends string = string> {
  readonly ok: true
  /** The value as it was read: defaults filled, deeply frozen, a copy that later changes of the body do not affect. */
  readonly value: T
  /** In document order. */
  readonly warnings: readonly Issue<Code>[]
}

/** An invalid body. */
export interface Invalid<Code extends string = string> {
  readonly ok: false
  /** In document order; at least one. */
  readonly issues: readonly Issue<Code>[]
  /** In document order. */
  readonly warnings: readonly Issue<Code>[]
}

/** The result of a reading: its value and its report. */
export function validation<T>(value: T | undefined, report: Report, body: unknown): Validation<T> {
  const warnings = ordered(report.warnings, body)
  return report.errors.length === 0
    ? new ValidBody(value as T, warnings)
    : { ok: false, issues: ordered(report.errors, body), warnings }
}

const NONE: readonly Issue[] = Object.freeze([])

function ordered(issues: Issue[], body: unknown): readonly Issue[] {
  return issues.length === 0 ? NONE : Object.freeze(documentOrder(issues, body))
}

/** A valid body. Freezes its value when it is first taken, because most callers only ask whether a body is valid. */
class ValidBody<T> implements Valid<T> {
  readonly ok = true
  readonly warnings: readonly Issue[]
  readonly #value: T

  constructor(value: T, warnings: readonly Issue[]) {
    this.#value = value
    this.warnings = warnings
  }

  get value(): T {
    return deepFreeze(this.#value)
  }

  toJSON(): { ok: true; value: T; warnings: readonly Issue[] } {
    return { ok: true, value: this.value, warnings: this.warnings }
  }
}
