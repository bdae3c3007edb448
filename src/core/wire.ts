/**
 * The errors of invalid forms in responses (service facts 3.3). `docs/decisions` lists the codes that this library chose
 * because no real response is known.
 */
import type { WireError } from './rule.ts'
import type { Given } from './text.ts'

export const required: WireError = { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }

export function badLength(min: number, max: number): WireError {
  return { code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between ${min} and ${max} in length.` }
}

export function maxLength(max: number): WireError {
  return { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${max} or fewer in length.` }
}

export function minLength(min: number): WireError {
  return { code: 'BASE_TYPE_MIN_LENGTH', message: `Must be ${min} or more in length.` }
}

export function oneOf(values: readonly (string | number)[]): WireError {
  const texts = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  const set = typeof values[0] === 'string' ? `(${texts.join(', ')})` : `{${texts.join(', ')}}`
  return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of ${set}.` }
}

/** The error of an enumeration of numbers: an unknown number, or a value that is not a number. */
export function oneOfNumbers(values: readonly number[]): (params: { given: Given }) => WireError {
  const choices = oneOf(values)
  return ({ given }) => (Number.isInteger(given) ? choices : notNumber(given, 'int'))
}

export function notNumber(value: Given, type: 'int' | 'float' | 'snowflake'): WireError {
  return { code: 'NUMBER_TYPE_COERCE', message: `Value "${value}" is not ${type}.` }
}

export function numberMax(type: 'int' | 'float' | 'snowflake', max: number | string): WireError {
  return { code: 'NUMBER_TYPE_MAX', message: `${type} value should be less than or equal to ${max}.` }
}

export function numberMin(type: 'int' | 'float' | 'snowflake', min: number | string): WireError {
  return { code: 'NUMBER_TYPE_MIN', message: `${type} value should be greater than or equal to ${min}.` }
}

export const unique: WireError = {
  code: 'SET_TYPE_ALREADY_CONTAINS_VALUE',
  message: 'The set already contains this value',
}
