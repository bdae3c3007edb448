/**
 * The owner of chance in tests. Properties run from one fixed seed, so that every run is the same. To search further, choose
 * others, as `.ci/run` does: `PROPERTY_SEED=7 npm test`.
 */
import fc from 'fast-check'

export { anyCharacter } from '../../src/testing/arbitraries/text-arbitrary.ts'
export { fc }
export type { Arbitrary } from 'fast-check'

export const seed = Number(process.env.PROPERTY_SEED ?? 1)
if (!Number.isSafeInteger(seed)) throw new TypeError('PROPERTY_SEED is a whole number')
fc.configureGlobal({ seed })

/** Values from the same seed in every run, for a test of how often something comes: chance must not decide that. */
export const sampled = <Value>(arbitrary: fc.Arbitrary<Value>, count: number): Value[] =>
  fc.sample(arbitrary, { numRuns: count, seed: 1 })

/** Runs a check with arbitrary values. */
export function forAny<Values extends [unknown, ...unknown[]]>(
  arbitraries: { readonly [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  runs: number,
  check: (...values: Values) => void,
): void {
  const values = fc.tuple<Values>(...arbitraries)
  fc.assert(
    fc.property(values, (all) => check(...all)),
    { numRuns: runs },
  )
}

/** Runs a check that awaits, with arbitrary values. */
export function forAnyAsync<Values extends [unknown, ...unknown[]]>(
  arbitraries: { readonly [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  runs: number,
  check: (...values: Values) => Promise<void>,
): Promise<void> {
  const values = fc.tuple<Values>(...arbitraries)
  return fc.assert(
    fc.asyncProperty(values, (all) => check(...all)),
    { numRuns: runs },
  )
}
