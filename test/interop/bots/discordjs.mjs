import { Client, MessageFlags } from 'discord.js'
import { BOT_REST, BOT_TOKEN, choicesFor, commands, FILE, modal, ready, undo } from './commands.mjs'

const client = new Client({ intents: ['Guilds'], ...(BOT_REST && { rest: { api: BOT_REST } }) })

const answers = {
  ping: (use) => use.reply('pong'),
  async slow(use) {
    await use.deferReply()
    await use.editReply('working')
    const { content } = await use.fetchReply()
    await use.editReply(`done after ${content}`)
  },
  async more(use) {
    await use.reply('first')
    await use.followUp('second')
  },
  secret: (use) => use.reply({ content: 'psst', flags: MessageFlags.Ephemeral }),
  file: (use) =>
    use.reply({ content: 'here', files: [{ name: FILE.name, attachment: Buffer.from(FILE.text) }] }),
  async gone(use) {
    await use.reply('gone')
    await use.deleteReply()
  },
  form: (use) => use.showModal(modal),
  button: (use) => use.reply({ content: 'armed', components: [{ type: 1, components: [undo] }] }),
  find: (use) => use.reply(`found ${use.options.getString('query')}`),
  config: (use) =>
    use.reply(
      [
        use.options.getSubcommandGroup(),
        use.options.getSubcommand(),
        use.options.getUser('user').username,
        use.options.getChannel('channel').name,
        use.options.getRole('role').name,
      ].join(' '),
    ),
  Greet: (use) => use.reply(`Hello, ${use.targetUser.username}`),
}

client.on('error', console.error)
client.on('interactionCreate', async (use) => {
  if (use.isAutocomplete()) await use.respond(choicesFor(use.options.getFocused()))
  else if (use.isButton()) await use.update({ content: 'undone', components: [] })
  else if (use.isModalSubmit()) await use.reply(`Hello, ${use.fields.getTextInputValue('name')}`)
  else await answers[use.commandName](use)
})
client.once('clientReady', async () => {
  await client.application.commands.set(commands)
  ready()
})
await client.login(BOT_TOKEN)
