/** Kinds of rules about the values in an answer. */
import { inRange, memberOf, type OutOfRange } from '../command/number-kinds.ts'
import { namedNumbers } from '../command/types.ts'
import { allowed, listLength, textLength, type Actual } from '../core/length.ts'
import { rule } from '../core/rule.ts'
import { listed } from '../core/text.ts'
import { maxLength, required } from '../core/wire.ts'

export const CLAUSE = '2.11-09'

/** A rule that a text has `min` to `max` characters. */
export function answerTextLength<const Code extends string>(code: Code, what: string, max: number, min = 0) {
  return rule({
    code,
    clause: CLAUSE,
    summary: `${what} has ${allowed(max, min)} characters.`,
    ...textLength(max, min, 'at least 1 character is needed'),
  })
}

/** A rule that a text has `min` to `max` characters without the white space around it. A blank text counts as missing. */
export function answerTrimmedLength<const Code extends string>(
  code: Code,
  what: string,
  max: number,
  min = 0,
) {
  const length = textLength(max, min, 'at least 1 character that is not white space is needed')
  return rule({
    code,
    clause: CLAUSE,
    summary: `${what} has ${allowed(max, min)} characters, without the white space around it.`,
    ...length,
    check: (text: string) => length.check(text.trim()),
    wire: ({ actual }: Actual) => (actual === 0 ? required : maxLength(max)),
  })
}

/** A rule that a list has `min` to `max` items. */
export function answerListLength<const Code extends string>(
  code: Code,
  what: string,
  item: string,
  max: number,
  min = 0,
) {
  return rule({
    code,
    clause: CLAUSE,
    summary: `${what} has ${allowed(max, min)} ${item}s.`,
    ...listLength(`${item}s`, max, min),
  })
}

/** A rule that a whole number is from `min` to `max`. */
export function answerRange<const Code extends string>(code: Code, what: string, min: number, max: number) {
  const range = { min, max, integer: true }
  return rule({
    code,
    clause: CLAUSE,
    limit: { min, max },
    summary: `${what} is a number from ${min} to ${max}.`,
    ...inRange,
    check: (value: number): OutOfRange | undefined => inRange.check(value, range),
  })
}

/** A rule that a value is one of an enumeration of numbers. */
export function answerMember<const Code extends string>(
  code: Code,
  what: string,
  members: Readonly<Record<string, number>>,
) {
  return rule({
    code,
    clause: CLAUSE,
    summary: `${what} is ${listed(namedNumbers(members), 'or')}.`,
    ...memberOf(members),
  })
}
