/** A bot of eris that prints the channels it knows, those it lists, and threads that it gets to see. */
import Eris from 'eris'
import { BOT_TOKEN } from './commands.mjs'

// It speaks only TLS on the default port, so it needs commandry/redirect.
const client = new Eris(`Bot ${BOT_TOKEN}`, { intents: ['guilds'], restMode: true })
const namesOf = (channels) => channels.map(({ name }) => name).join(' ')

client.on('error', console.error)
client.on('channelUpdate', ({ name, topic }, before) => console.log('update', before?.name, name, topic))
client.on('threadListSync', (_guild, _left, threads) => console.log('threads', namesOf(threads)))
client.once('ready', async () => {
  const guild = client.guilds.get('2001')
  console.log('cache', namesOf(guild.channels))
  console.log('list', namesOf(await guild.getRESTChannels()))
})
await client.connect()
