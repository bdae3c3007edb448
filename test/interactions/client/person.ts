/** A user, commands and a registry for the tests of the chat client. */
import { CommandRegistry, OptionType, PermissionFlag, type RegistryEvent } from 'commandry'
import { ChatClient, type ChatClientOptions, InvocationError } from 'commandry/interactions'
import { app, everywhere, guild } from '../../support/fixtures.ts'

/** The options of a client in a server. */
export type GuildClientOptions = Extract<ChatClientOptions, { readonly guildId: string }>

const { STRING, SUB_COMMAND, SUB_COMMAND_GROUP, USER } = OptionType
const { SEND_MESSAGES, USE_APPLICATION_COMMANDS } = PermissionFlag

export const person: GuildClientOptions = {
  applicationId: app,
  guildId: guild,
  channel: { id: '4001', type: 0 },
  member: { user: { id: '3001' }, roles: [], permissions: USE_APPLICATION_COMMANDS | SEND_MESSAGES },
  locale: 'en-US',
}

const named = (type: OptionType, name: string, german: string, more: object) => ({
  ...{ type, name, name_localizations: { de: german }, description: 'b' },
  ...more,
})
const choices = [{ name: 'List', name_localizations: { de: 'Liste' }, value: 'list' }]
const values = [named(USER, 'user', 'nutzer', { required: true }), named(STRING, 'as', 'als', { choices })]
const get = named(SUB_COMMAND, 'get', 'zeigen', { options: values })
export const permissions = {
  ...{ name: 'permissions', name_localizations: { de: 'rechte' }, description: 'b' },
  options: [named(SUB_COMMAND_GROUP, 'user', 'nutzer', { options: [get] })],
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

/** A registry with these commands, its events, and the chat client of a person. */
export async function serving(...bodies: object[]) {
  const registry = new CommandRegistry()
  await registry.overwrite(everywhere, bodies)
  const events: RegistryEvent[] = []
  registry.subscribe((event) => void events.push(event))
  const clientOf = (over: Partial<GuildClientOptions> = {}) =>
    new ChatClient(registry, { ...person, ...over })
  return { registry, events, clientOf, client: clientOf() }
}
