/** The fields of a question, read from unknown JSON. */
import { isObject, type JsonObject } from '../core/json.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { quoted } from '../core/text.ts'

// The most entries of a list that are read.
const MOST_ENTRIES = 1_000

/** The fields of a question. A field of another type than requested counts as absent. */
export class Query {
  readonly #values: JsonObject

  constructor(values: unknown) {
    this.#values = isObject(values) ? values : {}
  }

  /** A field as it is; `undefined` when it is absent. */
  value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
  }

  text(name: string): string {
    const value = this.value(name)
    return typeof value === 'string' ? value : ''
  }

  flag(name: string): boolean {
    return this.value(name) === true
  }

  list(name: string): readonly unknown[] {
    const value = this.value(name)
    return Array.isArray(value) ? value.slice(0, MOST_ENTRIES) : []
  }

  /** @throws TypeError when the field is not an id */
  id(name: string): string {
    const value = this.text(name)
    if (isSnowflake(value)) return value
    const problem = value === '' ? 'is missing' : `is ${quoted(value)}`
    throw new TypeError(`${name} ${problem}; expected an id, which is digits only`)
  }
}
