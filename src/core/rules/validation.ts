import { deepFreeze } from '../freeze.ts'
import type { Issue, Report } from './report.ts'
import type { Path, PathStep } from './rule.ts'

/** The result of a validator: the value, or every issue; warnings in both cases. */
export type Validation<T, Code extends string = string> = Valid<T, Code> | Invalid<Code>

export interface Valid<T, Code extends string = string> {
  readonly ok: true
  /** The value as it was read: defaults filled, deeply frozen, a copy that later changes of the body do not affect. */
  readonly value: T
  /** In document order. */
  readonly warnings: readonly Issue<Code>[]
}

export interface Invalid<Code extends string = string> {
  readonly ok: false
  /** In document order; at least one. */
  readonly issues: readonly Issue<Code>[]
  /** In document order. */
  readonly warnings: readonly Issue<Code>[]
}

/** @param freeze freezes the value when it is first taken; returns a frozen value as it is */
export function validation<T>(
  value: T | undefined,
  report: Report,
  body: unknown,
  freeze: (value: T) => T = deepFreeze,
): Validation<T> {
  const warnings = documentOrder(report.warnings, body)
  return report.errors.length === 0
    ? new ValidBody(value as T, warnings, freeze)
    : { ok: false, issues: documentOrder(report.errors, body), warnings }
}

/** A valid body. Freezes its value when it is first taken, because most callers only ask whether a body is valid. */
class ValidBody<T> implements Valid<T> {
  readonly ok = true
  readonly warnings: readonly Issue[]
  readonly #value: T
  readonly #freeze: (value: T) => T

  constructor(value: T, warnings: readonly Issue[], freeze: (value: T) => T) {
    this.#value = value
    this.warnings = warnings
    this.#freeze = freeze
  }

  get value(): T {
    return this.#freeze(this.#value)
  }

  toJSON(): { ok: true; value: T; warnings: readonly Issue[] } {
    return { ok: true, value: this.value, warnings: this.warnings }
  }
}

// --- The order of issues ----------------------------------------------------------------------------------------

// An object with more keys is not a definition; its issues keep the order in which they were found.
const MAX_KEYS = 500

/**
 * Sorts items by the position of their paths in a body: an object before its content, a missing field first in its
 * object. Items with the same path keep their order.
 */
export function documentOrder<T extends { readonly path: Path }>(items: T[], body: unknown): T[] {
  if (items.length < 2) return items
  const keys: Keys = new Map()
  return items.sort((a, b) => compare(a.path, b.path, body, keys))
}

/** The keys of objects. Listing the keys of a large object takes time, so it is done once. */
type Keys = Map<object, readonly string[]>

function compare(a: Path, b: Path, body: unknown, keys: Keys): number {
  const shared = Math.min(a.length, b.length)
  let depth = 0
  while (depth < shared && a[depth] === b[depth]) depth++
  if (depth === shared) return a.length - b.length
  const left = a[depth] as PathStep
  const right = b[depth] as PathStep
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const known = keysOf(holderAt(body, a, depth), keys)
  return known.indexOf(left as string) - known.indexOf(right as string)
}

function holderAt(body: unknown, path: Path, depth: number): unknown {
  let value = body
  for (let i = 0; i < depth; i++) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PathStep, unknown>)[path[i]!]
  }
  return value
}

function keysOf(holder: unknown, keys: Keys): readonly string[] {
  if (typeof holder !== 'object' || holder === null) return []
  let known = keys.get(holder)
  if (known === undefined) {
    known = Object.keys(holder)
    if (known.length > MAX_KEYS) known = []
    keys.set(holder, known)
  }
  return known
}
