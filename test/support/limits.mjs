/** The time limits of the tests, in milliseconds, for `waiting.ts` and for Vitest, which loads its configuration as it is. */

/** For what a test waits for: a busy machine takes minutes for what takes seconds elsewhere. */
export const LIMIT = 200_000

/** For a whole test: longer than its waiting, so that the condition that did not hold is named. */
export const TEST_LIMIT = 300_000

/** For a test that runs hundreds of programs, or the suite of another runtime. */
export const LONG_TEST_LIMIT = 1_800_000
