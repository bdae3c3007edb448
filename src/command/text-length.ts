import type { Pick } from '../core/rule.ts'
import { counted, fits, lengthOf } from '../core/text.ts'

/**
 * What rules about the length of a text share.
 *
 * @param what what is too short or too long, for the message: `a name`
 */
/* @__NO_SIDE_EFFECTS__ */
export function textLength(what: string, max: number, min = 0) {
  return {
    limit: min === 0 ? { max } : { min, max },
    check: (text: string) => (text.length >= min && fits(text, max) ? undefined : { actual: lengthOf(text) }),
    message: ({ actual }: { actual: number }) =>
      actual < min
        ? `is empty; ${what} has at least ${counted(min, 'character')}`
        : `has ${counted(actual, 'character')}; at most ${max} are allowed`,
  }
}

/** A text that is too short or too long; for the `breaks` of these rules. */
export function wrongLength(pick: Pick, max: number, min = 0): string {
  return min > 0 && pick(2) === 0 ? '' : 'x'.repeat(max + 1)
}
