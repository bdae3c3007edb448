import { rule, type Broken, type Pick, type Rule } from '../core/rule.ts'
import { counted, fits, lengthOf } from '../core/text.ts'
import { badLength, maxLength } from '../core/wire.ts'
import type { Body } from './breaking.ts'

interface LengthDefinition<Code extends string> {
  readonly code: Code
  readonly clause: string
  readonly summary: string
  /** What is too short or too long, for the message: `a name`. */
  readonly what: string
  /** Default 0. */
  readonly min?: number
  readonly max: number
  /** @param text a text that is too short or too long */
  readonly breaks: (body: Body, pick: Pick, text: string) => Broken
}

/** A rule that a text has `min` to `max` characters. */
/* @__NO_SIDE_EFFECTS__ */
export function textLength<const Code extends string>({
  code,
  clause,
  summary,
  what,
  min = 0,
  max,
  breaks,
}: LengthDefinition<Code>): Rule<Code, { actual: number }, [text: string]> {
  return rule({
    code,
    clause,
    limit: min === 0 ? { max } : { min, max },
    summary,
    check: (text: string) => (text.length >= min && fits(text, max) ? undefined : { actual: lengthOf(text) }),
    message: ({ actual }: { actual: number }) =>
      actual < min
        ? `is empty; ${what} has at least ${counted(min, 'character')}`
        : `has ${counted(actual, 'character')}; at most ${max} are allowed`,
    wire: min === 0 ? maxLength(max) : badLength(min, max),
    breaks: (body: Body, pick) => breaks(body, pick, min > 0 && pick(2) === 0 ? '' : 'x'.repeat(max + 1)),
  })
}
