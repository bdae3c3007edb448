import type { CommandDefinition } from '../command/definition.ts'
import { CommandType } from '../command/types.ts'

/** The name of a command as people know it: with a slash where it is typed. */
export function typedName({ type, name }: Pick<CommandDefinition, 'type' | 'name'>): string {
  return type === CommandType.CHAT_INPUT ? `/${name}` : name
}
