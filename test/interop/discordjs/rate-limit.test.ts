/** The library of a bot waits for the rate limits that a test sets. */
import { REST, Routes } from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { testbed } from 'commandry/testbed'

it('discord.js sends all messages beyond a rate limit of their route, one after the other', async () => {
  const bed = await testbed({ endpoint: () => Response.json({ type: 1 }) })
  onTestFinished(() => bed.close())
  bed.rateLimit('POST /channels/:channel/messages', { limit: 1, seconds: 0.1 })
  const rest = new REST({ api: bed.rest }).setToken(bed.token)
  const { id } = bed.channel('general')
  const send = (content: string) => rest.post(Routes.channelMessages(id), { body: { content } })
  await Promise.all(['a', 'b', 'c'].map(send))
  expect(bed.channel('general').messages.map(({ content }) => content)).toEqual(['a', 'b', 'c'])
})
