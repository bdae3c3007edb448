import { Client } from 'seyfert'
import { BOT_APPLICATION, BOT_TOKEN, choicesFor, commands, FILE, ready, textAnswers } from './commands.mjs'

// It speaks only TLS on the default port, so it needs commandry/redirect.
const client = new Client({
  getRC: () => ({ token: BOT_TOKEN, intents: 1, locations: { base: '.' }, debug: false }),
})

const answers = {
  ...textAnswers('write', 'deferReply', 'editResponse', 'fetchResponse', 'followup', 'deleteResponse'),
  file: (use) =>
    use.write({ content: 'here', files: [{ filename: FILE.name, data: Buffer.from(FILE.text) }] }),
  form: (use) =>
    use.modal({
      custom_id: 'form',
      title: 'Form',
      components: [{ type: 18, label: 'Name', component: { type: 4, custom_id: 'name', style: 1 } }],
    }),
  button: (use) =>
    use.write({
      content: 'armed',
      components: [{ type: 1, components: [{ type: 2, style: 4, label: 'Undo', custom_id: 'undo' }] }],
    }),
  find: (use) => use.write({ content: `found ${use.data.options[0].value}` }),
  config(use) {
    const [group] = use.data.options
    const [command] = group.options
    const { users, channels, roles } = use.data.resolved
    const things = [users, channels, roles]
      .map((map) => Object.values(map)[0])
      .map(({ username, name }) => username ?? name)
    return use.write({ content: [group.name, command.name, ...things].join(' ') })
  },
  Greet: (use) => use.write({ content: `Hello, ${Object.values(use.data.resolved.users)[0].username}` }),
}

client.setServices({
  handleCommand: class {
    async autocomplete() {}
    async interaction() {}
  },
})
client.events.values.INTERACTION_CREATE = {
  data: { name: 'interactionCreate', once: false },
  async run(use) {
    if (use.isAutocomplete()) await use.respond(choicesFor(use.getInput()))
    else if (use.isButton()) await use.update({ content: 'undone', components: [] })
    else if (use.isModal()) await use.write({ content: `Hello, ${use.getInputValue('name', true)}` })
    else await answers[use.data.name](use)
  },
}
client.events.values.BOT_READY = {
  data: { name: 'botReady', once: true },
  async run() {
    await client.proxy.applications(BOT_APPLICATION).commands.put({ body: commands })
    ready()
  },
}
await client.start({ token: BOT_TOKEN })
