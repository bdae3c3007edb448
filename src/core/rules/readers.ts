/**
 * Readers: what is right about a value. The report that a reader is given decides what becomes of a problem:
 * a `Report` collects issues, `demand` throws a TypeError for the first one.
 */
import { isObject, jsonValue, ownField, type JsonObject } from '../json.ts'
import type { Report, ReportedRule } from './report.ts'
import type { TypeRule } from './rule.ts'
import * as shape from './shape-rules.ts'

/** Reads the value at the current path. Returns what is kept of it; undefined for nothing. */
export type Reader<T = unknown, In extends Report = Report> = (report: In, value: unknown) => T | undefined

/** Reads a field whose rules depend on fields read before it (`whole`) or on others as they were given (`body`). */
export type FieldReader<T = unknown, In extends Report = any, Whole = any> = (
  report: In,
  value: unknown,
  whole: Whole,
  body: JsonObject,
) => T | undefined

// --- Values ---------------------------------------------------------------------------------------------------

/** A value of a type, about which there are further rules. A broken rule hides those that follow it. */
/* @__NO_SIDE_EFFECTS__ */
export function valueOf<T>(
  type: TypeRule<T>,
  ...rules: readonly ReportedRule<any, [value: any]>[]
): Reader<T> {
  // Most values have no further rules, and options are read at every call.
  if (rules.length === 0) return (report, value) => (report.check(type, value) ? value : undefined)
  return (report, value) =>
    report.check(type, value) && rules.every((rule) => report.check(rule, value)) ? value : undefined
}

/** A list. Items after the largest number of items are not read. */
/* @__NO_SIDE_EFFECTS__ */
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

/** A value or null. */
/* @__NO_SIDE_EFFECTS__ */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (report, value) => (value === null ? null : read(report, value))
}

// --- Fields ---------------------------------------------------------------------------------------------------

/** A field that need not be given. A reader alone is a required field. */
export interface Field<T = unknown, In extends Report = any, Whole = any> {
  /** Absent for a field that is known but not read. */
  readonly read?: FieldReader<T, In, Whole>
  /** Whether null is the same as absent, for the reader, or absent with a warning. */
  readonly ofNull: 'absent' | 'read' | 'warn'
}

/** A field that may be absent. Null is for the reader, which mostly refuses it. */
/* @__NO_SIDE_EFFECTS__ */
export function optional<T, In extends Report, Whole>(read: FieldReader<T, In, Whole>) {
  return { read, ofNull: 'read' } as const satisfies Field<T, In, Whole>
}

/** A field that may be absent or null, which are the same. */
/* @__NO_SIDE_EFFECTS__ */
export function nullable<T, In extends Report, Whole>(read: FieldReader<T, In, Whole>) {
  return { read, ofNull: 'absent' } as const satisfies Field<T, In, Whole>
}

/** A field that may be absent. Null counts as absent too, with a warning. */
/* @__NO_SIDE_EFFECTS__ */
export function lenient<T, In extends Report, Whole>(read: FieldReader<T, In, Whole>) {
  return { read, ofNull: 'warn' } as const satisfies Field<T, In, Whole>
}

/** A field that is known and not read, such as one of responses, which clients send back. */
export const known: Field<never> = { ofNull: 'absent' }

export type Readers = Readonly<Record<string, FieldReader<any, Report>>>

/** Fields, none of which need be given. */
/* @__NO_SIDE_EFFECTS__ */
export function partial<const Own extends Readers>(kind: typeof optional | typeof nullable, fields: Own) {
  const entries = Object.entries(fields).map(([name, read]) => [name, kind(read)])
  return Object.fromEntries(entries) as { readonly [Name in keyof Own]: Field<ValueOf<Own[Name]>> }
}

// --- Objects --------------------------------------------------------------------------------------------------

/** The fields of an object in the order in which they are kept. The compiler reports a missing row. */
export type Fields<Whole, In extends Report = any> = {
  readonly [Name in keyof Whole]-?: Field<Whole[Name], In, Whole> | FieldReader<Whole[Name], In, Whole>
}

export type AnyFields = Readonly<Record<string, Field<any> | FieldReader<any>>>

type ValueOf<One> = One extends FieldReader<infer T> ? T : One extends Field<infer T> ? T : never

/** What an object of these fields is read as, if it is valid. */
export type ValuesOf<Own> = {
  readonly [Name in keyof Own as Own[Name] extends FieldReader<any> ? Name : never]: ValueOf<Own[Name]>
} & {
  readonly [Name in keyof Own as Own[Name] extends FieldReader<any> ? never : Name]?: ValueOf<Own[Name]>
}

interface Row {
  readonly key: string
  readonly read: FieldReader | undefined
  readonly isRequired: boolean
  readonly ofNull: Field['ofNull']
  /** For fields that are not in the start: kept in the order in which they are read; 0 for the others. */
  readonly place: number
}

function rowsOf(fields: AnyFields, start: object = {}): readonly Row[] {
  return Object.entries(fields).map(([key, field], index) => {
    const isRequired = typeof field === 'function'
    const { read, ofNull }: Field = isRequired ? optional(field) : field
    return { key, read, isRequired, ofNull, place: key in start ? 0 : index }
  })
}

