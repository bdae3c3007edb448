import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  InteractionResponseFlags,
  InteractionResponseType,
  InteractionType,
  verifyKeyMiddleware,
} from 'discord-interactions'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineCommand } from 'commandry'
import {
  type AnyInteraction,
  checkEndpoint,
  createEndpointKeys,
  deliver,
  isAutocompleteInteraction,
  readOptions,
} from 'commandry/interactions'
import { appWorld, report, search, type AppWorld } from './app-world.ts'

const ping = defineCommand({
  name: 'ping',
  description: 'Says pong',
  options: [{ type: 5, name: 'loud', description: 'Shouts' }],
})

describe('discord-interactions, behind express', () => {
  let app: AppWorld
  let server: Server
  let url: string

  beforeAll(async () => {
    app = await appWorld([ping, search, report])
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
    server = createServer(host)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/interactions`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it('passes the handshake', async () => {
    expect(await checkEndpoint('1001', { url, privateKey: app.privateKey })).toEqual([])
  })

  it('[6-02] [2.11-02] answers a slash command', async () => {
    const interaction = await app.client().invoke('ping', { loud: true })
    expect((await app.bring(interaction, url)).rendered).toMatchObject({
      kind: 'message',
      content: 'PONG',
      ephemeral: true,
    })
  })

  it('[6-03] [2.11-05] responds to autocomplete', async () => {
    const interaction = await app.client().autocomplete('suche', { begriff: 'par' }, 'begriff')
    expect((await app.bring(interaction, url)).rendered).toEqual({
      kind: 'choices',
      choices: [
        { name: 'paris', value: 'paris' },
        { name: 'parma', value: 'parma' },
      ],
    })
  })

  it('[2.11-03] answers a user command', async () => {
    const interaction = await app.client().invokeOnUser('Melden', '7')
    expect((await app.bring(interaction, url)).rendered).toMatchObject({ content: 'Reported 7' })
  })

  it('rejects the signature of another key', async () => {
    const { privateKey } = await createEndpointKeys()
    const interaction = await app.client().invoke('ping')
    expect(await deliver(interaction, { url, privateKey })).toMatchObject({
      ok: false,
      code: 'status',
      status: 401,
    })
  })
})
