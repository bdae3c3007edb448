/** Texts on which a regular expression takes more than linear time. */
import { cpuMilliseconds } from '../support/cpu-time.ts'
import { pumpsOf, type Pump } from './regular-expressions.ts'

/** An exponential expression is slow at the first length, and would not end at the last. */
const LENGTHS = [24, 200, 40_000]
/** A fourth of a text takes a fourth of the time of a linear expression, and a sixteenth of that of a quadratic one. */
const MOST_GROWTH = 8
/**
 * What takes less is linear: a linear expression needs as long for 300 texts of the last length, and a quadratic one
 * several times as long for one.
 */
const LITTLE = least(5, () => 'a b '.repeat((300 * 40_000) / 4).replace(/\w c/g, ''))

/** How often a growth is measured until it is small: what other work adds does not come each time. */
const TRIALS = 4

/** The least milliseconds of some times: a collection of garbage counts too. */
function least(times: number, call: () => unknown): number {
  return Math.min(...Array.from({ length: times }, () => cpuMilliseconds(call)))
}

/** Sticky expressions are tried in loops, at each place that no match has taken. */
function tryEverywhere(expression: RegExp, text: string): void {
  for (let at = 0; at < text.length;) {
    expression.lastIndex = at
    at += Math.max(1, expression.exec(text)?.[0].length ?? 1)
  }
}

/** The starts, repeated parts and ends of texts on which an expression is slow. */
export function slowTexts(expression: RegExp): readonly string[] {
  // All matches of a text, as `replace` and `matchAll` find them. A split has a start of each, too.
  const all = new RegExp(expression.source, `${expression.flags.replace(/[gy]/g, '')}g`)
  const search = (text: string) => () =>
    expression.sticky ? tryEverywhere(expression, text) : text.replace(all, '')
  const isSlow = ({ start, part, end }: Pump) =>
    LENGTHS.some((length) => {
      const text = (size: number) => start + part.repeat(Math.ceil(size / part.length)) + end
      const once = cpuMilliseconds(search(text(length)))
      if (once < LITTLE) return false
      // The best of some times counts, unless it cannot have taken so long.
      if (once > 10 * LITTLE) return once > MOST_GROWTH * least(3, search(text(length / 4)))
      let [large, small] = [once, Infinity]
      for (let trial = 0; trial < TRIALS; trial++) {
        large = Math.min(large, least(2, search(text(length))))
        small = Math.min(small, least(3, search(text(length / 4))))
        if (large <= MOST_GROWTH * small) return false
      }
      return true
    })
  const slow = pumpsOf(expression).find(isSlow)
  return slow === undefined ? [] : [JSON.stringify(slow)]
}
