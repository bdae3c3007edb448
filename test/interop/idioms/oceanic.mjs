/** Idioms of bots of oceanic.js: they wait for the next event that fits. */
import { Client } from 'oceanic.js'
import { BOT_REST, BOT_TOKEN, PAGES, waitFor } from './idioms.mjs'

const client = new Client({
  auth: `Bot ${BOT_TOKEN}`,
  gateway: { intents: ['GUILDS', 'GUILD_MESSAGES', 'MESSAGE_CONTENT'] },
  ...(BOT_REST && { rest: { baseURL: `${BOT_REST}/v10` } }),
})
const row = (...labels) => ({
  type: 1,
  components: labels.map((label) => ({ type: 2, style: 1, label, customID: label.toLowerCase() })),
})
const pressOn = (message) => waitFor(client, 'interactionCreate', (one) => one.message?.id === message.id)

const commands = {
  async confirm(use) {
    await use.createMessage({ content: 'Sure?', components: [row('Yes')] })
    const message = await use.getOriginal()
    const press = await pressOn(message)
    await press.editParent({ content: 'Done', components: [] })
  },
  async pages(use) {
    await use.defer()
    let page = 0
    const shown = () => ({ content: PAGES[page], components: [row('Next')] })
    await use.editOriginal(shown())
    const message = await use.getOriginal()
    client.on('interactionCreate', async (press) => {
      if (press.message?.id !== message.id) return
      await press.deferUpdate()
      page = (page + 1) % PAGES.length
      await press.editOriginal(shown())
    })
  },
}

client.on('interactionCreate', (use) => void commands[use.data?.name]?.(use))
client.on('messageCreate', async (message) => {
  if (message.content !== '!quiz') return
  await client.rest.channels.createMessage(message.channelID, { content: '2+2?' })
  const right = await waitFor(client, 'messageCreate', ({ content }) => content === '4')
  await client.rest.channels.createMessage(message.channelID, { content: `${right.author.username} wins` })
})
client.on('error', console.error)
client.once('ready', () => console.log('ready'))
await client.connect()
