import type { ApplicationCommand } from '../command/definition.ts'
import { isObject } from '../core/json.ts'

/** Commands as the text of definitions, ready to be edited and deployed again. */
export function definitionsText(commands: readonly ApplicationCommand[]): string {
  return JSON.stringify(commands.map(withoutDefaults), null, 2)
}

const assigned: ReadonlySet<string> = new Set([
  'id',
  'application_id',
  'version',
  'guild_id',
  'dm_permission',
])

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([key, one]) => !assigned.has(key) && one !== null && !(key === 'nsfw' && one === false),
  )
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutDefaults(one)]))
}
