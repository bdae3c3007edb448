/** What JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object of unknown content, as it comes from outside. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for what JSON calls an object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is an object with fields. A Map, a Promise or a Date has none, so what it holds would be overlooked. */
export function hasFields(value: unknown): value is JsonObject {
  return (
    isObject(value) &&
    !(Symbol.iterator in value) &&
    typeof value.then !== 'function' &&
    !(value instanceof Date)
  )
}

/** The value at a path; `undefined` when the path does not exist. */
export function valueAt(body: unknown, path: readonly (string | number)[]): unknown {
  let value = body
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value
}

// A string (of a JSON text, so that it ends), or an integer of so many digits that a number may not hold it.
const LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"?|(?<![\d.eE+-])\d{16,19}(?![\d.eE])/g

/**
 * The value of a JSON text in which ids may be integers, as discord.py sends them. An integer that a number cannot hold
 * becomes a string.
 *
 * @throws SyntaxError
 */
export function parseIds(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!/[[,:\s]\d{16}/.test(text)) return value
  const exact = (token: string) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`
  return JSON.parse(text.replace(LONG_INTEGER, exact))
}

/** How deep lists and objects are nested at most in JSON from outside; commands need 11. */
export const MAX_JSON_DEPTH = 100

/** What is wrong with a JSON text that is nested deeper. */
export const TOO_DEEP = `is nested more than ${MAX_JSON_DEPTH} levels deep`

/** A JSON text that is nested too deep. */
export class NestedTooDeep extends SyntaxError {
  constructor() {
    super(`JSON ${TOO_DEEP}`)
  }
}

// Codes of characters: comparing one-character strings takes three times as long, and every body is searched.
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** The index of the first list or object that is nested too deep. Does not recurse, so that it can refuse a hostile text. */
export function findTooDeep(text: string, most = MAX_JSON_DEPTH): number | undefined {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) isInString = !isInString
    else if (isInString) {
      if (code === BACKSLASH) i++
    } else if (code === LIST || code === OBJECT) {
      if (++depth > most) return i
    } else if (code === LIST_END || code === OBJECT_END) depth--
  }
  return undefined
}

export function isNestedTooDeep(text: string): boolean {
  return findTooDeep(text) !== undefined
}

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true })

/**
 * The value of a JSON text from outside, or of its bytes in UTF-8. What reads the value may recurse: its depth is bounded.
 *
 * @param parse `parseIds` for texts whose ids may be integers
 * @throws NestedTooDeep, or another error if it is not JSON
 */
export function parseJson(
  source: string | Uint8Array,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  const text = typeof source === 'string' ? source : decoder.decode(source)
  if (isNestedTooDeep(text)) throw new NestedTooDeep()
  return parse(text)
}

/**
 * The value of a JSON text; `undefined` for another text, and for one that is nested too deep.
 *
 * @param most how deep it may be; Infinity for what the caller has written itself
 */
export function parsedJson(text: string, most = MAX_JSON_DEPTH): unknown {
  try {
    return findTooDeep(text, most) === undefined ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** A value that may bring its own JSON. */
export type Convertible = { readonly toJSON?: unknown } | null | undefined

/**
 * What `JSON.stringify` reads of a value: what its `toJSON` returns, if it has that method.
 *
 * @param key the key or index under which the value stands; empty for a whole body
 */
export function jsonValue(value: unknown, key: string | number = ''): unknown {
  // Objects, functions and bigints may have one.
  const isPrimitive = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return !isPrimitive && (value as Convertible)?.toJSON !== undefined ? convert(value, key) : value
}

function convert(value: unknown, key: string | number): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON as (key: string) => unknown).call(value, String(key)) : value
}

/** What JSON reads of a field: its value, if it is an own one; inherited fields are absent (clause 1-06). */
export function ownField(object: JsonObject, key: string): unknown {
  const value = object[key]
  return value !== undefined && Object.prototype.propertyIsEnumerable.call(object, key) ? value : undefined
}

/** The value itself, and 0 for -0, whose sign JSON drops. */
export function withoutNegativeZero<T>(value: T): T {
  return value === 0 ? (0 as T) : value
}

const NO_SETS: ReadonlySet<string> = /* @__PURE__ */ new Set()

/**
 * Whether two JSON values of bounded depth are equal. Key order does not matter; `undefined` counts as absent.
 *
 * @param sets the keys whose lists are sets: the order of their items, each of which is there once, does not matter
 */
export function sameJson(a: unknown, b: unknown, sets = NO_SETS): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!sameJson(a[i], b[i], sets)) return false
    return true
  }
  if (Array.isArray(b)) return false
  const left = a as JsonObject
  const right = b as JsonObject
  let balance = 0
  for (const key in left) {
    const value = left[key]
    if (value === undefined) continue
    const other = right[key]
    // Inherited values are functions or objects, so only an object has to be looked up as the right one's own.
    if (
      value !== other &&
      (typeof value !== 'object' ||
        !Object.hasOwn(right, key) ||
        !(sameJson(value, other, sets) || (sets.has(key) && sameSet(value, other))))
    )
      return false
    balance++
  }
  for (const key in right) if (right[key] !== undefined) balance--
  return balance === 0
}

function sameSet(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item) => b.includes(item))
}
