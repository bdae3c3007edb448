/**
 * Matchers for definitions, refusals and answers, for `expect.extend` of vitest, jest and bun. This file loads without a
 * test runner.
 */
import { argument, demand, demandList, demandObject } from '../../core/rules/arguments.ts'
import type { AuthorizationErrorCode } from '../../authorization/authorization-error.ts'
import type { RuleCode } from '../../reference/catalogue.ts'
import type { InvocationErrorCode } from '../../interactions/client/invocation-error.ts'
import type { ValidationContext } from '../../commands/definition/rules/reading.ts'
import { isObject, jsonValue } from '../../core/json.ts'
import type { Issue } from '../../core/rules/report.ts'
import type { Path } from '../../core/rules/rule.ts'
import { describeValue } from '../../core/text.ts'
import type { Invalid, Validation } from '../../core/rules/validation.ts'
import type { CallbackContext } from '../../model/answer-types.ts'
import { validateCallback } from '../../interactions/answer/callback.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import { formatIssues } from '../../commands/definition/format-issues.ts'
import type { RegistryErrorCode } from '../../commands/registry/registry-error.ts'
import { errorsInResponse, type ResponseError } from '../../reference/response-errors.ts'
import { validateCommand, validateCommands } from '../../commands/validate.ts'
import { visibility, type ViewerFixture } from '../samples/member-fixtures.ts'
import { knownRule } from '../samples/violations.ts'

/** The scope and the application of a command, and whether warnings count. */
export interface ValidityExpectation extends ValidationContext {
  /** `'error'`: a warning fails the expectation too. Default `'ignore'`. */
  readonly warnings?: 'ignore' | 'error'
}

/** The result of a matcher: whether it holds, and the message for a failed expectation. */
export interface Verdict {
  /** Whether the expectation holds. */
  readonly pass: boolean
  readonly message: () => string
}

/**
 * The code of a refusal: of an error of this library, the number of an error body, or the code of one of its
 * leaves, such as `BASE_TYPE_REQUIRED`.
 */
export type RefusalCode =
  RegistryErrorCode | InvocationErrorCode | AuthorizationErrorCode | number | Uppercase<string>

/** The matchers, in the form of the types of test runners. `commandry/vitest`, `/jest` and `/bun` declare them there. */
export interface CommandMatchers<Result = void> {
  /** `validateCommand` accepts it. Warnings count only with `warnings: 'error'`. */
  toBeValidCommand(expectation?: ValidityExpectation): Result
  /** `validateCommands` accepts the list. Warnings count only with `warnings: 'error'`. */
  toBeValidCommands(expectation?: ValidityExpectation): Result
  /** Validation has no warnings about a command or a list of commands. Errors do not count. */
  toHaveNoWarnings(context?: ValidationContext): Result
  /** The command, once deployed, is in the person's picker. Absent fields of the viewer are those of `scene`. */
  toBeVisibleTo(viewer: ViewerFixture): Result
  /**
   * An issue or a warning has this code, at this path if one is given. For a command, a list of commands, the result of a
   * validator, or an error with issues.
   */
  toBreakRule(code: RuleCode, path?: Path, context?: ValidationContext): Result
  /** An error, or a service's error body, has this code. */
  toBeRefusedWith(code: RefusalCode): Result
  /** `validateCallback` accepts it as the app's answer to the interaction. */
  toAnswer(interaction: AnyInteraction, context?: CallbackContext): Result
}

/**
 * The matchers, for `expect.extend(matchers)`.
 *
 * @example
 * expect.extend(matchers)
 * expect(command).toBeValidCommand()
 * await expect(registry.upsert(scope, body)).rejects.toBeRefusedWith('invalid')
 */
