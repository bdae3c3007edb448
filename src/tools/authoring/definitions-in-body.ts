/** Definitions in a body. */
import { isObject } from '../../core/json.ts'
import type { Path } from '../../core/rules/rule.ts'

/** A definition and its path in the file. */
export interface Definition {
  readonly body: unknown
  readonly path: Path
  /** Why the `toJSON` of a builder fails, whose fields the body has instead. */
  readonly thrown?: string
}

/** The definitions of a list, of one definition, or of `{ "$schema": …, "commands": [] }`, which editors validate. */
export function definitionsIn(body: unknown): readonly Definition[] {
  const each = (list: readonly unknown[], path: Path) =>
    list.map((item, index): Definition => ({ body: item, path: [...path, index] }))
  if (Array.isArray(body)) return each(body, [])
  if (!isObject(body)) return [{ body, path: [] }]
  const { $schema, ...rest } = body
  if (Array.isArray(rest.commands) && !('name' in rest)) return each(rest.commands, ['commands'])
  return [{ body: $schema === undefined ? body : rest, path: [] }]
}

/** The bodies of `definitionsIn`. */
export function bodiesIn(body: unknown): readonly unknown[] {
  return definitionsIn(body).map((definition) => definition.body)
}
