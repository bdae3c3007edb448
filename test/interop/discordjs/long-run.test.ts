/** Many uses in a row through a real client. */
import { Client } from 'discord.js'
import { expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { testbed } from 'commandry/testbed'
import { heap } from '../../support/heap.ts'

it('keeps memory bounded over thousands of uses through discord.js', async () => {
  const command = { name: 'ping', description: 'Replies' }
  await using bed = await testbed({ ws: { WebSocketServer }, commands: [command] })
  const client = new Client({ intents: [], rest: { api: bed.rest } })
  client.on('interactionCreate', async (use) => {
    if (use.isChatInputCommand()) await use.reply(`pong ${use.id}`)
  })
  await client.login(bed.token)
  await bed.online()
  const ada = bed.as('member')
  /** The bytes in use after a thousand uses whose tokens have expired. */
  async function heapAfterUses(): Promise<number> {
    for (let use = 0; use < 1_000; use++) {
      const { content, interaction } = await ada.use('/ping')
      expect(content).toBe(`pong ${interaction.id}`)
    }
    await bed.advance('31m')
    await ada.use('/ping')
    return heap()
  }
  // The first thousand uses fill the bounded lists: the newest events, messages and transcript lines.
  const before = await heapAfterUses()
  const after = await heapAfterUses()
  await client.destroy()
  // The service keeps its newest 100,000 messages, 1.7 kB each as measured; a leaked interaction would add 3 kB.
  expect((after - before) / 1_000).toBeLessThan(3_000)
})
