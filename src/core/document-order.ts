import type { Path, PathStep } from './rule.ts'

// An object with more keys than this is hostile or not a definition; its issues stay as they were found.
const MOST_KEYS = 500

/**
 * Sorts located things by where their places stand in a body, top to bottom as its author wrote it: an object
 * before what it holds, keys as they appear, list items by index. A place the body lacks (a missing field)
 * comes first in its object. Things at one place stay in the order in which they were found.
 */
export function documentOrder<T extends { readonly path: Path }>(items: T[], body: unknown): T[] {
  if (items.length < 2) return items
  const ranks = new Map<object, ReadonlyMap<string, number>>()
  return items.sort((a, b) => compare(a.path, b.path, body, ranks))
}

type Ranks = Map<object, ReadonlyMap<string, number>>

function compare(a: Path, b: Path, body: unknown, ranks: Ranks): number {
  let holder = body
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const left = a[i] as PathStep
    const right = b[i] as PathStep
    if (left !== right) {
      if (typeof left === 'number' && typeof right === 'number') return left - right
      return rank(holder, left, ranks) - rank(holder, right, ranks)
    }
    holder = child(holder, left)
  }
  return a.length - b.length
}

function child(holder: unknown, key: PathStep): unknown {
  return typeof holder === 'object' && holder !== null
    ? (holder as Record<PathStep, unknown>)[key]
    : undefined
}

function rank(holder: unknown, key: PathStep, ranks: Ranks): number {
  if (typeof holder !== 'object' || holder === null || typeof key === 'number') return -1
  let known = ranks.get(holder)
  if (known === undefined) {
    const positions = new Map<string, number>()
    for (const name in holder) {
      if (positions.size >= MOST_KEYS) {
        positions.clear()
        break
      }
      positions.set(name, positions.size)
    }
    ranks.set(holder, (known = positions))
  }
  return known.get(key) ?? -1
}
