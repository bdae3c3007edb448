import { Client } from 'seyfert'
import { BOT_APPLICATION, BOT_TOKEN, choicesFor, commands, FILE, ready } from './commands.mjs'

// It speaks only TLS on the default port, so it needs commandry/redirect.
const client = new Client({
  getRC: () => ({ token: BOT_TOKEN, intents: 1, locations: { base: '.' }, debug: false }),
})

const answers = {
  ping: (use) => use.write({ content: 'pong' }),
  async slow(use) {
    await use.deferReply()
    await use.editResponse({ content: 'working' })
    const { content } = await use.fetchResponse()
    await use.editResponse({ content: `done after ${content}` })
  },
  async more(use) {
    await use.write({ content: 'first' })
    await use.followup({ content: 'second' })
  },
  secret: (use) => use.write({ content: 'psst', flags: 64 }),
  file: (use) =>
    use.write({ content: 'here', files: [{ filename: FILE.name, data: Buffer.from(FILE.text) }] }),
  async gone(use) {
    await use.write({ content: 'gone' })
    await use.deleteResponse()
  },
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
