/** Kinds of rules: what rules about the form, the length or the range of a value have in common, and their fixes. */
import { valueAt } from '../json.ts'
import { rule, type Edit, type Breach, type Range, type WireError } from './rule.ts'
import {
  counted,
  describeValue,
  fits,
  given,
  isInvisible,
  lengthOf,
  listed,
  plural,
  type ParamValue,
  quoted,
} from '../text.ts'
import { badLength, maxLength, numberMax, numberMin, oneOfNumbers, unique } from './wire-errors.ts'

// --- Forms ----------------------------------------------------------------------------------------------------

/** A value that is not what was expected. */
export interface Found {
  /** In words. */
  readonly actual: string
  /** The value itself, shortened, for the wire. */
  readonly given: ParamValue
}

export function found(value: unknown): Found {
  return { actual: describeValue(value), given: given(value) }
}

/**
 * A value has a form: check and message, to spread into a record.
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

// --- Lengths --------------------------------------------------------------------------------------------------

/** The number of items or characters. */
export interface Actual {
  readonly actual: number
}

export interface TextLength extends Actual {
  /** Given for a text that counts as empty. */
  readonly isBlank?: true
}

/** How many of something are allowed: `at most 5`, `1 to 5`. */
function allowed(max: number, min: number): string {
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}

function between(min: number, max: number) {
  return {
    limit: min === 0 ? { max } : { min, max },
    wire: min === 0 ? maxLength(max) : badLength(min, max),
  }
}

/** What every kind of rule begins with. */
interface RuleSubject<Code extends string> {
  readonly code: Code
  readonly clause: string
  /** Begins the summary. */
  readonly subject: string
}

/** How many characters or items are allowed. */
interface Bounds {
  readonly max: number
  /** Default: 0 */
  readonly min?: number
}

export interface TextRule<Code extends string> extends RuleSubject<Code>, Bounds {
  /** Follows "is empty; ", if `min` is above 0. Default: that one character is needed */
  readonly remedy?: string
  /** Whether a text of white space and invisible characters counts as empty (clause 2.1-26). */
  readonly isVisible?: boolean
}

/** A rule that a text has `min` to `max` characters. The subject has its verb: `The name of a choice has`. */
/* @__NO_SIDE_EFFECTS__ */
export function textRule<const Code extends string>({
  code,
  clause,
  subject,
  max,
  min = 0,
  remedy = 'at least 1 character is needed',
  isVisible = false,
}: TextRule<Code>) {
  return rule({
    code,
    clause,
    summary: `${subject} ${allowed(max, min)} characters.`,
    ...between(min, max),
    about: 'text',
    check(text: string): TextLength | undefined {
      if (isVisible && isInvisible(text)) return { actual: 0, isBlank: true }
      return text.length >= min && fits(text, max) ? undefined : { actual: lengthOf(text) }
    },
    message: ({ actual, isBlank: blank }: TextLength) =>
      actual < min
        ? `${blank ? 'has only white space or invisible characters, which counts as empty' : 'is empty'}; ${remedy}`
        : `has ${counted(actual, 'character')}; at most ${max} are allowed`,
  })
}

export interface ListRule<Code extends string> extends RuleSubject<Code>, Bounds {
  /** One of the items in words, in the singular. */
  readonly item: string
  /** Ends the message. */
  readonly advice?: string
}

/** A rule that a list has `min` to `max` items. The subject has its verb: `An option has`. */
/* @__NO_SIDE_EFFECTS__ */
export function listRule<const Code extends string>({
  code,
  clause,
  subject,
  item,
  max,
  min = 0,
  advice = '',
}: ListRule<Code>) {
  return rule({
    code,
    clause,
    summary: `${subject} ${allowed(max, min)} ${plural(item)}.`,
    ...between(min, max),
    check: ({ length }: readonly unknown[]): Actual | undefined =>
      length >= min && length <= max ? undefined : { actual: length },
    message: ({ actual }: Actual) =>
      `has ${counted(actual, item)}; ${allowed(max, min)} are allowed${advice}`,
  })
}

// --- Ranges ---------------------------------------------------------------------------------------------------

export interface OutOfRange extends Range {
  readonly value: number
}

/** A number is inside a range: to spread into a record. */
export const inRange = {
  check: (value: number, range: Range): OutOfRange | undefined =>
    value >= range.min && value <= range.max ? undefined : { value, ...range },
  message: ({ value, min, max }: OutOfRange) => `is ${value}; expected a number from ${min} to ${max}`,
  wire: ({ value, min, max, integer }: OutOfRange): WireError => {
    const type = integer ? 'int' : 'float'
    return value > max ? numberMax(type, max) : numberMin(type, min)
  },
}

export interface RangeRule<Code extends string> extends RuleSubject<Code>, Required<Bounds> {}

/** A rule that a number is in a range: `The color of an embed`. */
/* @__NO_SIDE_EFFECTS__ */
export function rangeRule<const Code extends string>({ code, clause, subject, min, max }: RangeRule<Code>) {
  return rule({
    code,
    clause,
    limit: { min, max },
    summary: `${subject} is a number from ${min} to ${max}.`,
    ...inRange,
    check: (value: number): OutOfRange | undefined => inRange.check(value, { min, max, integer: true }),
  })
}

