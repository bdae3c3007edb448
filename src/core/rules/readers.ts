/** Readers of values, from which the readers of larger bodies are made. They report every problem at its path. */
import type { JsonObject } from '../json.ts'
import type { Report, ReportedRule } from './report.ts'
import type { TypeRule } from './rule.ts'

import * as shape from './shape-rules.ts'

/** Reads the value at the current path. Returns undefined for an invalid one. */
export type Reader<T = unknown> = (report: Report, value: unknown) => T | undefined

export type Readers = Readonly<Record<string, Reader>>

/** The values of an object's fields; an absent field is absent. */
export type ValuesOf<Own extends Readers> = {
  readonly [Name in keyof Own]?: Own[Name] extends Reader<infer T> ? T : never
}

/** A value of a type, about which there are further rules. A broken rule hides those that follow it. */
export function valueOf<T>(
  type: TypeRule<T>,
  ...rules: readonly ReportedRule<any, [value: any]>[]
): Reader<T> {
  return (report, value) =>
    report.check(type, value) && rules.every((rule) => report.check(rule, value)) ? value : undefined
}

/** A list. Items after the largest number of items are not read. */
export function listOf<T>(
  item: Reader<T>,
  length?: ReportedRule<any, [list: readonly unknown[]]>,
  max = Infinity,
): Reader<readonly T[]> {
  return (report, value) => {
    if (!report.check(shape.list, value)) return undefined
    if (length !== undefined) report.check(length, value)
    return report.items(value, max, item) as readonly T[]
  }
}

interface ObjectForm<Name> {
  readonly required?: readonly Name[]
  /** Whether null counts as absent. */
  readonly omitsNull?: boolean
  readonly type?: TypeRule<JsonObject>
  /** The rule about keys without a reader. Default: they are ignored. */
  readonly unknownKey?: ReportedRule<any, [key: string, known: readonly string[]]>
}

/** An object with these fields. */
export function objectOf<const Own extends Readers>(
  fields: Own,
  { required = [], omitsNull = false, type = shape.object, unknownKey }: ObjectForm<keyof Own & string> = {},
): Reader<ValuesOf<Own>> {
  const known = Object.keys(fields)
  return (report, body) => {
    if (!report.check(type, body)) return undefined
    const values: Record<string, unknown> = {}
    for (const key of known) {
      const value = body[key]
      if (value !== undefined && !(omitsNull && value === null))
        values[key] = report.at(key, fields[key]!, value)
      else if (required.includes(key)) report.at(key, () => report.check(shape.present, value))
    }
    if (unknownKey !== undefined)
      for (const key of Object.keys(body)) report.at(key, () => report.check(unknownKey, key, known))
    return values as ValuesOf<Own>
  }
}

/** A value or null. */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (report, value) => (value === null ? null : read(report, value))
}
