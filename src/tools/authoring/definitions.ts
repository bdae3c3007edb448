/** Definitions as JSON: those in a body, and those of deployed commands. */
import { assignedKeys, startOfGlobal } from '../../commands/definition/fields/command.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
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

/** What absent fields stand for. The type is kept: it decides which fields there are. */
const { type: _, ...defaults }: JsonObject = startOfGlobal()

/** Commands as the text of definitions, ready to be edited and deployed again. */
export function definitionsText(commands: readonly ApplicationCommand[]): string {
  return JSON.stringify(commands.map(withoutDefaults), null, 2)
}

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([key, one]) => one !== null && one !== defaults[key] && !assignedKeys.includes(key),
  )
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutDefaults(one)]))
}
