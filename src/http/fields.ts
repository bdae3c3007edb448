/** Readers of the fields of requests about servers. */
import { listOf, valueOf, type Reader } from '../command/readers.ts'
import { rule, type Rule, type WireError } from '../core/rule.ts'
import * as shape from '../command/shape.ts'
import { countCharacters, describeValue } from '../core/text.ts'
import { badLength, numberMax, numberMin, oneOf } from '../core/wire.ts'
import { isPermissionBits } from '../command/permission-bits.ts'

/** A rule about a field whose params are the error of the response. */
function bounded<Value>(
  errorOf: (value: Value) => WireError | undefined,
): Rule<'request.field', WireError, [value: Value]> {
  return rule({
    code: 'request.field',
    clause: '',
    summary: 'The fields of requests about servers are in the bounds of the service.',
    check: errorOf,
    message: ({ message }) => message,
    wire: (error) => error,
  })
}

/** Any rule of its code, for error bodies. */
export const requestField = bounded(() => undefined)

export function text(min: number, max: number): Reader<string> {
  const hasLength = bounded((value: string) => {
    const length = countCharacters(value)
    return length < min || length > max ? badLength(min, max) : undefined
  })
  return valueOf(shape.string, hasLength)
}

export function integer(min: number, max: number): Reader<number> {
  const isInRange = bounded((value: number) => {
    if (value < min) return numberMin('int', min)
    return value > max ? numberMax('int', max) : undefined
  })
  return valueOf(shape.integer, isInRange)
}

export function oneOfNumbers<T extends number>(...values: readonly T[]): Reader<T> {
  return valueOf<T>(bounded((value) => (values.includes(value as T) ? undefined : oneOf(values))))
}

export const flag = valueOf(shape.boolean)

/** Libraries also send numbers. */
function orInteger(read: Reader<string>): Reader<string> {
  return (report, value) => read(report, Number.isInteger(value) ? String(value) : value)
}

export const id = orInteger(valueOf(shape.snowflake))

export function ids(min: number, max: number): Reader<readonly string[]> {
  const hasLength = bounded(({ length }: readonly unknown[]) =>
    length < min || length > max ? badLength(min, max) : undefined,
  )
  return listOf(id, hasLength, max)
}

const isBits = bounded((value) =>
  isPermissionBits(value)
    ? undefined
    : { code: 'BASE_TYPE_INVALID', message: 'Expected a set of permissions in decimal digits.' },
)

export const bits = orInteger(valueOf<string>(isBits))

const isTime = bounded((value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? undefined
    : { code: 'DATE_TIME_TYPE_PARSE', message: `Could not parse ${describeValue(value)} as ISO 8601.` },
)

/** A time as ISO 8601. */
export const time: Reader<string> = (report, value) =>
  report.check(isTime, value) ? new Date(value as string).toISOString() : undefined
