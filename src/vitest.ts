/**
 * One import in a set-up file of Vitest: `setupFiles: ['commandry/vitest']`. It extends `expect` by the matchers, and
 * the types of `expect` by theirs.
 */
import { expect } from 'vitest'
import { matchers, type CommandMatchers } from './testing/matchers/matchers.ts'

expect.extend(matchers)

declare module 'vitest' {
  interface Matchers<T = any> extends CommandMatchers {}
}
