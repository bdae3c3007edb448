/** Longer words are not compared: the cost is the product of the lengths. */
const MAX_LENGTH = 64

/** The most similar word; `undefined` if none is similar enough to be a typing error. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined
  const most = Math.max(word.length > 3 ? 2 : 1, Math.floor(word.length / 3))
  const close = words
    .filter((other) => Math.abs(other.length - word.length) <= most)
    .map((other) => ({ other, distance: editDistance(word.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
  return close.sort((a, b) => a.distance - b.distance)[0]?.other
}

/** The number of characters to replace, remove or insert to turn one text into the other (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (to[column - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}

/** The advice for a word that was probably meant. */
export function didYouMean(meant: string): string {
  return `did you mean ${meant}?`
}

/**
 * The advice for an unknown word, to append to a message: `; did you mean "token"?`.
 *
 * @param otherwise the advice if no word is similar enough. Default: none
 */
export function suggestion(
  word: string,
  words: readonly string[],
  otherwise = '',
  write = (meant: string): string => `"${meant}"`,
): string {
  const meant = nearest(word, words)
  const advice = meant === undefined ? otherwise : didYouMean(write(meant))
  return advice === '' ? '' : `; ${advice}`
}
