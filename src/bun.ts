/**
 * One import for Bun's test runner: `preload = ["commandry/bun"]` below `[test]` in `bunfig.toml`. It extends `expect`
 * by the matchers, and the types of `expect` by theirs.
 */
// @ts-ignore: Bun itself provides this module, whether or not the project has its types.
import { expect } from 'bun:test'
import { matchers, type CommandMatchers } from './testing/matchers/matchers.ts'

expect.extend(matchers)

/** @ts-ignore: only the types of Bun declare this module. */
declare module 'bun:test' {
  interface Matchers<T> extends CommandMatchers {}
}
