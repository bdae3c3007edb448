/** Idioms of bots of eris. It speaks only TLS on the default port, so it needs commandry/redirect. */
import Eris from 'eris'
import { BOT_TOKEN, done, PAGES, question, row, button, waitFor } from './idioms.mjs'

const client = new Eris(`Bot ${BOT_TOKEN}`, { intents: ['guilds', 'guildMessages', 'messageContent'] })

const commands = {
  async confirm(use) {
    await use.createMessage(question)
    const message = await use.getOriginalMessage()
    const press = await waitFor(client, 'interactionCreate', (one) => one.message?.id === message.id)
    await press.editParent(done)
  },
  async pages(use) {
    let page = 0
    const shown = () => ({ content: PAGES[page], components: [row(button('Next'))] })
    await use.acknowledge()
    await use.editOriginalMessage(shown())
    const { id } = await use.getOriginalMessage()
    client.on('interactionCreate', async (press) => {
      if (press.message?.id !== id) return
      page = (page + 1) % PAGES.length
      await press.editParent(shown())
    })
  },
}

client.on('interactionCreate', (use) => void commands[use.data.name]?.(use))
client.on('messageCreate', async ({ content, channel }) => {
  if (content !== '!quiz') return
  await channel.createMessage('2+2?')
  const right = await waitFor(client, 'messageCreate', (message) => message.content === '4')
  await channel.createMessage(`${right.author.username} wins`)
})
client.on('error', console.error)
client.once('ready', () => console.log('ready'))
await client.connect()
