/** Builders of client libraries: objects whose `toJSON` returns a definition. */
import { isObject, jsonValue } from '../../core/json.ts'
import type { CommandBody } from '../../model/command-definition.ts'

/** A builder of a client library. */
export interface DefinitionBuilder {
  toJSON(): unknown
}

/** The type of the definition that a builder makes; of a definition, its own. */
export type DefinitionOf<Command> = Command extends { toJSON(): infer Built }
  ? Built extends CommandBody
    ? Built
    : CommandBody
  : Command extends CommandBody
    ? Command
    : CommandBody

/** A definition with what `toJSON` returns in place of its builders, which may also stand in its options. */
export function withoutBuilders<Command extends CommandBody>(command: unknown): Command {
  return built(command, '', DEPTH) as Command
}

/** A command, a group, a subcommand, an option and a choice. */
const DEPTH = 5
const lists = ['options', 'choices'] as const

/** The value itself if there is no builder in it: reading a registered command makes no copy. */
function built(value: unknown, key: string | number, depth: number): unknown {
  const source = jsonValue(value, key)
  if (!isObject(source) || depth === 0) return source
  let result = source
  for (const name of lists) {
    const items = builtItems(source[name], name, depth - 1)
    if (items !== source[name]) result = { ...result, [name]: items }
  }
  return result
}

function builtItems(value: unknown, key: string, depth: number): unknown {
  const list = jsonValue(value, key)
  if (!Array.isArray(list)) return list
  let result: unknown[] = list
  list.forEach((item, index) => {
    const plain = built(item, index, depth)
    if (plain === item) return
    if (result === list) result = [...(list as unknown[])]
    result[index] = plain
  })
  return result
}
