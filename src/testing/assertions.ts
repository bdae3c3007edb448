/** The matchers as functions, for test runners without `expect.extend`, such as `node:test`. */
import type { RuleCode } from '../reference/catalogue.ts'
import type { ValidationContext } from '../command/reading.ts'
import type { Path } from '../core/rule.ts'
import type { CallbackContext } from '../answer/answer-types.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import { matchers, type RefusalCode, type ValidityExpectation, type Verdict } from './matchers.ts'
import type { ViewerFixture } from './people.ts'

/** Runners recognize a failed assertion by its name and code, not by its class. */
class AssertionError extends Error {
  override readonly name = 'AssertionError'
  readonly code = 'ERR_ASSERTION'
}

function assertVerdict({ pass, message }: Verdict): void {
  if (!pass) throw new AssertionError(message())
}

/**
 * Asserts that a command is valid.
 *
 * @throws AssertionError with every issue that `validateCommand` finds; with warnings only for `warnings: 'error'`
 */
export function assertValidCommand(body: unknown, expectation?: ValidityExpectation): void {
  assertVerdict(matchers.toBeValidCommand(body, expectation))
}

/**
 * Asserts that a list of commands is valid.
 *
 * @throws AssertionError with every issue that `validateCommands` finds; with warnings only for `warnings: 'error'`
 */
export function assertValidCommands(bodies: unknown, expectation?: ValidityExpectation): void {
  assertVerdict(matchers.toBeValidCommands(bodies, expectation))
}

/** Asserts that there are no warnings about a command or a list of commands. @throws AssertionError with every warning */
export function assertNoWarnings(body: unknown, context?: ValidationContext): void {
  assertVerdict(matchers.toHaveNoWarnings(body, context))
}

/** Asserts that a command, once deployed, is in a person's picker. @throws AssertionError with the reasons */
export function assertVisibleTo(body: unknown, viewer: ViewerFixture): void {
  assertVerdict(matchers.toBeVisibleTo(body, viewer))
}

/**
 * Asserts that a rule is broken.
 *
 * @param found a command, a list of commands, the result of a validator, or an error with issues
 * @throws AssertionError when no issue or warning has the code, at the path if one is given
 */
export function assertBreaksRule(
  found: unknown,
  code: RuleCode,
  path?: Path,
  context?: ValidationContext,
): void {
  assertVerdict(matchers.toBreakRule(found, code, path, context))
}

/**
 * Asserts that a refusal has a code.
 *
 * @param refusal an error, already caught, or a service's error body
 * @throws AssertionError when its code is another
 */
export function assertRefusedWith(refusal: unknown, code: RefusalCode): void {
  assertVerdict(matchers.toBeRefusedWith(refusal, code))
}

/** Asserts that an app's answer fits an interaction. @throws AssertionError with every issue that `validateCallback` finds */
export function assertAnswers(
  callback: unknown,
  interaction: AnyInteraction,
  context?: CallbackContext,
): void {
  assertVerdict(matchers.toAnswer(callback, interaction, context))
}
