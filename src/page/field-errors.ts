/** The errors of a response, out of their tree. */
import { isObject } from '../core/json.ts'
import type { Path } from '../core/rule.ts'

/** An error of a response, at the path of its field. */
export interface FieldError {
  readonly path: Path
  readonly code: string
  readonly message: string
}

/** Every error of a tree, at most 200; a tree is as deep as a command. */
export function fieldErrors(tree: unknown): readonly FieldError[] {
  return [...errorsIn(tree, [])].slice(0, 200)
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