// --- Enumerations ---------------------------------------------------------------------------------------------

type Members = Readonly<Record<string, number>>

/** The numbers of an enumeration with their names: `1 CHAT_INPUT`. */
/* @__NO_SIDE_EFFECTS__ */
export function namedNumbers(members: Members): readonly string[] {
  return Object.entries(members).map(([name, value]) => `${value} ${name}`)
}

/** A value is one of an enumeration of numbers: to spread into a record. */
export function oneOfMembers(members: Members, advice = `expected ${listed(namedNumbers(members), 'or')}`) {
  const values = Object.values(members)
  return { ...form((value) => values.includes(value), advice), wire: oneOfNumbers(values) }
}

/* @__NO_SIDE_EFFECTS__ */
export function memberRule<const Code extends string>({
  code,
  clause,
  subject,
  members,
}: RuleSubject<Code> & { readonly members: Members }) {
  const summary = `${subject} is ${listed(namedNumbers(members), 'or')}.`
  return rule({ code, clause, summary, ...oneOfMembers(members) })
}

/** A value is the number of a type: to spread into a record. The message and the fix know the names of the types. */
export function typeIn(types: Members) {
  const advice = (given: unknown) => {
    const named = typeNamed(types, given)
    return named === undefined
      ? `the types are ${namedNumbers(types).join(', ')}`
      : `write the number ${named}`
  }
  return {
    ...oneOfMembers(types),
    message: ({ actual, given }: Found) => `is ${actual}; ${advice(given)}`,
    fix: replaceValue((type) => typeNamed(types, type)),
  }
}

/** The type that a text names: `'3'`, `'STRING'`, or `'String'` as in discord.js; else `undefined`. */
function typeNamed(types: Members, given: unknown): number | undefined {
  if (typeof given !== 'string') return undefined
  const plain = (text: string) => text.replaceAll('_', '').toUpperCase()
  return Object.entries(types).find(
    ([name, type]) => given === String(type) || plain(given) === plain(name),
  )?.[1]
}

/** The items of a list differ from one another: to spread into a record. */
export const distinctItems = {
  check: (list: readonly unknown[], index: number) =>
    list.indexOf(list[index]) === index ? undefined : { value: given(list[index]) },
  message: ({ value }: { value: ParamValue }) =>
    `is ${typeof value === 'string' ? quoted(value) : String(value)} a second time`,
  fix: removeValue,
  wire: unique,
}

interface NumbersIn<Field extends string> {
  readonly members: Members
  readonly field: Field
  readonly clause: string
  /** The items in words, for the summaries. */
  readonly subject?: string
  /** What the items are, in words. */
  readonly known?: string
  /** For the message. */
  readonly advice?: string
}

/** The rules of a list of enumerated numbers: every item is one of them, and is given once. */
/* @__NO_SIDE_EFFECTS__ */
export function numbersIn<const Field extends string>({
  members,
  field,
  clause,
  subject = `The entries of \`${field}\``,
  known = listed(namedNumbers(members)),
  advice,
}: NumbersIn<Field>) {
  return {
    known: rule({
      code: `${field}.known` as const,
      clause,
      summary: `${subject} are ${known}.`,
      ...oneOfMembers(members, advice),
    }),
    repeated: rule({
      code: `${field}.repeated` as const,
      clause,
      summary: `${subject} differ from one another.`,
      ...distinctItems,
    }),
  }
}

// --- Fixes: each proposes edits, or none if it does not apply --------------------------------------------------

/** Removes the value at the path of the issue. */
export function removeValue(_: unknown, { path }: Breach<unknown>): readonly Edit[] {
  return [{ op: 'remove', path }]
}

/** Removes another field of the object that holds the value of the issue. */
/* @__NO_SIDE_EFFECTS__ */
export function removeField(field: string): (body: unknown, fault: Breach<unknown>) => readonly Edit[] {
  return (_, { path }) => [{ op: 'remove', path: [...path.slice(0, -1), field] }]
}

/** Renames the key of the issue to the suggested name, if the object does not have it. */
export function renameToSuggestion(
  body: unknown,
  { path, params: { suggestion } }: Breach<{ readonly suggestion: string | null }>,
): readonly Edit[] {
  const parent = valueAt(body, path.slice(0, -1))
  if (suggestion === null || typeof parent !== 'object' || parent === null) return []
  if (Object.hasOwn(parent, suggestion)) return []
  return [{ op: 'rename', path, to: suggestion }]
}

/**
 * Replaces the value at the path of the issue.
 *
 * @param replace returns the new value; `undefined` if only the author can choose it
 */
/* @__NO_SIDE_EFFECTS__ */
export function replaceValue(
  replace: (value: unknown) => string | number | undefined,
): (body: unknown, fault: Breach<unknown>) => readonly Edit[] {
  return (body, { path }) => {
    const value = replace(valueAt(body, path))
    return value === undefined ? [] : [{ op: 'set', path, value }]
  }
}

/** The number in a text; `undefined` for other values and other texts. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?$/.test(value))
    return undefined
  const number = Number(value)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number
}
