/** The errors in the answer of a service. */
import { isObject } from '../core/json.ts'
import type { Path } from '../core/rule.ts'

/** An error of a refusal: where, and which. */
export interface AnsweredError {
  readonly path: Path
  readonly code: string
  readonly message: string
}

/** The errors of a refusal: `{ errors: { "0": { "name": { "_errors": [{ code, message }] } } } }`. */
export function errorsInAnswer(body: unknown): readonly AnsweredError[] {
  const found: AnsweredError[] = []
  const open: { readonly node: unknown; readonly path: Path }[] = [
    { node: isObject(body) ? body.errors : undefined, path: [] },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, path } = next
    if (!isObject(node)) continue
    const { _errors: errors, ...children } = node
    for (const error of Array.isArray(errors) ? errors : [])
      if (isObject(error)) found.push({ path, code: String(error.code), message: String(error.message) })
    for (const [key, child] of Object.entries(children).reverse())
      open.push({ node: child, path: [...path, /^[0-9]{1,9}$/.test(key) ? Number(key) : key] })
  }
  return found
}
