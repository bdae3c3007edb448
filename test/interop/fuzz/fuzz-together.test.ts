/** Two people who use bots of discord.js at once: double answers, rate limits, a gateway that drops. */
import { Client, Events } from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { fuzz } from 'commandry/fuzz'
import { testbed } from 'commandry/testbed'

const ask = { name: 'ask', description: 'Asks' }
const components = [
  { type: 1, components: [{ type: 2 as const, style: 1, label: 'Vote', custom_id: 'vote' }] },
]

async function fuzzed(onPress: (press: any) => Promise<unknown>) {
  const bed = await testbed({ commands: [ask], ws: { WebSocketServer } })
  const client = new Client({ intents: ['Guilds'], rest: { api: bed.rest } })
  onTestFinished(async () => {
    await client.destroy()
    await bed.close()
  })
  client.on(Events.InteractionCreate, async (interaction: any) => {
    if (interaction.isButton()) await onPress(interaction)
    else await interaction.reply({ content: 'Vote', components })
  })
  await client.login(bed.token)
  await bed.online()
  return fuzz(bed, { runs: 1, people: 2 })
}

it('finds nothing in a bot that edits the message after each press, also with a rate limit and after a drop', async () => {
  let votes = 0
  const report = await fuzzed(async (press) => {
    await press.deferUpdate()
    await press.editReply({ content: `${++votes} votes`, components })
  })
  expect(report.failures).toEqual([])
})

it('finds a bot that answers twice when two people press at once', async () => {
  let last: any
  const report = await fuzzed(async (press) => {
    const other = last
    last = press
    await press.reply({ content: 'counted', flags: 64 })
    // It takes the press of somebody else for its own.
    if (other !== undefined && other.user.id !== press.user.id) {
      other.replied = other.deferred = false
      await other.reply({ content: 'counted', flags: 64 }).catch(() => {})
    }
  })
  expect(report.failures).toMatchObject([
    { code: 'answered_twice', step: 'press Vote, one after the other', together: { other: 'grace' } },
  ])
})
