/** A ticket bot of oceanic.js: it opens a thread for a message that asks for help, and archives it when it is done. */
import { Client } from 'oceanic.js'
import { BOT_REST, BOT_TOKEN } from './commands.mjs'

const client = new Client({
  auth: `Bot ${BOT_TOKEN}`,
  gateway: { intents: ['ALL'] },
  ...(BOT_REST && { rest: { baseURL: `${BOT_REST}/v10` } }),
})

client.on('error', console.error)
client.once('ready', () => console.log('ready'))
client.on('messageCreate', async (message) => {
  if (message.author.bot) return
  if (message.content === '!help') {
    const thread = await client.rest.channels.startThreadFromMessage(message.channelID, message.id, {
      name: `ticket-${message.author.username}`,
      autoArchiveDuration: 60,
    })
    await client.rest.channels.addThreadMember(thread.id, message.author.id)
    const first = await thread.createMessage({ content: 'What happened?' })
    await first.pin()
  } else if (message.content === '!done') {
    const thread = await client.rest.channels.get(message.channelID)
    const members = await client.rest.channels.getThreadMembers(thread.id)
    await thread.createMessage({ content: `Closed for ${members.length}` })
    await client.rest.channels.edit(thread.id, { locked: true, archived: true })
  }
})
await client.connect()
