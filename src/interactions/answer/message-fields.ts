/** What the rules and the readers of the parts of a message share. */
import {
  listOf,
  objectOf,
  partial,
  nullable,
  valueOf,
  type FieldReader,
  type Reader,
  type Readers,
} from '../../core/rules/readers.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { form } from '../../core/rules/rule-kinds.ts'
import type { Report } from '../../core/rules/report.ts'
import { warning, type Rule, type TypeRule } from '../../core/rules/rule.ts'
import { given, listed, quoted } from '../../core/text.ts'
import { notModel } from '../../core/rules/wire-errors.ts'
import { answerRule } from './answer-rule.ts'

export const messagePart: TypeRule<JsonObject, 'message.part'> = answerRule({
  code: 'message.part',
  summary: 'Embeds, components and the other parts of a message are objects.',
  ...form(isObject, 'expected an object'),
  wire: notModel,
})

export const converted = warning({
  code: 'answer.converted',
  clause: '2.11-16',
  summary:
    'A text of an answer is a string, and a whole number is a number; Discord takes one for the other.',
  check: (value: unknown, meant: unknown) => (value === meant ? undefined : { value: given(value), meant }),
  message: ({ value, meant }) =>
    typeof meant === 'string'
      ? `is the number ${meant}, which Discord takes as the text "${meant}"; write it in quotes, as typed libraries demand`
      : `is the text ${quoted(String(value))}, which Discord takes as the number ${meant}; write it without quotes, as typed libraries demand`,
})

/** Puts what Discord understands in the place of a value, with a note. */
function understood<T>(report: Report, value: unknown, meant: T, body: JsonObject): T {
  report.check(converted, value, meant)
  ;(body as Record<string, unknown>)[report.path.at(-1)!] = meant
  return meant
}

/** What Discord takes as a text: also a whole number. */
function asText(report: Report, value: unknown, body: JsonObject): unknown {
  return Number.isInteger(value) ? understood(report, value, String(BigInt(value as number)), body) : value
}

/** What Discord takes as a whole number: also its digits. */
function asInteger(report: Report, value: unknown, body: JsonObject): unknown {
  const isDigits = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value)
  return isDigits ? understood(report, value, Number(value), body) : value
}

/** A text, put into the body as it is meant. */
export function textIn(limit: Rule<string, any, [text: string]>): FieldReader<string> {
  const read = valueOf(shape.string, limit)
  return (report, value, _, body) => read(report, asText(report, value, body))
}

/** A whole number, put into the body as it is meant. */
export function wholeNumber(...limit: readonly Rule<string, any, [value: number]>[]): FieldReader<number> {
  const read = valueOf(shape.integer, ...limit)
  return (report, value, _, body) => read(report, asInteger(report, value, body))
}

/** The names of suggestions, put into them as they are meant. */
export function readNames(report: Report, choices: readonly unknown[]): void {
  for (const [index, choice] of choices.entries())
    if (isObject(choice)) report.at([index, 'name'], () => asText(report, choice.name, choice))
}

/** An object with fields of its own. Null counts as absent. */
export function part<const Own extends Readers, const Required extends keyof Own & string = never>(
  fields: Own,
  ...required: readonly Required[]
) {
  const needed = Object.fromEntries(required.map((name) => [name, fields[name]])) as Pick<Own, Required>
  const others = partial(nullable, fields)
  return objectOf<typeof others & typeof needed>({ ...others, ...needed }, { type: messagePart })
}

/** A list, which is read up to its limit. */
export function listIn<T>(
  length: Rule<string, any, [list: readonly unknown[]]>,
  item: Reader<T>,
  max = Number(length.limit?.max),
) {
  return listOf(item, length, max)
}

/** An id. Clients in languages with large integers send it as a number. */
export const readId: Reader = (report, value) =>
  Number.isInteger(value) || report.check(shape.snowflake, value) ? value : undefined

// --- Addresses ------------------------------------------------------------------------------------------------

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/[^\s/?#][^\s]*$/i

/** Builders send an empty text for an unset address. */
export const messageUrl = answerRule({
  code: 'message.url',
  summary: 'An address in a message is absolute, with the scheme http or https, or another one of its field.',
  check: (url: string, schemes: readonly string[]) =>
    url === '' || schemes.includes(schemeOf(url)) ? undefined : { url: given(url), schemes },
  message: ({ url, schemes }) =>
    `is ${quoted(String(url))}; expected an address that begins with ${listed(
      schemes.map((scheme) => `${scheme}://`),
      'or',
    )}`,
  wire: ({ url, schemes }) =>
    schemeOf(String(url)) === ''
      ? { code: 'URL_TYPE_INVALID_URL', message: 'Not a well formed URL.' }
      : {
          code: 'URL_TYPE_INVALID_SCHEME',
          message: `Scheme "${schemeOf(String(url))}" is not supported. Scheme must be one of (${schemes.map((one) => `'${one}'`).join(', ')}).`,
        },
})

function schemeOf(url: string): string {
  return ADDRESS.exec(url.trim())?.[1]?.toLowerCase() ?? ''
}

export function address(...schemes: readonly string[]): Reader<string> {
  return (report, value) =>
    report.check(shape.string, value) && report.check(messageUrl, value, schemes) ? value : undefined
}

/** A picture or file on the web, or one of the message. */
export const media = part({ url: address('http', 'https', 'attachment') }, 'url')

/** Rules about parts of any kind. */
export const fieldRules = [messagePart, messageUrl, converted] as const
