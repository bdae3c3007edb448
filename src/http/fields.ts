/** Readers of the fields of small bodies. Every problem is reported at its place, all at once. */
import { isObject, type JsonObject } from '../core/json.ts'
import type { WireError } from '../core/rule.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { describeValue, given } from '../core/text.ts'
import { badLength, notConvertible, notNumber, numberMax, numberMin, oneOf, required } from '../core/wire.ts'
import { isPermissionBits } from '../permission/bits.ts'
import type { ErrorNode } from '../reference/error-body.ts'

/** A value that was read, or its errors. */
export type Read<T> = { readonly value: T } | { readonly errors: ErrorNode }

/** Reads a value of a body. */
export type Field<T> = (value: unknown) => Read<T>

type Fields = { readonly [name: string]: Field<unknown> }

/** The values of fields; an absent field is absent. */
export type ValuesOf<Own extends Fields> = {
  readonly [Name in keyof Own]?: ValueOf<Own[Name]>
}

/** The value that a field reads. */
export type ValueOf<Own extends Field<unknown>> = Own extends Field<infer T> ? T : never

export function fault(error: WireError): { readonly errors: ErrorNode } {
  return { errors: { _errors: [error] } }
}

/** A string of so many characters. */
export function text(min: number, max: number): Field<string> {
  return (value) => {
    if (typeof value !== 'string') return fault(notConvertible('string')({ actual: describeValue(value) }))
    const { length } = [...value]
    return length < min || length > max ? fault(badLength(min, max)) : { value }
  }
}

export function integer(min: number, max: number): Field<number> {
  return (value) => {
    if (!Number.isInteger(value)) return fault(notNumber(given(value), 'int'))
    const number = value as number
    if (number < min) return fault(numberMin('int', min))
    return number > max ? fault(numberMax('int', max)) : { value: number }
  }
}

export function oneOfNumbers<T extends number>(...values: readonly T[]): Field<T> {
  return (value) => (values.includes(value as T) ? { value: value as T } : fault(oneOf(values)))
}

export const flag: Field<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : fault(notConvertible('boolean')({ actual: describeValue(value) }))

/** An id: libraries also send numbers. */
export const id: Field<string> = (value) => {
  const digits = Number.isSafeInteger(value) ? String(value) : value
  return isSnowflake(digits) ? { value: digits } : fault(notNumber(given(value), 'snowflake'))
}

/** A set of permissions as decimal digits. */
export const bits: Field<string> = (value) => {
  const digits = Number.isSafeInteger(value) ? String(value) : value
  return isPermissionBits(digits)
    ? { value: String(digits) }
    : fault({ code: 'BASE_TYPE_INVALID', message: 'Expected a set of permissions in decimal digits.' })
}

/** A time as ISO 8601. */
export const time: Field<string> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? { value: new Date(value).toISOString() }
    : fault({ code: 'DATE_TIME_TYPE_PARSE', message: `Could not parse ${describeValue(value)} as ISO 8601.` })

export function orNull<T>(field: Field<T>): Field<T | null> {
  return (value) => (value === null ? { value } : field(value))
}

export function listOf<T>(field: Field<T>, min = 0, max = Infinity): Field<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value))
      return fault({ code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' })
    if (value.length < min || value.length > max) return fault(badLength(min, max))
    const read = value.map(field)
    const errors = read.flatMap((one, index) => ('errors' in one ? [[index, one.errors]] : []))
    if (errors.length > 0) return { errors: Object.fromEntries(errors) }
    return { value: read.flatMap((one) => ('value' in one ? [one.value] : [])) }
  }
}

/** An object with these fields; other fields are ignored. */
export function record<const Own extends Fields>(
  fields: Own,
  needed: readonly (keyof Own & string)[] = [],
): Field<ValuesOf<Own>> {
  return (value) => {
    if (!isObject(value))
      return fault({ code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' })
    const errors: { [name: string]: ErrorNode } = {}
    const values: { [name: string]: unknown } = {}
    for (const [name, field] of Object.entries(fields)) {
      const own = (value as JsonObject)[name]
      if (own === undefined && needed.includes(name)) errors[name] = fault(required).errors
      if (own === undefined) continue
      const read = field(own)
      if ('errors' in read) errors[name] = read.errors
      else values[name] = read.value
    }
    return Object.keys(errors).length > 0 ? { errors } : { value: values as ValuesOf<Own> }
  }
}
