/** A bot of oceanic.js that prints the channels it knows, those it lists, and threads that it gets to see. */
import { Client } from 'oceanic.js'
import { BOT_REST, BOT_TOKEN } from './commands.mjs'

const client = new Client({
  auth: `Bot ${BOT_TOKEN}`,
  gateway: { intents: ['GUILDS'] },
  ...(BOT_REST && { rest: { baseURL: `${BOT_REST}/v10` } }),
})
const namesOf = (channels) => channels.map(({ name }) => name).join(' ')

client.on('error', console.error)
client.on('channelUpdate', ({ name, topic }, before) => console.log('update', before?.name, name, topic))
// It has no event of its own for these threads.
client.on('packet', ({ t }) => {
  const { threads } = client.guilds.get('2001') ?? {}
  if (t === 'THREAD_LIST_SYNC') setImmediate(() => console.log('threads', namesOf(threads)))
})
client.once('ready', async () => {
  const guild = client.guilds.get('2001')
  console.log('cache', namesOf(guild.channels))
  console.log('list', namesOf(await guild.getChannels()))
})
await client.connect()
