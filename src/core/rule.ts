/**
 * What a rule is. Everything about a rule is in its record: its code, its clause, its limit, its sentence for
 * the docs, its check, its message, its form on the wire, and how to break it.
 */

export type PathStep = string | number
export type Path = readonly PathStep[]

/** One leaf of the service's error body: `{ code, message }`. */
export interface WireError {
  readonly code: string
  readonly message: string
}

/** A body with exactly one fault, and where the fault is. */
export interface Broken {
  readonly body: unknown
  readonly path: Path
}

/** Chooses one of `count` places, from 0 to `count - 1`. */
export type Pick = (count: number) => number

export interface Limit {
  readonly min?: number
  readonly max?: number
}

/** The body a rule is about, and so what its `breaks` takes and gives. */
export type RuleSubject =
  'command' | 'commands' | 'permissions' | 'patch' | 'scope' | 'snapshot' | 'interaction' | 'callback'

/** Where something is checked, as far as a rule needs it to be broken; see `ValidationContext`. */
export interface RuleContext {
  readonly scope?: 'global' | 'guild'
  readonly application?: {
    readonly flags?: number
    readonly discoverable?: boolean
    readonly integration_types?: readonly number[]
  }
}

export interface Rule<Code extends string = string, Params = any, Subject extends any[] = any[]> {
  /** `subject.fact`; stable. */
  readonly code: Code
  /** An error refuses the body; a warning never stops anything. */
  readonly level: 'error' | 'warning'
  /** The clause of the specification, as in `docs/rules.md`. */
  readonly clause: string
  /** The numbers of the rule, where it has any. */
  readonly limit: Limit | null
  /** The fact that must hold, in one sentence. */
  readonly summary: string
  /** Which kind of body the rule is about. */
  readonly on: RuleSubject
  /** Where the rule applies, when it is not everywhere. */
  readonly context: RuleContext | null
  /** Whether the fact holds. */
  readonly check: (...subject: Subject) => boolean
  /** What is wrong and what would be right; completes "this …". */
  readonly message: (params: Params) => string
  /** What the service answers for it. Warnings never reach the wire. */
  readonly wire: (params: Params) => WireError
  /** The smallest way to break this rule and no other, starting from a valid body. */
  readonly breaks: (body: any, pick: Pick) => Broken
}

export interface RuleDefinition<Code extends string, Params, Subject extends any[]> {
  readonly code: Code
  readonly clause: string
  readonly limit?: Limit
  readonly summary: string
  readonly on?: RuleSubject
  readonly context?: RuleContext
  readonly check: (...subject: Subject) => boolean
  readonly message: (params: Params) => string
  readonly wire: WireError | ((params: Params) => WireError)
  readonly breaks: (body: any, pick: Pick) => Broken
}

/** A rule that refuses. */
/* @__NO_SIDE_EFFECTS__ */
export function rule<const Code extends string, Params, Subject extends any[]>(
  definition: RuleDefinition<Code, Params, Subject>,
): Rule<Code, Params, Subject> {
  const { wire } = definition
  return record('error', definition, typeof wire === 'function' ? wire : () => wire)
}

/** A rule that only warns. */
/* @__NO_SIDE_EFFECTS__ */
export function warning<const Code extends string, Params, Subject extends any[]>(
  definition: Omit<RuleDefinition<Code, Params, Subject>, 'wire'>,
): Rule<Code, Params, Subject> {
  return record('warning', definition, () => {
    throw new TypeError(`${definition.code} is a warning; warnings have no form on the wire`)
  })
}

function record<Code extends string, Params, Subject extends any[]>(
  level: 'error' | 'warning',
  definition: Omit<RuleDefinition<Code, Params, Subject>, 'wire'>,
  wire: (params: Params) => WireError,
): Rule<Code, Params, Subject> {
  return Object.freeze({
    code: definition.code,
    level,
    clause: definition.clause,
    limit: definition.limit ?? null,
    summary: definition.summary,
    on: definition.on ?? 'command',
    context: definition.context ?? null,
    check: definition.check,
    message: definition.message,
    wire,
    breaks: definition.breaks,
  })
}