export interface ObjectForm {
  readonly type?: TypeRule<JsonObject>
  /** The rule about required fields; null where their readers refuse absent values themselves. */
  readonly missing?: ReportedRule<any, [value: unknown]> | null
  /** The rule about keys without a reader. Default: they are ignored. */
  readonly unknownKey?: ReportedRule<any, [key: string, known: readonly string[]]>
}

/** An object whose fields are read in the order of the table. */
/* @__NO_SIDE_EFFECTS__ */
export function objectOf<const Own extends AnyFields>(
  fields: Own,
  { type = shape.object, missing = shape.present, unknownKey }: ObjectForm = {},
): Reader<ValuesOf<Own>> {
  const rows = rowsOf(fields)
  const names = Object.keys(fields)
  return (report, body) => {
    if (!report.check(type, body)) return undefined
    const values: Record<string, unknown> = {}
    for (const row of rows) {
      const { key, read, isRequired } = row
      // Arguments may be instances of classes, whose getters are inherited.
      const value = missing === null ? body[key] : ownField(body, key)
      if (isRequired && missing !== null && (value === undefined || value === null))
        values[key] = report.at(key, reportMissing, value, missing)
      else if (isRequired || isGiven(report, row, value))
        values[key] = report.at(key, read!, value, values, body)
    }
    if (unknownKey !== undefined)
      for (const key of Object.keys(body)) report.at(key, () => report.check(unknownKey, key, names))
    return values as ValuesOf<Own>
  }
}

/** An object before it is read: the fields that are always there. */
type Start<Whole> = { readonly [Name in keyof Whole]?: Whole[Name] | undefined }

/**
 * An object whose fields depend on each other. It is kept in the order of the table; problems are reported in the order of
 * the body, but `type` is read first and missing fields last. Of an invalid object, the fields with a start are returned.
 */
/* @__NO_SIDE_EFFECTS__ */
export function wholeOf<Whole extends object, In extends Report = any>(
  fields: AnyFields,
  start: () => Start<Whole>,
): (report: In, body: unknown) => Whole {
  const all = rowsOf(fields, start())
  const rows = new Map(all.map((row) => [row.key, row]))
  const type = rows.get('type')
  const required = all.filter(({ isRequired }) => isRequired)
  return (report, body) => {
    const whole = start() as Record<string, unknown>
    if (!isObject(body)) {
      report.check(shape.object, body)
      return whole as Whole
    }
    if (type !== undefined) {
      const value = Object.hasOwn(body, 'type') ? jsonValue(body.type, 'type') : undefined
      // An invalid type is kept as undefined: what depends on it is not known.
      if (isGiven(report, type, value)) whole.type = report.at('type', type.read!, value, whole, body)
    }
    let missing = required.length
    let last = -1
    let isInOrder = true
    for (const key in body) {
      // Inside for-in, V8 leaves this call out.
      if (!Object.prototype.hasOwnProperty.call(body, key)) continue
      const value = jsonValue(body[key], key)
      if (value === undefined) continue
      const row = rows.get(key)
      if (row === undefined) {
        warnUnknownKey(report, key, rows)
        continue
      }
      if (row.isRequired) missing--
      if (row === type) continue
      if (row.place > 0) {
        if (row.place < last) isInOrder = false
        last = row.place
      }
      if (isGiven(report, row, value)) {
        const kept = report.at(key, row.read!, value, whole, body)
        if (kept !== undefined) whole[key] = kept
      }
    }
    if (missing > 0) readMissing(report, required, whole, body)
    return (isInOrder ? whole : inOrder(whole, start(), rows)) as Whole
  }
}

function reportMissing(report: Report, value: unknown, missing: ReportedRule<any, [value: unknown]>): void {
  report.check(missing, value)
}

/** Whether the reader of a field reads a value. */
function isGiven(report: Report, { key, read, ofNull }: Row, value: unknown): boolean {
  if (read === undefined || value === undefined) return false
  if (value !== null || ofNull === 'read') return true
  if (ofNull === 'warn') report.at(key, warnNull)
  return false
}

function readMissing(report: Report, required: readonly Row[], whole: object, body: JsonObject): void {
  for (const { key, read } of required)
    if (jsonValue(ownField(body, key), key) === undefined) report.at(key, read!, undefined, whole, body)
}

/** Copies the fields of an object to another one in the order of the table. */
function inOrder(whole: JsonObject, ordered: object, rows: ReadonlyMap<string, Row>): object {
  for (const key of rows.keys()) if (key in whole) (ordered as Record<string, unknown>)[key] = whole[key]
  return ordered
}

/** Warns of a key that is not one of the known fields. The first thousands are enough. */
function warnUnknownKey(report: Report, key: string, fields: ReadonlyMap<string, unknown>): void {
  if (!fields.has(key) && !report.isFull('warning'))
    report.at(key, () => report.check(shape.unknownKey, key, fields))
}

/** Warns of null where the specification does not allow it, which counts as absent. */
export function warnNull(report: Report): undefined {
  report.check(shape.nullable, null)
}
