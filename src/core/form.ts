/** Rules that a value has a form: their check and message, to spread into a record. */
import { describeValue, given, type Given } from './text.ts'

/** A value that is not what was expected. */
export interface Found {
  /** In words. */
  readonly actual: string
  /** The value itself, shortened, for the wire. */
  readonly given: Given
}

/** Describes a value that is not what was expected. */
export function found(value: unknown): Found {
  return { actual: describeValue(value), given: given(value) }
}

/**
 * A value has a form.
 *
 * @param advice follows "is …; ": `expected a string`
 */
export function form(isValid: (value: any) => boolean, advice: string) {
  return {
    check: (value: unknown): Found | undefined => (isValid(value) ? undefined : found(value)),
    about: 'value' as const,
    message: ({ actual }: Found) => `is ${actual}; ${advice}`,
  }
}

/** A key that is not known. */
export interface UnknownKeyParams {
  readonly key: string
  /** The key that the author may have meant; null for none. */
  readonly suggestion: string | null
}
