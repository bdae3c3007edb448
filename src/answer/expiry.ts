/** Tables in memory whose entries end. */

/**
 * Removes entries that have ended, and the oldest ones of a full table, even if the clock stands still.
 *
 * @param entries in the order in which they end
 * @param most the largest number of entries after the next one
 * @returns the removed entries
 */
export function removeEnded<Entry extends { readonly until: number }>(
  entries: Map<string, Entry>,
  now: number,
  most: number,
): readonly Entry[] {
  const removed: Entry[] = []
  for (const [key, entry] of entries) {
    if (now <= entry.until && entries.size < most) break
    entries.delete(key)
    removed.push(entry)
  }
  return removed
}
