import { isObject } from '../core/json.ts'
import type { Path } from '../core/rules/rule.ts'

/** An error in a response, and its path in the request. */
export interface ResponseError {
  readonly path: Path
  readonly code: string
  readonly message: string
}

/** The errors in a response: `{ errors: { "0": { "name": { "_errors": [{ code, message }] } } } }`. */
export function errorsInResponse(body: unknown): readonly ResponseError[] {
  const found: ResponseError[] = []
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
