/**
 * One import in a set-up file of Jest: `setupFilesAfterEnv: ['commandry/jest']`. It extends `expect` by the matchers,
 * and the types of `expect` by theirs, with `@types/jest` and with `@jest/globals`.
 */
// @ts-ignore: Jest itself provides this module, whether or not the project has its types.
import * as jest from '@jest/globals'
import { matchers, type CommandMatchers } from './testing/matchers/matchers.ts'

jest.expect.extend(matchers)

/** @ts-ignore: projects with `@types/jest` alone may have no package of this name. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends CommandMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends CommandMatchers<R> {}
  }
}
