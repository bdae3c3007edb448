/** Tables in memory whose entries end. */

/**
 * Removes entries that have ended, and the oldest ones of a full table, even if the clock stands still.
 *
 * @param entries in the order in which they end
 * @param most the largest number of entries after the next one
 */
export function removeEnded(
  entries: Map<string, { readonly until: number }>,
  now: number,
  most: number,
): void {
  for (const [key, { until }] of entries) {
    if (now <= until && entries.size < most) return
    entries.delete(key)
  }
}
