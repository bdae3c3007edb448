/** The reading of one body, the table of the fields of an object, and the loop that reads an object by its table. */
import {
  isObject,
  jsonValue,
  type Convertible,
  type JsonObject,
  withoutNegativeZero,
} from '../../../core/json.ts'
import { Report } from '../../../core/rules/report.ts'
import type { Rule, TypeRule } from '../../../core/rules/rule.ts'
import { describeValue } from '../../../core/text.ts'
import { openApplication, type ApplicationSettings } from '../../../model/application.ts'
import type { Writable } from '../../../model/command-definition.ts'
import * as shape from '../../../core/rules/shape-rules.ts'

/** Where a definition is meant to go, as far as that decides what is right. */
export interface ValidationContext {
  /** Default `'global'`. */
  readonly scope?: 'global' | 'guild'
  /** What the service knows of the app. Default: an app to which everything is allowed. */
  readonly application?: ApplicationSettings
}

function isGuild({ scope }: ValidationContext): boolean {
  if (scope !== undefined && scope !== 'global' && scope !== 'guild')
    throw new TypeError(`scope: expected "global" or "guild", got ${describeValue(scope)}`)
  return scope === 'guild'
}

/** The report of one body, and the context in which the body is read. */
export class Reading extends Report {
  readonly guild: boolean
  readonly application: ApplicationSettings
  /** Whether commands are items of a bulk overwrite, whose `id` names the command to replace. */
  readonly isItem: boolean
  /** The UTF-16 units that count toward the size. Near the limit, code points are counted instead (8-04). */
  units = 0

  /** @throws TypeError when the scope is neither `'global'` nor `'guild'` */
  constructor(context: ValidationContext | undefined, isItem = false) {
    super()
    this.guild = context !== undefined && isGuild(context)
    this.application = context?.application ?? openApplication
    this.isItem = isItem
  }

  /** Whether a required value is present and of a type; reports both. */
  required<Value>(type: TypeRule<Value>, value: unknown): value is Value {
    return this.check(shape.present, value) && this.check(type, value)
  }

  /** Whether an optional value is present and of a type; reports another type. Null counts as absent. */
  optional<Value>(type: TypeRule<Value>, value: unknown): value is Value {
    return value !== undefined && value !== null && this.check(type, value)
  }
}

// --- Fields ---------------------------------------------------------------------------------------------------

/** One field of an object. */
export interface Field<Holder = any> {
  /**
   * Reads a given value, at its path, and stores it in the holder. Fields are read in the order of the body: of the others,
   * only `type` is read already. Only responses have a field without a reader.
   */
  readonly read?: (reading: Reading, value: unknown, holder: Writable<Holder>, body: JsonObject) => void
  /** The reader reads an absent field too, and null. */
  readonly required?: true
  /** What null is: the same as absent, or for the reader. Otherwise null is absent with a warning. */
  readonly null?: 'absent' | 'read'
  /** For a dictionary, what a localized list has in its place: the text of one locale. */
  readonly listed?: keyof ListedOnly
}

/** What a localized list has in place of dictionaries. */
type ListedOnly = { readonly [Key in 'name_localized' | 'description_localized']?: Field }

/** The fields of an object in the order in which they are stored. The compiler reports a missing row. */
export type Fields<Holder> = { readonly [Key in keyof Holder]-?: Field<Holder> } & ListedOnly

/** An object before it is read: required fields are `undefined`. */
type Unread<Holder> = { readonly [Key in keyof Holder]?: Holder[Key] | undefined }

/** A table of fields, prepared for reading. */
export interface Table<Holder> {
  readonly rows: ReadonlyMap<string, Row>
  /** The row that is read before the others, because they depend on it. */
  readonly type: Row | undefined
  readonly required: readonly Row[]
  /** Makes an object with the fields that are always there. */
  readonly start: (isGuild: boolean) => Holder
}

interface Row {
  readonly key: string
  /** For optional fields, which are stored in the order in which they are read; 0 for those that are always there. */
  readonly place: number
  readonly read: Field['read']
  readonly required: boolean
  readonly ofNull: 'absent' | 'read' | 'warn'
}

