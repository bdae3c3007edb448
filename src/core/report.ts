import { documentOrder } from './document-order.ts'
import type { Path, PathStep, Rule } from './rule.ts'

/** One thing that is wrong, or worth knowing, about a body. Plain data: it survives JSON, logs and snapshots. */
export interface Issue<Code extends string = string> {
  /** Stable; `docs/rules.md` lists them all. */
  readonly code: Code
  /** Keys and indices from the body to the value this is about. */
  readonly path: Path
  /** English; completes "this …" and says what would be right. */
  readonly message: string
  /** The numbers and names in the message, for programs and translators. */
  readonly params: Readonly<Record<string, unknown>>
  /** The clause of the specification. */
  readonly clause: string
}

/** More problems than this are counted but not listed, so that a hostile body cannot fill the memory. */
export const MOST_ISSUES = 2_000

/**
 * Collects issues during one reading. The reader keeps `path` and `depth` at the place it is reading; a path is
 * copied only when something is wrong there.
 */
export class Report {
  readonly path: PathStep[] = []
  depth = 0
  issues: Issue[] | null = null
  warnings: Issue[] | null = null

  /** Notes that a rule does not hold at the present place, or at a key of it, or at a key of that. */
  add<Params extends object>(
    rule: Rule<string, Params>,
    params: Params,
    key?: PathStep,
    inner?: PathStep,
  ): void {
    const list = rule.level === 'error' ? (this.issues ??= []) : (this.warnings ??= [])
    if (list.length >= MOST_ISSUES) return
    const path = this.path.slice(0, this.depth)
    if (key !== undefined) path.push(key)
    if (inner !== undefined) path.push(inner)
    list.push(
      Object.freeze({
        code: rule.code,
        path: Object.freeze(path),
        message: rule.message(params),
        params: Object.freeze(params) as Readonly<Record<string, unknown>>,
        clause: rule.clause,
      }),
    )
  }

  /** The issues in the order in which their places stand in the body; see `documentOrder`. */
  ordered(body: unknown): { issues: readonly Issue[] | null; warnings: readonly Issue[] } {
    return {
      issues: this.issues && Object.freeze(documentOrder(this.issues, body)),
      warnings: this.warnings === null ? NONE : Object.freeze(documentOrder(this.warnings, body)),
    }
  }
}

const NONE: readonly Issue[] = Object.freeze([])
