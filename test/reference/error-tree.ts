/** The tree of an error body and its usual leaves. */
import { toErrorBody, validateCommand, type Validation, type ValidationContext } from 'commandry'

/** The tree of errors for a refused body. */
export function errors(found: Validation<unknown>): unknown {
  if (found.ok) throw new Error('nothing was refused')
  return toErrorBody(found.issues).errors
}

export const command = (body: unknown, context?: ValidationContext) => errors(validateCommand(body, context))

export const leaf = (...all: [code: string, message: string][]) => ({
  _errors: all.map(([code, message]) => ({ code, message })),
})

export const required = leaf(['BASE_TYPE_REQUIRED', 'This field is required'])
export const badLength = (min: number, max: number) =>
  leaf(['BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`])
export const maxLength = (max: number) => leaf(['BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`])
export const noMatch: [string, string] = ['STRING_TYPE_REGEX', 'String value did not match validation regex.']
export const invalidName: [string, string] = ['APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid']
