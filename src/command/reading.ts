import { Report } from '../core/report.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { PathStep, Rule } from '../core/rule.ts'
import { openApplication, type ApplicationSettings } from './application.ts'
import * as shape from './shape.ts'

/** Where a definition is meant to go, as far as that decides what is right. */
export interface ValidationContext {
  /** Default `'global'`. */
  readonly scope?: 'global' | 'guild'
  /** What the service knows of the app. Default: an app to which everything is allowed. */
  readonly application?: ApplicationSettings
}

/** One reading of one body: what was noted, and the few things readers pass on to one another. */
export class Reading extends Report {
  readonly guild: boolean
  readonly application: ApplicationSettings
  /**
   * The combined characters read so far, in UTF-16 units: never less than in code points, so that only a body
   * near the limit has to be counted exactly (clause 8-04).
   */
  units = 0

  constructor(context: ValidationContext | undefined) {
    super()
    this.guild = context?.scope === 'guild'
    this.application = context?.application ?? openApplication
  }

  /** A value of one JSON type, or `undefined` after saying that it is none. */
  is<T>(rule: Rule, value: unknown, key?: PathStep): value is T {
    if (rule.check(value)) return true
    this.add(rule, shape.found(value), key)
    return false
  }

  /** An optional flag. A value that says nothing reads as `undefined`. */
  flag(value: unknown, key: string): boolean | undefined {
    if (value === undefined) return undefined
    if (value === null) return this.nothing(key)
    return this.is<boolean>(shape.boolean, value, key) ? value : undefined
  }

  /** An optional list. Its items are for the caller to read. */
  items(value: unknown, key: string): readonly unknown[] | undefined {
    if (value === undefined) return undefined
    if (value === null) return this.nothing(key)
    return this.is<readonly unknown[]>(shape.list, value, key) ? value : undefined
  }

  /** A field that is null although the specification does not allow it: as if it were not given. */
  nothing(key: string): undefined {
    this.add(shape.nullable, {}, key)
    return undefined
  }

  /** An object, or `undefined` after saying that it is none. */
  object(value: unknown): JsonObject | undefined {
    if (isObject(value)) return value
    this.add(shape.object, shape.found(value))
    return undefined
  }

  /** A key that no reader knows. */
  unknown(known: ReadonlySet<string>, key: string): void {
    const wireName = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    this.add(
      shape.unknownKey,
      { key, suggestion: wireName !== key && known.has(wireName) ? wireName : null },
      key,
    )
  }
}

/**
 * What `JSON.stringify` would send of a value: builders of client libraries are not plain objects but know how
 * to become one.
 */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) return value
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON as () => unknown).call(value) : value
}
