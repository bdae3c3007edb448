/** The reading of one body, the table of the fields of an object, and the loop that reads an object by its table. */
import { jsonValue, withoutNegativeZero, type Convertible } from '../core/json.ts'
import { Report } from '../core/report.ts'
import type { Rule, TypeRule } from '../core/rule.ts'
import { describeValue } from '../core/text.ts'
import { openApplication, supportedInstallations, type ApplicationSettings } from './application.ts'
import type { Writable } from './definition.ts'
import * as shape from './shape.ts'
import type { IntegrationType } from './types.ts'

/** Where a definition is meant to go, as far as that decides what is right. */
export interface ValidationContext {
  /** Default `'global'`. */
  readonly scope?: 'global' | 'guild'
  /** What the service knows of the app. Default: an app to which everything is allowed. */
  readonly application?: ApplicationSettings
}

/** @throws TypeError when the scope is neither `'global'` nor `'guild'` */
function isGuild({ scope }: ValidationContext): boolean {
  if (scope !== undefined && scope !== 'global' && scope !== 'guild')
    throw new TypeError(`scope: expected "global" or "guild", got ${describeValue(scope)}`)
  return scope === 'guild'
}

/** The report of one body, and the context in which the body is read. */
export class Reading extends Report {
  readonly guild: boolean
  readonly application: ApplicationSettings
  /** The installation contexts of commands that give none. */
  readonly installations: readonly IntegrationType[]
  /** Whether commands are items of a bulk overwrite, whose `id` names the command to replace. */
  readonly isItem: boolean
  /**
   * The characters read so far that count toward the size of a command, in UTF-16 units: never less than in code points, so
   * that only a command near the limit has to be counted exactly (clause 8-04).
   */
  units = 0

  /** @throws TypeError when the scope is neither `'global'` nor `'guild'` */
  constructor(context: ValidationContext | undefined, isItem = false) {
    super()
    this.guild = context !== undefined && isGuild(context)
    this.application = context?.application ?? openApplication
    this.installations = supportedInstallations(this.application)
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
   * Reads a given value, at its path, and stores it in the holder, which has the fields of the rows above. Only responses
   * have a field without a reader.
   */
  readonly read?: (reading: Reading, value: unknown, holder: Writable<Holder>) => void
  /**
   * What null is: `'absent'` is the same as absent, `'read'` is for the reader, which then also reads absent fields.
   * Otherwise null is absent with a warning.
   */
  readonly null?: 'absent' | 'read'
  /** For a dictionary, what a localized list has in its place: the text of one locale. */
  readonly listed?: keyof ListedOnly
}

/** What a localized list has in place of dictionaries. */
type ListedOnly = { readonly [Key in 'name_localized' | 'description_localized']?: Field }

/** The fields of an object in the order in which they are read and stored. The compiler reports a missing row. */
export type Fields<Holder> = { readonly [Key in keyof Holder]-?: Field<Holder> } & ListedOnly

/** An object before it is read: required fields are `undefined`. */
type Unread<Holder> = { readonly [Key in keyof Holder]?: Holder[Key] | undefined }

/** A table of fields, prepared for reading. Its rows have one shape, because engines read many shapes slowly. */
export interface Table<Holder> {
  /** The fields with a reader. */
  readonly rows: readonly Row[]
  /** The row of each key; -1 for a field without a reader. */
  readonly index: ReadonlyMap<string, number>
  /** Makes an object with the fields that are always there. A literal: a copy of an object costs a third of the reading. */
  readonly start: () => Holder
}

interface Row {
  readonly key: string
  readonly read: NonNullable<Field['read']>
  readonly ofNull: Field['null']
}

/* @__NO_SIDE_EFFECTS__ */
export function table<Holder>(
  fields: Readonly<Record<string, Field<any>>>,
  start: () => Unread<Holder>,
): Table<Holder> {
  const entries = Object.entries(fields)
  const rows = entries.flatMap(([key, { read, null: ofNull }]) =>
    read === undefined ? [] : [{ key, read, ofNull }],
  )
  return {
    rows,
    index: new Map(entries.map(([key]) => [key, rows.findIndex((row) => row.key === key)])),
    start: start as () => Holder,
  }
}

/** Reads the object at the current path. Of an invalid one, only the fields that are always there are returned. */
export function readObject<T extends object>(reading: Reading, body: unknown, fields: Table<T>): T {
  if (!reading.check(shape.object, body)) return fields.start()
  return readValues(reading, valuesOf(reading, body, fields), fields)
}

/** The values of an object in the order of its table. Warns of unknown keys. */
export function valuesOf(reading: Reading, body: object, { rows, index }: Table<any>): unknown[] {
  const values: unknown[] = new Array(rows.length)
  for (const key in body) {
    const given = (body as Record<string, Convertible>)[key]
    const hasJson = typeof given === 'object' && given?.toJSON !== undefined
    const value: unknown = hasJson ? jsonValue(given, key) : given
    const i = index.get(key)
    if (i === undefined) {
      if (value !== undefined) warnUnknownKey(reading, key, index)
    } else if (i >= 0) values[i] = value
  }
  return values
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

/** Reads the values of an object; see `valuesOf`. */
export function readValues<T extends object>(
  reading: Reading,
  values: readonly unknown[],
  { rows, start }: Table<T>,
): T {
  const object = start()
  for (let i = 0; i < rows.length; i++) {
    const value = values[i]
    const { key, read, ofNull } = rows[i]!
    const isAbsent = value === undefined || value === null
    if (!isAbsent || ofNull === 'read') reading.at(key, read, value, object)
    else if (value === null && ofNull === undefined) reading.at(key, warnNull)
  }
  return object
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
