/** Ticket bots of real libraries: they open a thread for a message, talk there, pin, count its members and close it. */
import { once } from 'node:events'
import { Client, Events } from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { testbed, type Testbed } from 'commandry/testbed'
import { python, redirectInFolder, startBot } from './bot-program.ts'

const { redirect } = redirectInFolder()

async function startDiscordJs(bed: Testbed): Promise<void> {
  // Every intent.
  const client = new Client({ intents: 0xffff, rest: { api: bed.rest } })
  onTestFinished(() => client.destroy())
  client.on(Events.MessageCreate, async (message) => {
    const { author, content, channel } = message
    if (author.bot) return
    if (content === '!help') {
      const thread = await message.startThread({ name: `ticket-${author.username}`, autoArchiveDuration: 60 })
      await thread.members.add(author)
      await (await thread.send('What happened?')).pin()
    } else if (content === '!done' && channel.isThread()) {
      const { size } = await channel.members.fetch({ cache: false })
      await channel.send(`Closed for ${size}`)
      await channel.setLocked(true)
      await channel.setArchived(true)
    }
  })
  await client.login(bed.token)
  await once(client, Events.ClientReady)
}

async function startProgram(bed: Testbed, file: string): Promise<void> {
  const { child, output } = startBot(bed, file, true, file.endsWith('.py') ? undefined : redirect)
  onTestFinished(() => void child.kill())
  await expect.poll(output).toContain('ready')
}

const bots: readonly (readonly [name: string, start: (bed: Testbed) => Promise<void>])[] = [
  ['discord.js', startDiscordJs],
  ['oceanic.js', (bed) => startProgram(bed, 'tickets-oceanic.mjs')],
  ...(python === undefined
    ? []
    : [['discord.py', (bed: Testbed) => startProgram(bed, 'tickets.py')] as const]),
]

it.each(bots)('a ticket bot of %s opens a thread, talks in it and closes it', async (_, start) => {
  const bed = await testbed({ ws: { WebSocketServer } })
  onTestFinished(() => bed.close())
  bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES_IN_THREADS: true })
  await start(bed)
  await bed.as('ada').say('!help')
  const thread = () => bed.server.threads[0]
  const contents = () => bed.channel('ticket-ada').messages.map(({ content }) => content)
  await expect.poll(() => thread()?.members).toEqual(['testbed', 'ada'])
  await expect.poll(() => bed.channel('ticket-ada').messages.some((one) => one.pinned)).toBe(true)
  const ada = bed.as('ada', { channel: 'ticket-ada' })
  await ada.say('It fails')
  await ada.say('!done')
  await expect.poll(() => thread()).toMatchObject({ archived: true, locked: true })
  expect(contents()).toEqual(expect.arrayContaining(['What happened?', 'It fails', '!done', 'Closed for 2']))
  await expect(ada.say('Still here?')).rejects.toThrow('Thread is locked')
})
