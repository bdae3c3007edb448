import { Client } from 'oceanic.js'
import { BOT_REST, BOT_TOKEN, choicesFor, commands, FILE, ready, textAnswers } from './commands.mjs'

const client = new Client({
  auth: `Bot ${BOT_TOKEN}`,
  gateway: { intents: ['GUILDS'] },
  ...(BOT_REST && { rest: { baseURL: `${BOT_REST}/v10` } }),
})

const answers = {
  ...textAnswers('createMessage', 'defer', 'editOriginal', 'getOriginal', 'createFollowup', 'deleteOriginal'),
  file: (use) =>
    use.createMessage({ content: 'here', files: [{ name: FILE.name, contents: Buffer.from(FILE.text) }] }),
  form: (use) =>
    use.createModal({
      customID: 'form',
      title: 'Form',
      components: [{ type: 1, components: [{ type: 4, customID: 'name', label: 'Name', style: 1 }] }],
    }),
  button: (use) =>
    use.createMessage({
      content: 'armed',
      components: [{ type: 1, components: [{ type: 2, style: 4, label: 'Undo', customID: 'undo' }] }],
    }),
  find: (use) => use.createMessage({ content: `found ${use.data.options.getString('query')}` }),
  config(use) {
    const { options } = use.data
    const things = [
      options.getUser('user').username,
      options.getChannel('channel').name,
      options.getRole('role').name,
    ]
    return use.createMessage({ content: [...options.getSubCommand(), ...things].join(' ') })
  },
  Greet: (use) => use.createMessage({ content: `Hello, ${use.data.target.username}` }),
}

client.on('error', console.error)
client.on('interactionCreate', async (use) => {
  if (use.isAutocompleteInteraction()) await use.result(choicesFor(use.data.options.getFocused().value))
  else if (use.isComponentInteraction()) await use.editParent({ content: 'undone', components: [] })
  else if (use.isModalSubmitInteraction())
    await use.createMessage({ content: `Hello, ${use.data.components.getTextInput('name')}` })
  else await answers[use.data.name](use)
})
client.once('ready', async () => {
  await client.application.bulkEditGlobalCommands(commands)
  ready()
})
await client.connect()
