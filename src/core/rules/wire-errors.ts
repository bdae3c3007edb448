/** The errors of invalid forms in responses. `docs/decisions` lists the codes that this library chose itself. */

/** A `WireError`; this file imports nothing, because most rules import it. */
type WireError = { readonly code: string; readonly message: string }

export const isRequired: WireError = { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }

export function badLength(min: number, max: number): WireError {
  return { code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between ${min} and ${max} in length.` }
}

export function maxLength(max: number): WireError {
  return { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${max} or fewer in length.` }
}

export function minLength(min: number): WireError {
  return { code: 'BASE_TYPE_MIN_LENGTH', message: `Must be ${min} or more in length.` }
}

export function mustBeOneOf(values: readonly (string | number)[]): WireError {
  const texts = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of (${texts.join(', ')}).` }
}

/** The error of an enumeration of numbers: no value, an unknown number, or a value that is not a number. */
export function oneOfNumbers(
  values: readonly number[],
): (params: { actual: string; given: unknown }) => WireError {
  const choices = mustBeOneOf(values)
  return ({ actual, given }) => {
    if (actual === 'missing') return isRequired
    return Number.isInteger(given) ? choices : notNumber(given, 'int')
  }
}

export function notNumber(value: unknown, type: 'int' | 'float' | 'snowflake'): WireError {
  // Discord converts digits; this service is stricter, and its message gives the reason.
  const isDigits = type !== 'snowflake' && typeof value === 'string' && /^-?\d+$/.test(value)
  return {
    code: 'NUMBER_TYPE_COERCE',
    message: isDigits ? `Value "${value}" is a string, not ${type}.` : `Value "${value}" is not ${type}.`,
  }
}

export function notNumberOf(type: 'int' | 'float'): (params: { given: unknown }) => WireError {
  return ({ given }) => notNumber(given, type)
}

/** The error of a value that is neither of a type nor can be converted to it. */
export function notConvertible(type: 'string' | 'boolean'): (params: { actual: string }) => WireError {
  const code = `${type.toUpperCase()}_TYPE_CONVERT`
  return ({ actual }) => ({ code, message: `Could not convert ${actual} to ${type}.` })
}

/**
 * The error of a value that is not an object where one with known fields is expected. An item that is null or empty is
 * missing; an item of the body itself has a text of its own (decision 37).
 */
export function notModel({ given }: { given: unknown }, path: readonly (string | number)[]): WireError {
  const isItem = typeof path.at(-1) === 'number'
  if (isItem && (given === null || given === ''))
    return { code: 'LIST_ITEM_VALUE_REQUIRED', message: 'List item values of ModelType are required' }
  const isItemOfBody = isItem && path.length === 1
  return {
    code: 'MODEL_TYPE_CONVERT',
    message: isItemOfBody ? 'Expected an object/dictionary.' : 'Only dictionaries may be used in a ModelType',
  }
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
