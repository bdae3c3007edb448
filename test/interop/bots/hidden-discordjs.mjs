/** A bot of discord.js that prints the channels it knows, those it lists, and threads that it gets to see. */
import { Client } from 'discord.js'
import { BOT_REST, BOT_TOKEN } from './commands.mjs'

const client = new Client({ intents: ['Guilds'], ...(BOT_REST && { rest: { api: BOT_REST } }) })
const namesOf = (channels) => channels.map(({ name }) => name).join(' ')

client.on('channelUpdate', (before, { name, topic }) => console.log('update', before.name, name, topic))
client.on('threadListSync', (threads) => console.log('threads', namesOf(threads)))
client.once('clientReady', async () => {
  const guild = client.guilds.cache.get('2001')
  console.log('cache', namesOf(guild.channels.cache))
  console.log('list', namesOf(await guild.channels.fetch()))
})
await client.login(BOT_TOKEN)
