/** A rule is one record, from its check to its repair. `examples` has how to break it. */

export type PathStep = string | number
/** Keys and indices from a body to a value. */
export type Path = readonly PathStep[]

/** One leaf of the service's error body: `{ code, message }`. */
export interface WireError {
  /** The code, such as `BASE_TYPE_BAD_LENGTH`. */
  readonly code: string
  readonly message: string
}

/** The bounds of a rule; a string where JSON numbers cannot hold the value exactly. */
export interface Limit {
  /** The smallest allowed value. */
  readonly min?: number | string
  /** The largest allowed value. */
  readonly max?: number | string
}

/** The numbers that a value may have. */
export interface Range {
  readonly integer: boolean
  readonly min: number
  readonly max: number
}

/** The context in which a rule applies; see `ValidationContext`. */
export interface RuleContext {
  readonly scope?: 'global' | 'guild'
  readonly application?: {
    readonly flags?: number
    readonly discoverable?: boolean
    readonly integration_types?: readonly number[]
  }
  readonly files?: readonly { readonly key: string }[]
  readonly hasEmoji?: (id: string) => boolean
}

/**
 * Where the service reports an error, when that is not the path of the issue:
 * - `'body'`: on the whole body;
 * - `'parent'`: on the value that holds the one at the path;
 * - a field of the value, and the first surplus item of a list: only where the value itself cannot hold the error
 *   because errors stand below it.
 */
export type ErrorPlace = 'body' | 'parent' | 'firstSurplusItem' | { readonly field: string }

/** One change of a body, as data. Paths are those of the body as it was given. */
export type Edit =
  | { readonly op: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Path }
  /** Gives the last key of the path another name. */
  | { readonly op: 'rename'; readonly path: Path; readonly to: string }
  /** Moves an item of a list to another index of the same list. */
  | { readonly op: 'move'; readonly path: Path; readonly to: number }

/** A broken rule in a body: the path, and the params of the message. */
export interface Breach<Params> {
  readonly path: Path
  readonly params: Params
}

/** Proposes edits that repair a body. Nothing applies them by itself. */
export type Fix<Params> = (body: unknown, issue: Breach<Params>) => readonly Edit[]

/**
 * What a message is about, where that decides how it is shown:
 * - `'value'`: the value at the path, which the message describes;
 * - `'text'`: the text at the path, which the message does not repeat;
 * - `'key'`: the last key of the path, which the message quotes.
 */
export type MessageSubject = 'value' | 'text' | 'key'

/** A rule: a fact that must hold, its check and its messages. */
export interface Rule<Code extends string = string, Params = any, Subject extends any[] = any[]> {
  /** `subject.fact`; stable. A singular subject is one thing by itself, a plural one a list of them. */
  readonly code: Code
  /** An error refuses the body; a warning never stops anything. */
  readonly level: 'error' | 'warning'
  /** The clause of the specification, or the decision of this library: `'2.4-08'`, `'decision 21'`. */
  readonly clause: string
  /** The numbers of the rule, where it has any. */
  readonly limit: Limit | null
  /** The day from which Discord has the rule, such as `2026-08-05`; null for those documented in August 2026. */
  readonly since: string | null
  /** Where a newer rule is documented; null as above. */
  readonly source: string | null
  readonly summary: string
  /** Where the rule applies, when it is not everywhere. */
  readonly context: RuleContext | null
  /** `undefined` when the fact holds, else the params of the message. */
  readonly check: (...subject: Subject) => Params | undefined
  /** What the message is about; null for the object or list as a whole. */
  readonly about: MessageSubject | null
  /** The problem and the remedy; completes "this …". */
  readonly message: (params: Params) => string
  /** The error of the HTTP answer to an issue at a path; null for warnings and for rules that no HTTP answer reports. */
  readonly wire: ((params: Params, path: Path) => WireError) | null
  /** Where that error stands; null for the path of the issue. */
  readonly at: ErrorPlace | ((path: Path) => ErrorPlace | null) | null
  /** Edits that repair the body; null if only the author can. */
  readonly fix: Fix<Params> | null
  /** Fixes between which only the author can choose, by label; null where there is no such choice. */
  readonly offers: Readonly<Record<string, Fix<Params>>> | null
}

/** A rule about the JSON type of a value, which narrows it. */
export interface TypeRule<Value, Code extends string = string> extends Rule<Code, any, [value: unknown]> {
  /** Never set; the type of a value for which the rule holds. */
  readonly narrows?: Value
}

export interface WarningDefinition<Code extends string, Params, Subject extends any[]>
  extends
    Pick<Rule<Code, Params, Subject>, 'code' | 'clause' | 'summary' | 'check' | 'message'>,
    Partial<
      Pick<Rule<Code, Params, Subject>, 'limit' | 'since' | 'source' | 'context' | 'about' | 'fix' | 'offers'>
    > {}

export interface RuleDefinition<Code extends string, Params, Subject extends any[]>
  extends WarningDefinition<Code, Params, Subject>, Partial<Pick<Rule<Code, Params, Subject>, 'at'>> {
  readonly wire?: WireError | ((params: Params, path: Path) => WireError) | null
}

/* @__NO_SIDE_EFFECTS__ */
export function rule<const Code extends string, Params extends object, Subject extends any[]>(
  definition: RuleDefinition<Code, Params, Subject>,
): Rule<Code, Params, Subject> {
  return record('error', definition)
}

/* @__NO_SIDE_EFFECTS__ */
export function warning<const Code extends string, Params extends object, Subject extends any[]>(
  definition: WarningDefinition<Code, Params, Subject>,
): Rule<Code, Params, Subject> {
  return record('warning', definition)
}

function record<Code extends string, Params, Subject extends any[]>(
  level: 'error' | 'warning',
  definition: RuleDefinition<Code, Params, Subject>,
): Rule<Code, Params, Subject> {
  const { wire = null } = definition
  return {
    code: definition.code,
    level,
    clause: definition.clause,
    limit: definition.limit ?? null,
    since: definition.since ?? null,
    source: definition.source ?? null,
    summary: definition.summary,
    context: definition.context ?? null,
    check: definition.check,
    about: definition.about ?? null,
    message: definition.message,
    wire: wire === null || typeof wire === 'function' ? wire : () => wire,
    at: definition.at ?? null,
    fix: definition.fix ?? null,
    offers: definition.offers ?? null,
  }
}

export const NO_PARAMS: Readonly<Record<string, never>> = Object.freeze({})

/** Whether a rule holds for a subject; for callers that need no message. */
export function holds<Subject extends any[]>(
  { check }: Pick<Rule<string, any, Subject>, 'check'>,
  ...subject: Subject
): boolean {
  return check(...subject) === undefined
}
