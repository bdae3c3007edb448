const MAX_BLOCK_SIZE = 512

/** A set of strings, kept in ascending order of their UTF-16 units. */
export function sortedKeys() {
  // Ascending blocks of ascending keys. An insertion moves the keys of one block, not those of the whole set.
  const blocks: string[][] = [[]]

  /** The block that has the key or would have it: the last one whose first key is not greater. */
  function blockOf(key: string): number {
    const next = firstIndex(blocks.length, (i) => i > 0 && blocks[i]![0]! > key)
    return next - 1
  }

  return {
    /** Adds a key that the set does not have. */
    add(key: string): void {
      const i = blockOf(key)
      const block = blocks[i]!
      block.splice(firstNotBefore(block, key), 0, key)
      if (block.length > MAX_BLOCK_SIZE) blocks.splice(i + 1, 0, block.splice(MAX_BLOCK_SIZE / 2))
    },
    /** Removes a key that the set has. */
    delete(key: string): void {
      const i = blockOf(key)
      const block = blocks[i]!
      block.splice(firstNotBefore(block, key), 1)
      if (block.length === 0 && blocks.length > 1) blocks.splice(i, 1)
    },
    /** The keys that start with a prefix, in order. The cost grows with their number, not with the size of the set. */
    startingWith(prefix: string): string[] {
      const found: string[] = []
      let start: number | undefined
      for (let i = blockOf(prefix); i < blocks.length; i++, start = 0) {
        const block = blocks[i]!
        for (let at = start ?? firstNotBefore(block, prefix); at < block.length; at++) {
          if (!block[at]!.startsWith(prefix)) return found
          found.push(block[at]!)
        }
      }
      return found
    },
  }
}

function firstNotBefore(sorted: readonly string[], key: string): number {
  return firstIndex(sorted.length, (i) => sorted[i]! >= key)
}

/** The first index with a property that all later ones have too, by binary search; `length` if none has it. */
function firstIndex(length: number, has: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (has(middle)) high = middle
    else low = middle + 1
  }
  return low
}
