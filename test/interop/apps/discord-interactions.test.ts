import {
  InteractionResponseFlags,
  InteractionResponseType,
  InteractionType,
  verifyKeyMiddleware,
} from 'discord-interactions'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { defineCommand } from 'commandry'
import { createEndpointKeys, deliver, isAutocompleteInteraction, readOptions } from 'commandry/interactions'
import type { AnyInteraction } from 'commandry/interactions'
import { listening } from '../../support/listening.ts'
import { appTests, appWorld, choicesOf, report, reporting, search, typing } from './app-world.ts'
import type { Hosted } from './app-world.ts'

const ping = defineCommand({
  name: 'ping',
  description: 'Says pong',
  options: [{ type: 5, name: 'loud', description: 'Shouts' }],
})

async function start(): Promise<Hosted> {
  const app = await appWorld([ping, search, report])
  const host = express()
  host.post(
    '/interactions',
    verifyKeyMiddleware(app.publicKey) as express.RequestHandler,
    (request, response) => {
      const interaction = request.body as AnyInteraction & {
        readonly data: { readonly name: string; target_id: string }
      }
      if (interaction.data.name === 'ping') {
        const { values } = readOptions(interaction, ping)
        return void response.json({
          type: InteractionResponseType.CHANNEL_MESSAGE_WITH_SOURCE,
          data: { content: values.loud ? 'PONG' : 'pong', flags: InteractionResponseFlags.EPHEMERAL },
        })
      }
      if (isAutocompleteInteraction(interaction)) {
        expect(interaction.type).toBe(InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE)
        const { focused } = readOptions(interaction)
        const choices = ['paris', 'parma', 'rome'].filter((name) => name.startsWith(focused.value))
        return void response.json({
          type: InteractionResponseType.APPLICATION_COMMAND_AUTOCOMPLETE_RESULT,
          data: { choices: choices.map((name) => ({ name, value: name })) },
        })
      }
      response.json({
        type: InteractionResponseType.CHANNEL_MESSAGE_WITH_SOURCE,
        data: { content: `Reported ${interaction.data.target_id}` },
      })
    },
  )
  return { app, url: `${await listening(host)}/interactions` }
}

describe('discord-interactions, behind express', () => {
  appTests(start, [
    [
      '[6-02] [2.11-02] answers a slash command',
      (client) => client.invoke('ping', { loud: true }),
      { kind: 'message', content: 'PONG', ephemeral: true },
    ],
    ['[6-03] [2.11-05] responds to autocomplete', typing('par'), choicesOf('paris', 'parma')],
    ['[2.11-03] answers a user command', reporting('7'), { content: 'Reported 7' }],
  ])

  it('rejects the signature of another key', async () => {
    const { app, url } = await start()
    const { privateKey } = await createEndpointKeys()
    const interaction = await app.client().invoke('ping')
    const refused = { ok: false, code: 'status', status: 401 }
    expect(await deliver(interaction, { url, privateKey })).toMatchObject(refused)
  })
})
