import type { Issue } from './report.ts'

/** What a call returns that may be refused. */
export type Result<Done extends object, Reason extends object = {}> =
  ({ readonly ok: true } & Readonly<Done>) | ({ readonly ok: false } & Readonly<Reason>)

/** A reason for programs, and every problem of an invalid body; for other reasons `issues` is empty. */
export interface Refusal<Code extends string> {
  readonly code: Code
  readonly issues: readonly Issue[]
}

export type RefusedResult<Code extends string> = { readonly ok: false } & Refusal<Code>

export function refused<const Code extends string>(
  code: Code,
  issues: readonly Issue[] = [],
): RefusedResult<Code> {
  return { ok: false, code, issues }
}
