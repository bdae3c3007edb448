import { systemClock, utcDay } from '../clock.ts'
import { jsonValue } from '../json.ts'
import type { MessageSubject, Path, PathStep, Rule, TypeRule } from './rule.ts'

/** One thing that is wrong, or worth knowing, about a body. Plain data: it survives JSON, logs and snapshots. */
export interface Issue<Code extends string = string> {
  /** Stable; `docs/rules.md` lists them all. */
  readonly code: Code
  /** Keys and indices from the body to the value this is about. */
  readonly path: Path
  /** English; completes "this …" and says what would be right. */
  readonly message: string
  /** What the message is about; absent for the object or list as a whole. */
  readonly about?: MessageSubject
  /** The numbers and names in the message, for programs and translators. */
  readonly params: Readonly<Record<string, unknown>>
  readonly clause: string
}

/** An issue in one line, for the record of a request: `data.flags is 4, …`. */
export function noteOf({ path, message }: Pick<Issue, 'path' | 'message'>): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`
}

export type ReportedRule<Params = any, Subject extends any[] = any[]> = Pick<
  Rule<string, Params, Subject>,
  'code' | 'level' | 'clause' | 'context' | 'about' | 'check' | 'message'
> & {
  readonly since?: string | null
}

/** Issues beyond this number are dropped, so that a hostile body cannot fill the memory. */
export const MAX_ISSUES = 2_000

/** The day from which a rule is in force, if that is after today. */
function laterDay({ since, level }: ReportedRule): string | null {
  return since != null && level === 'error' && since > utcDay(systemClock.now()) ? since : null
}

/** Details whose lists a caller may change: those that a rule gives may be its own tables. */
function withOwnLists(params: object): object {
  return Object.values(params).some((value) => typeof value === 'object') ? structuredClone(params) : params
}

/** Collects the broken rules of one body. A rule that is not yet in force is a warning. */
export class Report {
  readonly errors: Issue[] = []
  readonly warnings: Issue[] = []
  private readonly steps: PathStep[] = []

  get path(): Path {
    return [...this.steps]
  }

  /** Runs a rule on its subject, and adds an issue at the current path if it is broken. Returns whether it holds. */
  check<Value>(rule: TypeRule<Value>, value: unknown): value is Value
  check<Subject extends any[]>(rule: ReportedRule<any, Subject>, ...subject: Subject): boolean
  check(rule: ReportedRule, ...subject: any[]): boolean {
    const params: object | undefined = rule.check(...subject)
    if (params === undefined) return true
    const later = laterDay(rule)
    if (later === null) {
      this.add(rule, params)
      return false
    }
    const message = (given: object) => `${rule.message(given)}; Discord refuses it from ${later} on`
    this.add({ ...rule, level: 'warning', message }, params)
    return true
  }

  /** Calls a reader at a key or path below the current one, and returns its result. */
  at<T, Value, Holder, Body>(
    step: PathStep | Path,
    read: (report: this, value: Value, holder: Holder, body: Body) => T,
    value?: Value,
    holder?: Holder,
    body?: Body,
  ): T {
    if (typeof step === 'object') return this.below(step, () => read(this, value!, holder!, body!))
    this.steps.push(step)
    const result = read(this, value!, holder!, body!)
    this.steps.pop()
    return result
  }

  private below<T>(path: Path, read: () => T): T {
    const outside = this.steps.length
    this.steps.push(...path)
    const result = read()
    this.steps.length = outside
    return result
  }

  /** Reads the first items of a list, each at its index. A hole is null, as JSON writes it (clause 1-05). */
  items<T, Holder>(
    list: readonly unknown[],
    max: number,
    read: (report: this, item: unknown, holder: Holder) => T,
    holder?: Holder,
  ): T[] {
    const items: T[] = []
    const count = Math.min(list.length, max)
    for (let i = 0; i < count; i++) items.push(this.at(i, read, jsonValue(list[i] ?? null, i), holder))
    return items
  }

  /** Adds the errors of a value at the current path that was read by itself. */
  include(errors: readonly Issue[]): void {
    for (const error of errors) {
      if (this.isFull('error')) return
      this.errors.push({ ...error, path: [...this.path, ...error.path] })
    }
  }

  /** Whether further issues of a level are dropped; then costly checks can be left out. */
  isFull(level: Rule['level']): boolean {
    return this.issuesOf(level).length >= MAX_ISSUES
  }

  protected add({ code, level, clause, about, message }: ReportedRule, params: object): void {
    if (this.isFull(level)) return
    const issue: { -readonly [Key in keyof Issue]: Issue[Key] } = {
      code,
      path: this.path,
      message: message(params),
      params: withOwnLists(params) as Issue['params'],
      clause,
    }
    if (about !== null) issue.about = about
    this.issuesOf(level).push(issue)
  }

  private issuesOf(level: Rule['level']): Issue[] {
    return level === 'error' ? this.errors : this.warnings
  }
}
