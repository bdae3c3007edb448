// An ordinary discord.js bot, which knows nothing of tests.
const { setTimeout: sleep } = require('node:timers/promises')
const { Client } = require('discord.js')

const vote = { type: 1, components: [{ type: 2, style: 1, label: 'Vote', custom_id: 'vote' }] }
const commands = ['poll', 'chain', 'daily'].map((name) => ({ name, description: name }))

async function startBot(bed) {
  const client = new Client({ intents: ['Guilds'], rest: { api: bed.rest } })
  const last = new Map()
  client.on('interactionCreate', async (interaction) => {
    if (interaction.isButton()) return
    if (interaction.commandName === 'poll') {
      const { resource } = await interaction.reply({
        content: 'Vote!',
        components: [vote],
        withResponse: true,
      })
      const collector = resource.message.createMessageComponentCollector({ time: 15 * 60_000 })
      collector.on('collect', (press) => press.reply({ content: 'Thank you', flags: 64 }))
      collector.on('end', async (presses) => {
        const message = await interaction.channel.messages.fetch(resource.message.id)
        await message.edit({ content: `${presses.size} votes`, components: [] })
      })
    }
    if (interaction.commandName === 'chain') {
      await interaction.reply('0')
      for (let count = 1; count <= 10; count++) {
        await (count % 2 ? sleep(60_000) : new Promise((resolve) => setTimeout(resolve, 60_000)))
        await interaction.editReply(String(count))
      }
    }
    if (interaction.commandName === 'daily') {
      const { id } = interaction.user
      if (Date.now() - (last.get(id) ?? 0) < 86_400_000) return interaction.reply('Come back tomorrow')
      last.set(id, Date.now())
      await interaction.reply('100 coins')
    }
  })
  await client.login(bed.token)
  await bed.online()
  return client
}

module.exports = { commands, startBot }
