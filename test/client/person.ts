/** A user, commands and a registry for the tests of the chat client. */
import { CommandRegistry, OptionType, PermissionFlag, type RegistryEvent } from 'commandry'
import { InvocationError } from 'commandry/interactions'
import type { GuildClientOptions } from '../../src/client/chat-client.ts'
import { app, everywhere, guild } from '../support/fixtures.ts'

export const { STRING, INTEGER, SUB_COMMAND, SUB_COMMAND_GROUP, USER } = OptionType
export const {
  USE_APPLICATION_COMMANDS,
  SEND_MESSAGES,
  SEND_MESSAGES_IN_THREADS,
  BAN_MEMBERS,
  VIEW_CHANNEL,
} = PermissionFlag

export const person: GuildClientOptions = {
  applicationId: app,
  guildId: guild,
  channel: { id: '4001', type: 0 },
  member: { user: { id: '3001' }, roles: [], permissions: USE_APPLICATION_COMMANDS | SEND_MESSAGES },
  locale: 'en-US',
}

export const permissions = {
  name: 'permissions',
  name_localizations: { de: 'rechte' },
  description: 'b',
  options: [
    {
      type: SUB_COMMAND_GROUP,
      name: 'user',
      name_localizations: { de: 'nutzer' },
      description: 'b',
      options: [
        {
          type: SUB_COMMAND,
          name: 'get',
          name_localizations: { de: 'zeigen' },
          description: 'b',
          options: [
            {
              type: USER,
              name: 'user',
              name_localizations: { de: 'nutzer' },
              description: 'b',
              required: true,
            },
            {
              type: STRING,
              name: 'as',
              name_localizations: { de: 'als' },
              description: 'b',
              choices: [{ name: 'List', name_localizations: { de: 'Liste' }, value: 'list' }],
            },
          ],
        },
      ],
    },
  ],
}

/** The error that a call rejects with; `undefined` when it succeeds. */
export async function refused(use: Promise<unknown>): Promise<InvocationError | undefined> {
  try {
    await use
    return undefined
  } catch (error) {
    if (error instanceof InvocationError) return error
    throw error
  }
}
export const code = async (use: Promise<unknown>) => (await refused(use))?.code

export async function serving(
  ...bodies: object[]
): Promise<{ registry: CommandRegistry; events: RegistryEvent[] }> {
  const registry = new CommandRegistry()
  await registry.overwrite(everywhere, bodies)
  const events: RegistryEvent[] = []
  registry.subscribe((event) => void events.push(event))
  return { registry, events }
}
