/** Deterministic random choices for a seed (mulberry32). */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  below(count: number): number
  pick<T>(items: readonly T[]): T
}

export function seeded(seed: number): Random {
  let state = seed | 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (count: number) => Math.floor(next() * count)
  return { next, below, pick: (items) => items[below(items.length)]! }
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const drawn = items.map((item) => ({ item, at: random.next() }))
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item)
}
