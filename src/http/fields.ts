/** Readers of the fields of requests about servers. */
import { valueOf, type Reader } from '../command/readers.ts'
import type { Report } from '../core/report.ts'
import * as shape from '../command/shape.ts'
import { rule, type WireError } from '../core/rule.ts'
import { countCharacters, describeValue } from '../core/text.ts'
import { badLength, numberMax, numberMin, oneOf } from '../core/wire.ts'
import { isPermissionBits } from '../command/permission-bits.ts'

/** A field is in the bounds of this service. Its params are the error of the response. */
export const requestField = rule({
  code: 'request.field',
  clause: '',
  summary: 'The fields of requests about servers are in the bounds of the service.',
  check: (error: WireError | null) => error ?? undefined,
  message: ({ message }) => message,
  wire: (error) => error,
})

function accept<T>(report: Report, value: T, error: WireError | null): T | undefined {
  return report.check(requestField, error) ? value : undefined
}

export function text(min: number, max: number): Reader<string> {
  return (report, value) => {
    if (!report.check(shape.string, value)) return undefined
    const length = countCharacters(value)
    return accept(report, value, length < min || length > max ? badLength(min, max) : null)
  }
}

export function integer(min: number, max: number): Reader<number> {
  return (report, value) => {
    if (!report.check(shape.integer, value)) return undefined
    if (value < min) return accept(report, value, numberMin('int', min))
    return accept(report, value, value > max ? numberMax('int', max) : null)
  }
}

export function oneOfNumbers<T extends number>(...values: readonly T[]): Reader<T> {
  return (report, value) => accept(report, value as T, values.includes(value as T) ? null : oneOf(values))
}

export const flag = valueOf(shape.boolean)

/** Libraries also send numbers. */
function digitsOf(value: unknown): unknown {
  return Number.isInteger(value) ? String(value) : value
}

export const id: Reader<string> = (report, value) => {
  const digits = digitsOf(value)
  return report.check(shape.snowflake, digits) ? digits : undefined
}

export function ids(min: number, max: number): Reader<readonly string[]> {
  return (report, value) => {
    if (!report.check(shape.list, value)) return undefined
    const { length } = value
    if (length < min || length > max) return accept(report, [], badLength(min, max))
    return report.items(value, max, id) as readonly string[]
  }
}

export const bits: Reader<string> = (report, value) => {
  const digits = digitsOf(value)
  const isValid = isPermissionBits(digits)
  const message = 'Expected a set of permissions in decimal digits.'
  return accept(report, String(digits), isValid ? null : { code: 'BASE_TYPE_INVALID', message })
}

/** A time as ISO 8601. */
export const time: Reader<string> = (report, value) => {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : NaN
  if (!Number.isNaN(milliseconds)) return new Date(milliseconds).toISOString()
  const message = `Could not parse ${describeValue(value)} as ISO 8601.`
  return accept(report, '', { code: 'DATE_TIME_TYPE_PARSE', message })
}
