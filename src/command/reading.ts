import { isObject, jsonValue, withoutNegativeZero, type Convertible, type JsonObject } from '../core/json.ts'
import { Report } from '../core/report.ts'
import type { PathStep, Rule, TypeRule } from '../core/rule.ts'
import { describeValue } from '../core/text.ts'
import { openApplication, supportedInstallations, type ApplicationSettings } from './application.ts'
import type { NameTable } from './name-table.ts'
import * as shape from './shape.ts'
import type { IntegrationType } from './types.ts'

/** Where a definition is meant to go, as far as that decides what is right. */
export interface ValidationContext {
  /** Default `'global'`. */
  readonly scope?: 'global' | 'guild'
  /** What the service knows of the app. Default: an app to which everything is allowed. */
  readonly application?: ApplicationSettings
}

/** The rules of a list of enumerated numbers. */
export interface NumberRules {
  readonly known: Rule<string, any, [value: unknown]>
  readonly repeated: Rule<string, any, [values: readonly unknown[], index: number]>
  readonly supported?: Rule<string, any, [value: number, application: ApplicationSettings]>
}

/** @throws TypeError when the scope is neither `'global'` nor `'guild'` */
function isGuild({ scope }: ValidationContext): boolean {
  if (scope !== undefined && scope !== 'global' && scope !== 'guild')
    throw new TypeError(`scope: expected "global" or "guild", got ${describeValue(scope)}`)
  return scope === 'guild'
}

/** One reading of one body: what was noted, and the few things readers pass on to one another. */
export class Reading extends Report {
  readonly guild: boolean
  readonly application: ApplicationSettings
  /** The installation contexts of commands that give none. */
  readonly installations: readonly IntegrationType[]
  /**
   * The combined characters read so far, in UTF-16 units: never less than in code points, so that only a body
   * near the limit has to be counted exactly (clause 8-04).
   */
  units = 0
  /** The names of the options of the command that is being read. */
  names: NameTable | null = null

  /** @throws TypeError when the scope is neither `'global'` nor `'guild'` */
  constructor(context: ValidationContext | undefined) {
    super()
    this.guild = context !== undefined && isGuild(context)
    this.application = context?.application ?? openApplication
    this.installations = supportedInstallations(this.application)
  }

  /**
   * Moves to the items of a list, which `item` then reads one by one.
   *
   * @param key the field that holds the list; absent when the list is at the current path
   * @returns what `leave` takes to move back
   */
  enter(key?: PathStep): number {
    const { depth } = this
    if (key !== undefined) this.path[this.depth++] = key
    this.depth++
    return depth
  }

  /** Moves to an item and returns it. A hole is null, as JSON writes it (clause 1-05). */
  item(list: readonly unknown[], index: number): unknown {
    this.path[this.depth - 1] = index
    const item = (list[index] ?? null) as Convertible
    return typeof item === 'object' && item?.toJSON !== undefined ? jsonValue(item, index) : item
  }

  /** Moves back to where the reading was before `enter`. */
  leave(depth: number): void {
    this.depth = depth
  }

  /**
   * Reads the first items of a list, each at its index. The longest lists are read with `enter`, `item` and `leave`
   * instead: a function call for each item costs a tenth of the reading.
   *
   * @param key the field that holds the list; absent when the list is at the current path
   */
  each<T>(
    list: readonly unknown[],
    max: number,
    read: (item: unknown, index: number) => T,
    key?: PathStep,
  ): T[] {
    const outside = this.enter(key)
    const items: T[] = []
    const count = Math.min(list.length, max)
    for (let i = 0; i < count; i++) items.push(read(this.item(list, i), i))
    this.leave(outside)
    return items
  }

  /** Reads the first items of a list of enumerated numbers. */
  numbers<Member extends number>(
    list: readonly unknown[],
    max: number,
    { known, repeated, supported }: NumberRules,
    key: PathStep,
  ): readonly Member[] {
    const numbers: unknown[] = []
    const outside = this.enter(key)
    const count = Math.min(list.length, max)
    for (let i = 0; i < count; i++) {
      const item = this.item(list, i)
      numbers.push(withoutNegativeZero(item))
      if (!this.run(known, item)) continue
      this.run(repeated, numbers, i)
      if (supported !== undefined) this.run(supported, item as number, this.application)
    }
    this.leave(outside)
    return numbers as Member[]
  }

  /** Whether a value is an object; anything else is reported, at the current path or at a key below it. */
  object(value: unknown, key?: PathStep): value is JsonObject {
    return isObject(value) || this.run(shape.object, value, key)
  }

  /** Whether a required field is present and has a value of a type; reports both. */
  required<Value>(type: TypeRule<Value>, value: unknown, key?: PathStep): value is Value {
    return this.run(shape.present, value, key) && this.run(type, value, key)
  }

  /** Whether an optional field has a value of a type; reports another type. Null counts as absent. */
  optional<Value>(type: TypeRule<Value>, value: unknown, key?: PathStep): value is Value {
    return value !== undefined && value !== null && this.run(type, value, key)
  }

  /** An optional boolean; `undefined` when it is absent or null. */
  flag(value: unknown, key: string): boolean | undefined {
    if (value === undefined) return undefined
    if (value === null) return this.nullAsAbsent(key)
    return typeof value === 'boolean' || this.run(shape.boolean, value, key) ? value : undefined
  }

  /** An optional list, whose items the caller reads; `undefined` when it is absent or null. */
  list(value: unknown, key: string): readonly unknown[] | undefined {
    if (value === undefined) return undefined
    if (value === null) return this.nullAsAbsent(key)
    return Array.isArray(value) || this.run(shape.list, value, key) ? value : undefined
  }

  /** Warns of a field that is null although the specification does not allow it, which counts as absent. */
  nullAsAbsent(key: string): undefined {
    this.run(shape.nullable, null, key)
    return undefined
  }

  /** Warns of a key that is not one of the known fields. The first thousands are enough. */
  warnUnknownKey(key: string, fields: () => object): void {
    if (!this.isFull('warning')) this.run(shape.unknownKey, key, fields(), key)
  }
}
