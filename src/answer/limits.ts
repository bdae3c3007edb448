/** Rules about the length of a text and of a list in an answer. */
import { rule, type Broken, type Rule } from '../core/rule.ts'
import { counted, countCharacters, fits } from '../core/text.ts'
import { badLength, maxLength } from '../core/wire.ts'

export interface Actual {
  readonly actual: number
}

/** The parts that rules about a length share. */
function lengthRule(what: string, min: number, max: number, noun: string) {
  const allowed = min === 0 ? `at most ${max}` : `${min} to ${max}`
  return {
    clause: '2.11-09',
    limit: min === 0 ? { max } : { min, max },
    summary: `${what} has ${allowed} ${noun}s.`,
    on: 'callback',
    message: ({ actual }: Actual) => `has ${counted(actual, noun)}; ${allowed} are allowed`,
    wire: min === 0 ? maxLength(max) : badLength(min, max),
  } as const
}

/** A rule that a text has `min` to `max` characters. `breaks` gets a text that is too short or too long. */
/* @__NO_SIDE_EFFECTS__ */
export function answerTextLength<const Code extends string>(
  code: Code,
  what: string,
  min: number,
  max: number,
  breaks: (text: string) => Broken,
): Rule<Code, Actual, [text: string]> {
  return rule({
    ...lengthRule(what, min, max, 'character'),
    code,
    check: (text: string) =>
      fits(text, max) && text.length >= min ? undefined : { actual: countCharacters(text) },
    message: ({ actual }: Actual) =>
      actual < min
        ? `is empty; at least ${counted(min, 'character')} is needed`
        : `has ${counted(actual, 'character')}; at most ${max} are allowed`,
    breaks: (_, pick) => breaks(min > 0 && pick(2) === 0 ? '' : 'x'.repeat(max + 1)),
  })
}

/** A rule that a list has `min` to `max` items. `breaks` gets too few or too many of `item`. */
/* @__NO_SIDE_EFFECTS__ */
export function answerListLength<const Code extends string>(
  code: Code,
  what: string,
  min: number,
  max: number,
  noun: string,
  item: object,
  breaks: (items: readonly object[]) => Broken,
): Rule<Code, Actual, [items: readonly unknown[]]> {
  return rule({
    ...lengthRule(what, min, max, noun),
    code,
    check: ({ length }: readonly unknown[]) =>
      length >= min && length <= max ? undefined : { actual: length },
    breaks: (_, pick) => breaks(Array.from({ length: min > 0 && pick(2) === 0 ? 0 : max + 1 }, () => item)),
  })
}
