import type { Issue } from './report.ts'

/** What a call returns, or why it was refused. */
export type Result<Value extends object, Code extends string, Details extends object = {}> =
  | ({ readonly ok: true } & Value)
  | Refusal<Code, Details>

/** Why a call was refused, for programs; `issues` has every problem of invalid data, and is otherwise empty. */
export type Refusal<Code extends string, Details extends object = {}> = {
  readonly ok: false
  readonly code: Code
  readonly issues: readonly Issue[]
} & Details

export function refusal<const Code extends string>(code: Code, issues: readonly Issue[] = []): Refusal<Code> {
  return { ok: false, code, issues }
}
