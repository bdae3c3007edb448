/** The reading of one body: its report, and the context in which it is read. */
import { withoutNegativeZero } from '../../../core/json.ts'
import { Report } from '../../../core/rules/report.ts'
import type { Rule, TypeRule } from '../../../core/rules/rule.ts'
import { openApplication, type ApplicationSettings } from '../../../model/application.ts'
import * as shape from '../../../core/rules/shape-rules.ts'

/** Where a definition is meant to go, as far as that decides what is right. */
export interface ValidationContext {
  /** Default `'global'`. */
  readonly scope?: 'global' | 'guild'
  /** What the service knows of the app. Default: an app to which everything is allowed. */
  readonly application?: ApplicationSettings
}

/** The report of one body, and the context in which the body is read. */
export class Reading extends Report {
  readonly guild: boolean
  readonly application: ApplicationSettings
  /** Whether commands are items of a bulk overwrite, whose `id` names the command to replace. */
  readonly isItem: boolean
  /** The UTF-16 units that count toward the size. Near the limit, code points are counted instead (8-04). */
  units = 0

  constructor(context: ValidationContext | undefined, isItem = false) {
    super()
    this.guild = context?.scope === 'guild'
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
