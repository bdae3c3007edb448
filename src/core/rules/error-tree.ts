/** The body of a refusal, as types. `reference/error-body.ts` makes it from issues. */
import type { WireError } from './rule.ts'

/** A node of the error tree: a leaf with its errors, or children by field name and decimal index; never both. */
export type ErrorNode = ErrorLeaf | { readonly [key: string]: ErrorNode }

/** The errors at one place of the body. */
export interface ErrorLeaf {
  readonly _errors: readonly WireError[]
}

/** The body of a refusal. */
export interface ErrorBody {
  readonly message: string
  /** Such as 50035. */
  readonly code: number
  /** The errors, nested like the body. Absent if there are none. */
  readonly errors?: ErrorNode
}

export const INVALID_FORM_BODY = 50035
