/** Reads the parts of a message by tables of their fields. */
import type { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { form } from '../core/form.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { rule, type Rule, type TypeRule } from '../core/rule.ts'
import { given, listed, quoted, type Given } from '../core/text.ts'
import { CLAUSE } from './limits.ts'

/** Reads the value at the current path. */
export type ReadField = (reading: Reading, value: unknown) => void

/** How each field of an object is read; other fields are ignored. */
export type Fields = Readonly<Record<string, ReadField>>

export const messagePart: TypeRule<JsonObject, 'message.part'> = rule({
  code: 'message.part',
  clause: CLAUSE,
  summary: 'Embeds, components and the other parts of a message are objects.',
  ...form(isObject, 'expected an object'),
  wire: { code: 'MODEL_TYPE_CONVERT', message: 'Only dictionaries may be used in a ModelType' },
})

/** Reads the fields of the object at the current path. Null counts as absent. */
export function readFields(
  reading: Reading,
  source: JsonObject,
  fields: Fields,
  required: readonly string[] = [],
): void {
  for (const key in fields) {
    const value = source[key]
    if (value !== undefined && value !== null) reading.at(key, fields[key]!, value)
    else if (required.includes(key)) reading.at(key, () => reading.check(shape.present, value))
  }
}

/** A value that rules are about: a broken one hides those that follow it. */
export function by(...rules: readonly Rule<string, any, [value: any]>[]): ReadField {
  return (reading, value) => void rules.every((one) => reading.check(one, value))
}

/** A text with a limit. */
export function text(limit: Rule<string, any, [text: string]>): ReadField {
  return by(shape.string, limit)
}

/** A whole number with a limit. */
export function integer(limit: Rule<string, any, [value: number]>): ReadField {
  return by(shape.integer, limit)
}

/** An object with fields of its own. */
export function part(fields: Fields, ...required: readonly string[]): ReadField {
  return (reading, value) => {
    if (reading.check(messagePart, value)) readFields(reading, value, fields, required)
  }
}

/** A list. Its items are read up to the limit. */
export function listOf(
  length: Rule<string, any, [list: readonly unknown[]]>,
  item: ReadField,
  most = Number(length.limit?.max),
): ReadField {
  return (reading, value) => {
    if (!reading.check(shape.list, value)) return
    reading.check(length, value)
    reading.items(value, most, item)
  }
}

/** An id. Clients in languages with large integers send it as a number. */
export const readId: ReadField = (reading, value) => {
  if (!Number.isInteger(value)) reading.check(shape.snowflake, value)
}

// --- Addresses ------------------------------------------------------------------------------------------------

export interface Address {
  readonly url: Given
  readonly schemes: readonly string[]
}

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/[^\s/?#][^\s]*$/i

/** Builders send an empty text for an unset address. */
export const messageUrl = rule({
  code: 'message.url',
  clause: CLAUSE,
  summary: 'An address in a message is absolute, with the scheme http or https, or another one of its field.',
  check: (url: string, schemes: readonly string[]): Address | undefined =>
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

/** An address with one of these schemes. */
export function address(...schemes: readonly string[]): ReadField {
  return (reading, value) => {
    if (reading.check(shape.string, value)) reading.check(messageUrl, value, schemes)
  }
}

/** A picture or file on the web, or one of the message. */
export const media = part({ url: address('http', 'https', 'attachment') }, 'url')

/** Rules about parts of any kind. */
export const fieldRules = [messagePart, messageUrl] as const
