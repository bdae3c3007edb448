import { serve, type Serving } from 'commandry/node'
import { afterAll, expect } from 'vitest'
import {
  type AnyInteraction,
  ChatClient,
  createEndpointKeys,
  deliver,
  type Delivery,
  pendingAnswers,
  type PendingAnswers,
} from 'commandry/interactions'
import { APP, GUILD, USER, world } from './world.ts'
import type { GuildClientOptions } from '../../src/client/chat-client.ts'
import { callbackHandler } from '../support/callback-handler.ts'

/** A service with an app's commands, registered over HTTP, and a user of them. */
export interface AppWorld {
  readonly client: (options?: Partial<GuildClientOptions>) => ChatClient
  /** Delivers an interaction to the app's endpoint. */
  readonly bring: (interaction: AnyInteraction, endpoint: string) => Promise<Delivery>
  readonly publicKey: string
  readonly privateKey: CryptoKey
  /** The address for answers by callback request: `http://127.0.0.1:40000`, without the base path. */
  readonly callbacks: string
  readonly answers: PendingAnswers
}

const open: Serving[] = []
afterAll(() => Promise.all(open.map((serving) => serving.close())))

/** Serves a Web handler on a socket and returns its address. */
export async function hosted(handler: (request: Request) => Promise<Response>): Promise<string> {
  const serving = await serve({ handler })
  open.push(serving)
  return serving.url
}

export async function appWorld(commands: readonly object[]): Promise<AppWorld> {
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
    client: (options) =>
      new ChatClient(registry, {
        applicationId: APP,
        guildId: GUILD,
        channel: { id: '400400400400400401', type: 0, name: 'general' },
        member: { user: { id: USER, username: 'ada' }, roles: [], permissions: 1n << 3n },
        locale: 'de',
        ...options,
      }),
    bring: (interaction, endpoint) => deliver(interaction, { url: endpoint, privateKey, answers }),
    publicKey,
    privateKey,
    callbacks,
    answers,
  }
}

export const search = {
  name: 'search',
  name_localizations: { de: 'suche' },
  description: 'Searches',
  options: [
    {
      type: 3,
      name: 'query',
      name_localizations: { de: 'begriff' },
      description: 'What for',
      required: true,
      autocomplete: true,
    },
    { type: 4, name: 'limit', description: 'How many', min_value: 1, max_value: 10 },
    { type: 6, name: 'by', description: 'Whose' },
  ],
}

export const remind = {
  name: 'remind',
  name_localizations: { de: 'erinnern' },
  description: 'Reminds',
  options: [
    {
      type: 1,
      name: 'me',
      name_localizations: { de: 'mich' },
      description: 'You',
      options: [{ type: 3, name: 'of', description: 'What of', required: true }],
    },
  ],
}

export const report = { type: 2, name: 'Report', name_localizations: { de: 'Melden' } }
