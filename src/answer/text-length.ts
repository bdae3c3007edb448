/** Rules about the length of a text in an answer. */
import { rule, type Rule } from '../core/rule.ts'
import { counted, countCharacters, fits } from '../core/text.ts'
import { badLength, maxLength } from '../core/wire.ts'

/** A rule that a text has `min` to `max` characters. `breaks` gets a text that is too short or too long. */
/* @__NO_SIDE_EFFECTS__ */
export function textLength<const Code extends string>(
  code: Code,
  what: string,
  min: number,
  max: number,
  breaks: (text: string) => { readonly body: object; readonly path: readonly (string | number)[] },
): Rule<Code, { actual: number }, [text: string]> {
  return rule({
    code,
    clause: '2.11-09',
    limit: min === 0 ? { max } : { min, max },
    summary: `${what} has ${min === 0 ? `at most ${max}` : `${min} to ${max}`} characters.`,
    on: 'callback',
    check: (text: string) =>
      fits(text, max) && text.length >= min ? undefined : { actual: countCharacters(text) },
    message: ({ actual }: { actual: number }) =>
      actual < min
        ? `is empty; at least ${counted(min, 'character')} is needed`
        : `has ${counted(actual, 'character')}; at most ${max} are allowed`,
    wire: min === 0 ? maxLength(max) : badLength(min, max),
    breaks: (_, pick) => breaks(min > 0 && pick(2) === 0 ? '' : 'x'.repeat(max + 1)),
  })
}
