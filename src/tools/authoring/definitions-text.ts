/** Deployed commands as the text of definitions. */
import { assignedKeys, startOfGlobal } from '../../commands/definition/fields/command.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { isObject, type JsonObject } from '../../core/json.ts'

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
