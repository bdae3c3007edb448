/** Many uses in a row through a real client. */
import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import { Client } from 'discord.js'
import { expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { testbed } from 'commandry/testbed'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('keeps memory bounded over thousands of uses through discord.js', async () => {
  const command = { name: 'ping', description: 'Replies' }
  const bed = await testbed({ ws: { WebSocketServer }, commands: [command] })
  const client = new Client({ intents: [], rest: { api: bed.rest } })
  client.on('interactionCreate', async (use) => {
    if (use.isChatInputCommand()) await use.reply(`pong ${use.id}`)
  })
  await client.login(bed.token)
  await bed.online()
  const ada = bed.as('member')
  /** Bytes in use once a thousand commands were used and their tokens have expired. */
  async function heapAfterUses(): Promise<number> {
    for (let use = 0; use < 1_000; use++) {
      const { content, interaction } = await ada.use('/ping')
      expect(content).toBe(`pong ${interaction.id}`)
    }
    bed.advance('31m')
    await ada.use('/ping')
    collect()
    return process.memoryUsage().heapUsed
  }
  // The first thousand fills what is kept: the newest events, messages and lines of the transcript.
  const before = await heapAfterUses()
  const after = await heapAfterUses()
  await client.destroy()
  await bed.close()
  // The service keeps its newest 100,000 messages, 1.7 kB each as measured; an interaction that stayed would add 3 kB.
  expect((after - before) / 1_000).toBeLessThan(3_000)
})