export const matchers: {
  readonly [Name in keyof CommandMatchers]: (
    received: unknown,
    ...expected: Parameters<CommandMatchers[Name]>
  ) => Verdict
} = /* @__PURE__ */ Object.freeze({
  toBeValidCommand(received: unknown, expectation: ValidityExpectation = {}) {
    demandObject(expectation, 'expectation')
    const { warnings, ...context } = expectation
    // Also where the expectation is negated.
    if (Array.isArray(received))
      throw new TypeError('toBeValidCommand: expected one command, got a list; use toBeValidCommands')
    checkDefinition('toBeValidCommand', received)
    return accepted('valid command', validateCommand(received, context), received, warnings)
  },

  toBeValidCommands(received: unknown, expectation: ValidityExpectation = {}) {
    demandObject(expectation, 'expectation')
    const { warnings, ...context } = expectation
    if (Array.isArray(received)) for (const item of received) checkDefinition('toBeValidCommands', item)
    return accepted('valid list of commands', validateCommands(received, context), received, warnings)
  },

  toHaveNoWarnings(received: unknown, context?: ValidationContext) {
    const { warnings } = validatorOf(received)(received, context)
    return verdict(
      warnings.length === 0,
      ['expected no warnings, but', formatIssues(warnings, plainBody(received))],
      ['expected warnings, but there are none'],
    )
  },

  toBeVisibleTo(received: unknown, viewer: ViewerFixture) {
    demandObject(viewer, 'viewer')
    const found = validateCommand(received)
    if (!found.ok) return accepted('valid command', found, received)
    const { name, why } = visibility(found.value, viewer)
    return verdict(
      why.length === 0,
      [`expected "${name}" to be visible, but`, ...why],
      [`expected "${name}" to be hidden, but it is visible`],
    )
  },

  toBreakRule(received: unknown, code: RuleCode, path?: Path, context?: ValidationContext) {
    knownRule(code)
    if (path !== undefined) demandList(path, 'path')
    const { issues, body } = findIssues(received, context)
    const wanted = codeAt(code, path)
    const meant = issues.filter((one) => codeAt(one.code, path && one.path) === wanted)
    const lines = (some: readonly Issue[]) =>
      some.map((one) => `${codeAt(one.code, one.path)}: ${formatIssues([one], body)}`)
    const found = issues.length > 0 ? 'found' : 'nothing is wrong'
    return verdict(
      meant.length > 0,
      [`expected ${wanted} to be broken, but ${found}`, ...lines(issues)],
      [`expected ${wanted} to hold, but found`, ...lines(meant)],
    )
  },

  toBeRefusedWith(received: unknown, code: RefusalCode) {
    checkCode(code, 'code')
    const errors = errorsInResponse(received)
    const actual = isRefusal(received)
      ? [`${received.code}: ${received.message}`, ...errors.map(responseErrorText)]
      : [received instanceof Promise ? 'a promise, which has to be awaited' : describeValue(received)]
    return verdict(
      isRefusal(received) && (received.code === code || errors.some((leaf) => leaf.code === code)),
      [`expected a refusal with ${code}, but got`, ...actual],
      [`expected no refusal with ${code}, but got`, ...actual],
    )
  },

  toAnswer(received: unknown, interaction: AnyInteraction, context?: CallbackContext) {
    if (isObject(received) && 'application_id' in received) {
      throw new TypeError('toAnswer: expected an answer, got an interaction; the answer comes first')
    }
    const found = validateCallback(interaction, received, context)
    return accepted('fitting answer to the interaction', found, received)
  },
})

const checkCode = /* @__PURE__ */ demand(
  argument('a text or a number', (code) => typeof code === 'string' || typeof code === 'number'),
)

function verdict(pass: boolean, unmet: readonly string[], met: readonly string[]): Verdict {
  return { pass, message: () => (pass ? met : unmet).join('\n') }
}

function accepted(
  what: string,
  found: Validation<unknown>,
  body: unknown,
  warnings: ValidityExpectation['warnings'] = 'ignore',
): Verdict {
  const issues = [...(found.ok ? [] : found.issues), ...(warnings === 'error' ? found.warnings : [])]
  return verdict(
    issues.length === 0,
    [`expected a ${what}, but`, formatIssues(issues, plainBody(body))],
    [`expected ${what.startsWith('valid') ? `an in${what}` : `no ${what}`}, but no problem was found`],
  )
}

/** @throws TypeError for a module of a command, such as `{ data, execute }` */
function checkDefinition(matcher: string, item: unknown): void {
  if (!isObject(item) || 'name' in item || !isObject(item.data)) return
  throw new TypeError(`${matcher}: expected a definition, got an object with "data"; pass its data`)
}

/** The issues of an error or a result; otherwise those that validation finds in a command or a list. */
function findIssues(received: unknown, context: ValidationContext | undefined) {
  const isResult = isObject(received) && (Array.isArray(received.issues) || Array.isArray(received.warnings))
  const found: unknown = isResult ? received : validatorOf(received)(received, context)
  const { issues = [], warnings = [] } = found as Partial<Invalid>
  return { issues: [...issues, ...warnings], body: isResult ? undefined : plainBody(received) }
}

/** The validator of a list or of one command. */
function validatorOf(received: unknown): (body: unknown, context?: ValidationContext) => Validation<unknown> {
  return Array.isArray(received) ? validateCommands : validateCommand
}

/** Builders of client libraries as JSON, so that messages can name the values at a path. */
function plainBody(body: unknown): unknown {
  const source = jsonValue(body)
  return Array.isArray(source) ? source.map((item) => jsonValue(item)) : source
}

function codeAt(code: string, path: Path | undefined): string {
  return path === undefined ? code : `${code} at ${JSON.stringify(path)}`
}

function isRefusal(
  received: unknown,
): received is { readonly code: string | number; readonly message: string } {
  if (!isObject(received)) return false
  const { code, message } = received
  return (typeof code === 'string' || typeof code === 'number') && typeof message === 'string'
}

function responseErrorText({ path, code, message }: ResponseError): string {
  return path.length === 0 ? `${code}: ${message}` : `${path.join('.')} ${code}: ${message}`
}
