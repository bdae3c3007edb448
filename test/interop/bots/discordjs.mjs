import { Client } from 'discord.js'
import {
  BOT_REST,
  BOT_TOKEN,
  choicesFor,
  commands,
  FILE,
  modal,
  ready,
  textAnswers,
  undo,
} from './commands.mjs'

const client = new Client({ intents: ['Guilds'], ...(BOT_REST && { rest: { api: BOT_REST } }) })

const answers = {
  ...textAnswers('reply', 'deferReply', 'editReply', 'fetchReply', 'followUp', 'deleteReply'),
  file: (use) =>
    use.reply({ content: 'here', files: [{ name: FILE.name, attachment: Buffer.from(FILE.text) }] }),
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
