import { expect, it } from 'vitest'
import {
  type AnyInteraction,
  ChatClient,
  checkEndpoint,
  createEndpointKeys,
  deliver,
  type Delivery,
  pendingAnswers,
} from 'commandry/interactions'
import { APP, GUILD, USER, world } from '../rest/world.ts'
import type { GuildClientOptions } from '../../interactions/client/person.ts'
import { callbackHandler } from '../../support/callback-handler.ts'
import { hosted } from '../../support/hosted.ts'

/** A service with an app's commands, registered over HTTP, and a user of them. */
export type AppWorld = Awaited<ReturnType<typeof appWorld>>

/** An app of a library, and the address of its endpoint. */
export interface Hosted {
  readonly app: AppWorld
  readonly url: string
}

/** A use of a command, and what the user sees. */
export type Answered = readonly [
  title: string,
  use: (client: ChatClient) => Promise<AnyInteraction>,
  rendered: object,
]

/** Uses of the commands below, in the language of the user. */
export const remindMe: Answered[1] = (client) => client.invoke('erinnern mich', { of: 'tea' })
export const reporting = (user: Parameters<ChatClient['invokeOnUser']>[1]): Answered[1] => {
  return (client) => client.invokeOnUser('Melden', user)
}
export const typing = (begriff: string): Answered[1] => {
  return (client) => client.autocomplete('suche', { begriff }, 'begriff')
}
export const choicesOf = (...names: readonly string[]) => {
  return { kind: 'choices', choices: names.map((name) => ({ name, value: name })) }
}

/** The tests of an app: that it passes the handshake, and how it answers. */
export function appTests(start: () => Promise<Hosted>, answered: readonly Answered[]): void {
  it('passes the handshake', async () => {
    const { app, url } = await start()
    expect(await checkEndpoint('1001', { url, privateKey: app.privateKey })).toEqual([])
  })

  it.each(answered)('%s', async (_, use, rendered) => {
    const { app, url } = await start()
    const isMessage = 'content' in rendered
    const { rendered: shown } = await app.bring(await use(app.client()), url)
    expect(shown).toEqual(isMessage ? expect.objectContaining(rendered) : rendered)
  })
}

export async function appWorld(commands: readonly object[]) {
  const { registry, url } = await world()
  const response = await fetch(`${url}/api/v10/applications/${APP}/commands`, {
    method: 'PUT',
    headers: { Authorization: 'Bot bot', 'Content-Type': 'application/json' },
    body: JSON.stringify(commands),
  })
  expect(response.status).toBe(200)
  const { publicKey, privateKey } = await createEndpointKeys()
  const answers = pendingAnswers()
  const callbacks = await hosted(callbackHandler(answers))
  return {
    client: (options?: Partial<GuildClientOptions>) =>
      new ChatClient(registry, {
        applicationId: APP,
        guildId: GUILD,
        channel: { id: '400400400400400401', type: 0, name: 'general' },
        member: { user: { id: USER, username: 'ada' }, roles: [], permissions: 1n << 3n },
        locale: 'de',
        ...options,
      }),
    /** Delivers an interaction to the app's endpoint. */
    bring: (interaction: AnyInteraction, endpoint: string): Promise<Delivery> =>
      deliver(interaction, { url: endpoint, privateKey, answers }),
    publicKey,
    privateKey,
    /** The address for answers by callback request: `http://127.0.0.1:40000`, without the base path. */
    callbacks,
  }
}

const query = { type: 3, name: 'query', name_localizations: { de: 'begriff' } }
export const search = {
  name: 'search',
  name_localizations: { de: 'suche' },
  description: 'Searches',
  options: [
    { ...query, description: 'What for', required: true, autocomplete: true },
    { type: 4, name: 'limit', description: 'How many', min_value: 1, max_value: 10 },
    { type: 6, name: 'by', description: 'Whose' },
  ],
}

const me = { type: 1, name: 'me', name_localizations: { de: 'mich' }, description: 'You' }
export const remind = {
  name: 'remind',
  name_localizations: { de: 'erinnern' },
  description: 'Reminds',
  options: [{ ...me, options: [{ type: 3, name: 'of', description: 'What of', required: true }] }],
}

export const report = { type: 2, name: 'Report', name_localizations: { de: 'Melden' } }
