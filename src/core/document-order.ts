import { valueAt } from './json.ts'
import type { Path, PathStep } from './rule.ts'

// An object with more keys is not a definition; its issues keep the order in which they were found.
const MOST_KEYS = 500

/**
 * Sorts items by the position of their paths in a body, top to bottom: an object before its content, keys as they
 * appear, list items by index. A missing field comes first in its object. Items with the same path keep their order.
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
  const known = keysOf(valueAt(body, a.slice(0, depth)), keys)
  return known.indexOf(left as string) - known.indexOf(right as string)
}

function keysOf(holder: unknown, keys: Keys): readonly string[] {
  if (typeof holder !== 'object' || holder === null) return []
  let known = keys.get(holder)
  if (known === undefined) {
    known = Object.keys(holder)
    if (known.length > MOST_KEYS) known = []
    keys.set(holder, known)
  }
  return known
}
