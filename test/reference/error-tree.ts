/** The errors of a response to a refused body. */
import { expect } from 'vitest'
import { locales, validateCommand, type Validation, type ValidationContext } from 'commandry'
import { toErrorBody } from 'commandry/http'

/** The tree of errors for a refused body. */
export function errorTree(found: Validation<unknown>): object {
  if (found.ok) throw new Error('nothing was refused')
  return toErrorBody(found.issues).errors!
}

/** The errors of a tree, one line each: `'options.0.name BASE_TYPE_REQUIRED: This field is required'`. */
export function errorLines(node: object, path: readonly string[] = []): string[] {
  if (!('_errors' in node))
    return Object.entries(node).flatMap(([key, child]) => errorLines(child as object, [...path, key]))
  // A node has errors or children, never both.
  expect(Object.keys(node)).toEqual(['_errors'])
  const errors = node._errors as readonly { code: string; message: string }[]
  return errors.map(({ code, message }) => `${path.join('.')} ${code}: ${message}`.trim())
}

export const errors = (found: Validation<unknown>) => errorLines(errorTree(found))

export const command = (body: unknown, context?: ValidationContext) => errors(validateCommand(body, context))

export const required = 'BASE_TYPE_REQUIRED: This field is required'
export const badLength = (min: number, max: number) =>
  `BASE_TYPE_BAD_LENGTH: Must be between ${min} and ${max} in length.`
export const maxLength = (max: number) => `BASE_TYPE_MAX_LENGTH: Must be ${max} or fewer in length.`
export const noMatch = 'STRING_TYPE_REGEX: String value did not match validation regex.'
export const invalidName = 'APPLICATION_COMMAND_INVALID_NAME: Command name is invalid'
export const tooLarge = 'APPLICATION_COMMAND_TOO_LARGE: Command exceeds maximum size (8000)'
export const late =
  'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID: Required options must be placed before non-required options'
export const duplicate = 'APPLICATION_COMMANDS_DUPLICATE_NAME: Application command names must be unique'
const localeList = locales.map((locale) => `'${locale}'`).join(', ')
export const unknownLocale = `BASE_TYPE_CHOICES: Value must be one of (${localeList}).`
