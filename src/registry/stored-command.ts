import { commandKeys } from '../command/command.ts'
import type { ApplicationCommand, CommandDefinition } from '../command/definition.ts'
import type { Scope } from './scope.ts'

/** A command with exactly the keys of a response, in their order (clause 2.1-21). */
export function commandOf(
  scope: Scope,
  definition: CommandDefinition,
  id: string,
  version: string,
): ApplicationCommand {
  const guild_id = scope.kind === 'guild' ? scope.guildId : undefined
  const fields = { ...definition, id, application_id: scope.applicationId, version, guild_id }
  const command: Record<string, unknown> = {}
  for (const key of commandKeys) if (fields[key] !== undefined) command[key] = fields[key]
  return command as unknown as ApplicationCommand
}