/* @__NO_SIDE_EFFECTS__ */
export function table<Holder>(
  fields: Readonly<Record<string, Field<any>>>,
  start: (isGuild: boolean) => Unread<Holder>,
): Table<Holder> {
  const always = start(false)
  const rows = Object.entries(fields).map(([key, { read, required = false, null: ofNull }], index): Row => {
    return {
      key,
      place: key in always ? 0 : index,
      read,
      required,
      ofNull: ofNull ?? (required ? 'read' : 'warn'),
    }
  })
  return {
    rows: new Map(rows.map((row) => [row.key, row])),
    type: rows.find(({ key }) => key === 'type'),
    required: rows.filter(({ required }) => required),
    start: start as (isGuild: boolean) => Holder,
  }
}

/** Reads the object at the current path. Of an invalid one, only the fields that are always there are returned. */
export function readObject<T extends object>(reading: Reading, body: unknown, fields: Table<T>): T {
  const { rows, type, required, start } = fields
  const object = start(reading.guild)
  if (!isObject(body)) {
    reading.check(shape.object, body)
    return object
  }
  if (type !== undefined) readField(reading, type, given(body.type, 'type'), object, body)
  let missing = required.length
  let last = -1
  let isInOrder = true
  for (const key in body) {
    const value = given(body[key], key)
    const row = rows.get(key)
    if (value === undefined) continue
    if (row === undefined) warnUnknownKey(reading, key, rows)
    else {
      if (row.required) missing--
      if (row === type) continue
      if (row.place > 0) {
        if (row.place < last) isInOrder = false
        last = row.place
      }
      readField(reading, row, value, object, body)
    }
  }
  if (missing > 0) readMissing(reading, required, object, body)
  return isInOrder ? object : inOrder(reading, object, fields)
}

/** A copy of an object with its keys in the order of the table, in which they are stored. */
function inOrder<T extends object>(reading: Reading, object: T, { rows, start }: Table<T>): T {
  const ordered = start(reading.guild)
  for (const key of rows.keys()) if (key in object) ordered[key as keyof T] = object[key as keyof T]
  return ordered
}

function readField(
  reading: Reading,
  { key, read, ofNull }: Row,
  value: unknown,
  object: object,
  body: JsonObject,
): void {
  if (read === undefined || value === undefined) return
  if (value !== null || ofNull === 'read') reading.at(key, read, value, object, body)
  else if (ofNull === 'warn') reading.at(key, warnNull)
}

function readMissing(reading: Reading, required: readonly Row[], object: object, body: JsonObject): void {
  for (const { key, read } of required)
    if (given(body[key], key) === undefined) reading.at(key, read!, undefined, object, body)
}

/** What JSON carries of the value of a key. */
export function given(value: unknown, key: string): unknown {
  return typeof value === 'object' && (value as Convertible)?.toJSON !== undefined
    ? jsonValue(value, key)
    : value
}

/** Warns of a key that is not one of the known fields. The first thousands are enough. */
export function warnUnknownKey(
  reading: Reading,
  key: string,
  known: ReadonlySet<string> | ReadonlyMap<string, unknown>,
): void {
  if (!known.has(key) && !reading.isFull('warning'))
    reading.at(key, () => reading.check(shape.unknownKey, key, known))
}

/** Warns of null where the specification does not allow it, which counts as absent. */
export function warnNull(reading: Reading): undefined {
  reading.check(shape.nullable, null)
}

/** The rules of a list of enumerated numbers. */
export interface NumberRules {
  readonly known: Rule<string, any, [value: unknown]>
  readonly repeated: Rule<string, any, [values: readonly unknown[], index: number]>
  readonly supported?: Rule<string, any, [value: number, application: ApplicationSettings]>
}

/** Reads the first items of a list of enumerated numbers. */
export function readNumbers<Member extends number>(
  reading: Reading,
  list: readonly unknown[],
  max: number,
  { known, repeated, supported }: NumberRules,
): readonly Member[] {
  const numbers: unknown[] = []
  reading.items(list, max, (_, item) => {
    numbers.push(withoutNegativeZero(item))
    if (!reading.check(known, item)) return
    reading.check(repeated, numbers, numbers.length - 1)
    if (supported !== undefined) reading.check(supported, item as number, reading.application)
  })
  return numbers as Member[]
}
