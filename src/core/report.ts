import { documentOrder } from './document-order.ts'
import { jsonValue } from './json.ts'
import type { Path, PathStep, Rule, TypeRule } from './rule.ts'

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

/** What a report needs of a rule. */
export type ReportedRule<Params = any, Subject extends any[] = any[]> = Pick<
  Rule<string, Params, Subject>,
  'code' | 'level' | 'clause' | 'context' | 'check' | 'subjects' | 'message'
>

/** Issues beyond this number are dropped, so that a hostile body cannot fill the memory. */
export const MOST_ISSUES = 2_000

/** A broken rule as a report notes it: issues are made of these when they are read. */
export interface Note {
  readonly rule: Pick<Rule, 'code' | 'clause' | 'message' | 'context'>
  /** An object whose `toJSON` makes the params, where that costs much; else the params. */
  readonly params: object
  readonly path: Path
}

/**
 * Collects broken rules during one reading. The reader keeps `path` and `depth` at the place it is reading. Messages
 * and order cost more than the reading itself, so they are made only when issues are asked for.
 */
export class Report {
  readonly path: PathStep[] = []
  depth = 0
  errors: Note[] | null = null
  warnings: Note[] | null = null

  /**
   * Runs a rule on its subject, and records it when it is broken: at the current path, or at one or two keys below it,
   * which follow the subject.
   *
   * @returns whether the rule holds
   */
  run<Value>(rule: TypeRule<Value>, value: unknown, key?: PathStep, inner?: PathStep): value is Value
  run<Subject extends any[]>(
    rule: ReportedRule<any, Subject>,
    ...subject: [...Subject, key?: PathStep, inner?: PathStep]
  ): boolean
  // Fixed parameters and a body of two lines, which engines inline together with the check: this is the hot path.
  run(rule: ReportedRule, a?: any, b?: any, c?: any, d?: any, e?: any): boolean {
    const params: object | undefined = rule.check(a, b, c, d, e)
    return params === undefined || note(this, rule, params, [a, b, c, d, e])
  }

  /** Calls a function at a path below the current one, where it runs rules, and returns its result. */
  at<T>(path: Path, read: () => T): T {
    const { depth } = this
    for (const step of path) this.path[this.depth++] = step
    const result = read()
    this.depth = depth
    return result
  }

  /** Whether further issues of a level are dropped; then costly checks can be left out. */
  isFull(level: Rule['level']): boolean {
    const notes = level === 'error' ? this.errors : this.warnings
    return notes !== null && notes.length >= MOST_ISSUES
  }

  /** The errors as issues, in the order in which they were found; null when there are none. */
  get issues(): readonly Issue[] | null {
    return this.errors && Object.freeze(this.errors.map(issueOf))
  }

  /** The issues in the order in which their places stand in the body; see `documentOrder`. */
  ordered(level: Rule['level'], body: unknown): readonly Issue[] {
    const notes = level === 'error' ? this.errors : this.warnings
    return notes === null ? NONE : Object.freeze(documentOrder([...notes], body).map(issueOf))
  }
}

/** @param values the subject of the rule, then up to two keys */
function note(report: Report, rule: ReportedRule, params: object, values: readonly any[]): false {
  const notes = rule.level === 'error' ? (report.errors ??= []) : (report.warnings ??= [])
  if (notes.length >= MOST_ISSUES) return false
  const { path } = report
  let { depth } = report
  const { subjects } = rule
  if (values[subjects] !== undefined) path[depth++] = values[subjects]
  if (values[subjects + 1] !== undefined) path[depth++] = values[subjects + 1]
  notes.push({ rule, params, path: path.slice(0, depth) })
  return false
}

const NONE: readonly Issue[] = Object.freeze([])

function issueOf({ rule, params, path }: Note): Issue {
  const plain = Object.freeze(jsonValue(params)) as Readonly<Record<string, unknown>>
  return Object.freeze({
    code: rule.code,
    path: Object.freeze(path),
    message: rule.message(plain),
    params: plain,
    clause: rule.clause,
  })
}
