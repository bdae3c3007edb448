/** A bot of eris that changes the members and messages of its server, and prints what it sees. */
import Eris from 'eris'
import { BOT_TOKEN } from './commands.mjs'

// It speaks only TLS on the default port, so it needs commandry/redirect.
const client = new Eris(`Bot ${BOT_TOKEN}`, { intents: ['all'], restMode: true })

async function work(guild) {
  const general = guild.channels.get('100000000000004001')
  const message = await general.createMessage('hello')
  await message.edit('edited')
  await message.addReaction('👍')
  const found = await general.getMessage(message.id)
  console.log(found.content, found.reactions['👍'].count)
  const ada = await guild.getRESTMember('100000000000003001')
  await ada.addRole('100000000000005001')
  const until = new Date(Date.now() + 60_000).toISOString()
  await ada.edit({ nick: 'Countess', communicationDisabledUntil: until })
  const changed = await guild.getRESTMember('100000000000003001')
  const isOut = changed.communicationDisabledUntil === Date.parse(until)
  console.log(changed.nick, changed.roles.join(), isOut)
  const alan = await guild.getRESTMember('100000000000003003')
  await alan.edit({ communicationDisabledUntil: until }).catch(({ code }) => console.log('refused', code))
  await alan.ban({ deleteMessageSeconds: 3_600 }, 'spam')
  for (const { user, reason } of await guild.getBans()) console.log('banned', user.username, reason)
  await general.createMessage('more')
  console.log('purged', await general.purge({ limit: 10 }))
  const hidden = { id: guild.id, type: 0, allow: 0n, deny: 1_024n }
  const ticket = await client.createChannel(guild.id, 'ticket', 0, { permissionOverwrites: [hidden] })
  const [{ id, deny }] = ticket.permissionOverwrites.map((one) => one)
  console.log(ticket.name, id, Number(deny))
  await ticket.delete()
  console.log((await guild.getRESTChannels()).map(({ name }) => name).join(' '))
}

client.on('error', console.error)
client.once('ready', async () => {
  await work(client.guilds.get('100000000000002001')).catch(console.error)
  process.exit()
})
await client.connect()
