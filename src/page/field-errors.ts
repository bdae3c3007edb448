import { isObject } from '../core/json.ts'
import type { Path } from '../core/rule.ts'
import { parsedJson } from './json-text.ts'

/** An error of a response, at the path of its field. */
export interface FieldError {
  readonly path: Path
  readonly code: string
  readonly message: string
}

/** The errors in the text of a response, at most 200. */
export function fieldErrors(response: string): readonly FieldError[] {
  const body = parsedJson(response)
  return isObject(body) ? [...errorsIn(body.errors, [])].slice(0, 200) : []
}

function* errorsIn(node: unknown, path: Path): Generator<FieldError> {
  if (!isObject(node) || path.length > 40) return
  for (const [key, value] of Object.entries(node)) {
    if (key !== '_errors') yield* errorsIn(value, [...path, /^[0-9]+$/.test(key) ? Number(key) : key])
    else if (Array.isArray(value)) {
      for (const { code, message } of value as FieldError[]) yield { path, code, message }
    }
  }
}
