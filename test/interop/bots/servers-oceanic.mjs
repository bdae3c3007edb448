/** A bot of oceanic.js that changes the members and messages of its server, and prints what it sees. */
import { Client } from 'oceanic.js'
import { BOT_REST, BOT_TOKEN } from './commands.mjs'

const client = new Client({
  auth: `Bot ${BOT_TOKEN}`,
  gateway: { intents: ['ALL'] },
  ...(BOT_REST && { rest: { baseURL: `${BOT_REST}/v10` } }),
})

async function work(guild) {
  const general = await client.rest.channels.get('100000000000004001')
  const message = await general.createMessage({ content: 'hello' })
  await message.edit({ content: 'edited' })
  await message.createReaction('👍')
  const found = await general.getMessage(message.id)
  console.log(found.content, found.reactions[0].count)
  const ada = await guild.getMember('100000000000003001')
  await ada.addRole('100000000000005001')
  const until = new Date(Date.now() + 60_000).toISOString()
  await ada.edit({ nick: 'Countess', communicationDisabledUntil: until })
  const changed = await client.rest.guilds.getMember(guild.id, '100000000000003001')
  console.log(changed.nick, changed.roles.join(), changed.communicationDisabledUntil.toISOString() === until)
  const alan = await guild.getMember('100000000000003003')
  await alan.edit({ communicationDisabledUntil: until }).catch(({ code }) => console.log('refused', code))
  await alan.ban({ reason: 'spam', deleteMessageSeconds: 3_600 })
  for (const { user, reason } of await guild.getBans()) console.log('banned', user.username, reason)
  await general.createMessage({ content: 'more' })
  console.log('purged', await general.purge({ limit: 10 }))
  const hidden = { id: guild.id, type: 0, allow: 0n, deny: 1_024n }
  const ticket = await client.rest.guilds.createChannel(guild.id, 0, {
    name: 'ticket',
    permissionOverwrites: [hidden],
  })
  const [{ id, deny }] = ticket.permissionOverwrites.map((one) => one)
  console.log(ticket.name, id, Number(deny))
  await ticket.delete()
  console.log((await client.rest.guilds.getChannels(guild.id)).map(({ name }) => name).join(' '))
}

client.on('error', console.error)
client.once('ready', async () => {
  await work(client.guilds.get('100000000000002001')).catch(console.error)
  process.exit()
})
await client.connect()
