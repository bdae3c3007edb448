/** Readers of the fields of requests about servers. */
import { listOf, nullable, optional, orNull, valueOf, type Reader } from '../../core/rules/readers.ts'
import { Report } from '../../core/rules/report.ts'
import { rule, type Rule, type WireError } from '../../core/rules/rule.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { countCharacters, describeValue } from '../../core/text.ts'
import { badLength, numberMax, numberMin, mustBeOneOf } from '../../core/rules/wire-errors.ts'
import { isPermissionBits } from '../../model/permission-bits.ts'
import { ruleOf } from '../../reference/catalogue.ts'
import { errorTree } from '../../reference/error-body.ts'
import { Refused } from '../refusals.ts'

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

const anyBounded = bounded(() => undefined)

/** @throws Refused 50035 with every problem */
export function readFields<T>(fields: Reader<T>, body: unknown): T {
  const report = new Report()
  const value = fields(report, body)
  if (report.errors.length === 0) return value!
  const findRule = (code: string) => (code === anyBounded.code ? anyBounded : ruleOf(code))
  throw new Refused('invalid', '', { errors: errorTree(report.errors, findRule) })
}

export function textBetween(min: number, max: number): Reader<string> {
  const hasLength = bounded((value: string) => {
    const length = countCharacters(value)
    return length < min || length > max ? badLength(min, max) : undefined
  })
  return valueOf(shape.string, hasLength)
}

export function integerIn(min: number, max: number): Reader<number> {
  const isInRange = bounded((value: number) => {
    if (value < min) return numberMin('int', min)
    return value > max ? numberMax('int', max) : undefined
  })
  return valueOf(shape.integer, isInRange)
}

export function aNumberOf<T extends number>(...values: readonly T[]): Reader<T> {
  return valueOf<T>(bounded((value) => (values.includes(value as T) ? undefined : mustBeOneOf(values))))
}

export const bodyFlag = valueOf(shape.boolean)

/** Libraries also send numbers. */
function orInteger(read: Reader<string>): Reader<string> {
  return (report, value) => read(report, Number.isInteger(value) ? String(value) : value)
}

export const bodyId = orInteger(valueOf(shape.snowflake))

export function idList(min: number, max: number): Reader<readonly string[]> {
  const hasLength = bounded(({ length }: readonly unknown[]) =>
    length < min || length > max ? badLength(min, max) : undefined,
  )
  return listOf(bodyId, hasLength, max)
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
export const bodyTime: Reader<string> = (report, value) =>
  report.check(isTime, value) ? new Date(value as string).toISOString() : undefined

const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,([A-Za-z\d+/]+)={0,2}$/

const isImage = bounded((value) =>
  // No bytes have one digit more than whole groups of four.
  typeof value === 'string' && (IMAGE.exec(value)?.[1]?.length ?? 1) % 4 !== 1
    ? undefined
    : {
        code: 'IMAGE_INVALID',
        message: 'Expected an image as a data URI, such as data:image/png;base64,...',
      },
)

/** A flag of a query. */
export const isTrue = nullable((_, value) => value === 'true' || value === 1)

/** An image as a data URI. */
export const image = valueOf<string>(isImage)

/** An image, or null for none, or absent. */
export const orNoImage = optional(orNull(image))

/** Whether an image is one of those whose hash begins with `a_`. */
export function isAnimated(data: string): boolean {
  return data.startsWith('data:image/gif')
}
