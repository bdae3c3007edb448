/** The matchers as functions, for test runners without `expect.extend`, such as `node:test`. */
import { matchers, type CommandMatchers, type Verdict } from './matchers.ts'

/** Runners recognize a failed assertion by its name and code, not by its class. */
class AssertionError extends Error {
  override readonly name = 'AssertionError'
  readonly code = 'ERR_ASSERTION'
}

type Assertion<Name extends keyof CommandMatchers> = (...given: Parameters<(typeof matchers)[Name]>) => void

function assertion<Name extends keyof CommandMatchers>(name: Name): Assertion<Name> {
  return (...given) => {
    const { pass, message } = (matchers[name] as (...all: unknown[]) => Verdict)(...given)
    if (!pass) throw new AssertionError(message())
  }
}

/**
 * Asserts that a command is valid.
 *
 * @throws AssertionError with every issue that `validateCommand` finds; with warnings only for `warnings: 'error'`
 */
export const assertValidCommand: Assertion<'toBeValidCommand'> = /* @__PURE__ */ assertion('toBeValidCommand')

/**
 * Asserts that a list of commands is valid.
 *
 * @throws AssertionError with every issue that `validateCommands` finds; with warnings only for `warnings: 'error'`
 */
export const assertValidCommands: Assertion<'toBeValidCommands'> =
  /* @__PURE__ */ assertion('toBeValidCommands')

/** Asserts that there are no warnings about a command or a list of commands. @throws AssertionError with every warning */
export const assertNoWarnings: Assertion<'toHaveNoWarnings'> = /* @__PURE__ */ assertion('toHaveNoWarnings')

/** Asserts that a command, once deployed, is in a person's picker. @throws AssertionError with the reasons */
export const assertVisibleTo: Assertion<'toBeVisibleTo'> = /* @__PURE__ */ assertion('toBeVisibleTo')

/**
 * Asserts that a command, a list of commands, the result of a validator, or an error with issues breaks a rule.
 *
 * @throws AssertionError when no issue or warning has the code, at the path if one is given
 */
export const assertBreaksRule: Assertion<'toBreakRule'> = /* @__PURE__ */ assertion('toBreakRule')

/** Asserts that a caught error, or a service's error body, has a code. @throws AssertionError when its code is another */
export const assertRefusedWith: Assertion<'toBeRefusedWith'> = /* @__PURE__ */ assertion('toBeRefusedWith')

/** Asserts that an app's answer fits an interaction. @throws AssertionError with every issue that `validateCallback` finds */
export const assertAnswers: Assertion<'toAnswer'> = /* @__PURE__ */ assertion('toAnswer')
