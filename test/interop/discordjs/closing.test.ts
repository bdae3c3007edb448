/** Bots of real libraries that a test leaves running: they end with the testbed, in either order. */
import { once } from 'node:events'
import { Client, Events } from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { testbed } from 'commandry/testbed'
import { channelBots, redirectInFolder, startBot } from '../bots/bot-program.ts'

const { redirect } = redirectInFolder()

it.each(channelBots)('a program with %s ends after its testbed', async (_, file, isRedirected) => {
  const servers = [{ id: '2001', name: 'Ours' }]
  const bed = await testbed({ ws: { WebSocketServer }, servers, timeout: 60_000 })
  const { child, output } = startBot(bed, file, true, isRedirected ? redirect : undefined)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await expect.poll(output).toContain('list ')
  await bed.close()
  await ended
})

it('a client of discord.js that is destroyed after its testbed stays away', async () => {
  const bed = await testbed({ ws: { WebSocketServer } })
  const client = new Client({ intents: ['Guilds'], rest: { api: bed.rest } })
  const left = once(client, Events.ShardDisconnect)
  client.on(Events.ShardReconnecting, () => expect.unreachable('it connects again'))
  await client.login(bed.token)
  await once(client, Events.ClientReady)
  await bed.close()
  await client.destroy()
  const [{ code }] = await left
  expect(code).toBe(4010)
})
