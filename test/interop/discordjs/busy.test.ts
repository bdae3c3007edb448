/** A bot in the process of a service that is too busy to read at once. */
import { once } from 'node:events'
import { Client, Events } from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { testbed } from 'commandry/testbed'

/** Holds the process as soon as a frame was sent and what its sender does next. */
function holdAfter(part: string, milliseconds: number): void {
  const { send } = WebSocket.prototype
  onTestFinished(() => void (WebSocket.prototype.send = send))
  WebSocket.prototype.send = function (this: WebSocket, ...sent: any[]) {
    Reflect.apply(send, this, sent)
    if (!String(sent[0]).includes(part)) return
    process.nextTick(() => {
      const end = performance.now() + milliseconds
      while (performance.now() < end);
    })
  }
}

it('discord.js hears that it is ready after its login, although the process was busy', async () => {
  holdAfter('"t":"READY"', 120)
  await using bed = await testbed({ ws: { WebSocketServer } })
  const client = new Client({ intents: ['Guilds'], rest: { api: bed.rest } })
  onTestFinished(() => client.destroy())
  await client.login(bed.token)
  const [ready] = await once(client, Events.ClientReady)
  expect(ready.guilds.cache.size).toBe(1)
})
