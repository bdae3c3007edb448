import { deepFreeze } from './freeze.ts'
import type { Issue, Report } from './report.ts'
import type { Rule } from './rule.ts'

/** The result of a validator: the value, or every issue; warnings in both cases. */
export type Validation<T, Code extends string = string> = Valid<T, Code> | Invalid<Code>

/** A valid body. */
export interface Valid<T, Code extends string = string> {
  /** Always true. */
  readonly ok: true
  /** The value as it was read: defaults filled, deeply frozen, a copy that later changes of the body do not affect. */
  readonly value: T
  /** The warnings, in document order. */
  readonly warnings: readonly Issue<Code>[]
}

/** An invalid body. */
export interface Invalid<Code extends string = string> {
  /** Always false. */
  readonly ok: false
  /** In document order; at least one. */
  readonly issues: readonly Issue<Code>[]
  /** The warnings, in document order. */
  readonly warnings: readonly Issue<Code>[]
}

/** The result of a reading: its value and its report. */
export function validation<T>(value: T | undefined, report: Report, body: unknown): Validation<T> {
  return report.errors === null ? new Read(value as T, report, body) : refused(report, body)
}

/** The value before it is frozen, for a caller that keeps only parts of it and freezes them. */
export function unfrozenValue<T>(read: Valid<T>): T {
  return Read.unfrozenValue(read)
}

/** What the issues and warnings of a refusal are made of, when they are first read. */
interface Findings {
  readonly report: Report
  readonly body: unknown
  readonly made: { [Level in Rule['level']]?: readonly Issue[] }
}

/** Hidden: not enumerable, so copies, comparisons and JSON leave it out. */
const FINDINGS = Symbol('findings')

function issuesOf(level: Rule['level']): PropertyDescriptor & ThisType<{ readonly [FINDINGS]: Findings }> {
  return {
    enumerable: true,
    get() {
      const { report, body, made } = this[FINDINGS]
      return (made[level] ??= report.ordered(level, body))
    },
  }
}

// Own properties, so that a refusal is compared, copied and written as JSON like a plain object. All refusals share the
// getters: a getter of its own gives each one another shape, which costs more than the reading.
const getters = { issues: issuesOf('error'), warnings: issuesOf('warning') }

function refused(report: Report, body: unknown): Invalid {
  const refusal = Object.defineProperties({ ok: false }, getters)
  const findings: Findings = { report, body, made: {} }
  return Object.defineProperty(refusal, FINDINGS, { value: findings }) as Invalid
}

/**
 * A successful reading. Freezing a definition costs several times what reading it does, so it happens when the value is
 * first taken: most callers of a validator only ask whether the body is valid.
 */
class Read<T> implements Valid<T> {
  readonly ok = true
  readonly #value: T
  readonly #report: Report
  readonly #body: unknown
  #warnings: readonly Issue[] | undefined

  constructor(value: T, report: Report, body: unknown) {
    this.#value = value
    this.#report = report
    this.#body = body
  }

  static unfrozenValue<T>(read: Valid<T>): T {
    return read instanceof Read ? (read as Read<T>).#value : read.value
  }

  get value(): T {
    return deepFreeze(this.#value)
  }

  get warnings(): readonly Issue[] {
    return (this.#warnings ??= this.#report.ordered('warning', this.#body))
  }

  toJSON(): { ok: true; value: T; warnings: readonly Issue[] } {
    return { ok: true, value: this.value, warnings: this.warnings }
  }
}
