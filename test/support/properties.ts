import fc from 'fast-check'

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
