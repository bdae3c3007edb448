import { createBot } from '@discordeno/bot'
import { BOT_REST, BOT_TOKEN, choicesFor, commands, FILE, ready, textAnswers } from './commands.mjs'

const all = (names) => Object.fromEntries(names.split(' ').map((name) => [name, true]))

const bot = createBot({
  token: BOT_TOKEN,
  intents: 1,
  ...(BOT_REST && {
    rest: { token: BOT_TOKEN, proxy: { baseUrl: BOT_REST, authorization: `Bot ${BOT_TOKEN}` } },
  }),
  desiredProperties: {
    interaction: all('id applicationId token type data user member guildId channelId message'),
    message: all('id content flags attachments components'),
    user: all('id username'),
    member: all('id user roles'),
    channel: all('id name type'),
    role: all('id name'),
  },
  events: {
    async ready() {
      await bot.rest.upsertGlobalApplicationCommands(commands)
      ready()
    },
    async interactionCreate(use) {
      if (use.type === 4) await use.respond({ choices: choicesFor(use.data.options[0].value) })
      else if (use.type === 3) await use.edit({ content: 'undone', components: [] })
      else if (use.type === 5) await use.respond(`Hello, ${use.data.components[0].components[0].value}`)
      else await answers[use.data.name](use)
    },
  },
})

const answers = {
  // Interactions have no method that reads the reply, so `slow` is below.
  ...textAnswers('respond', 'defer', 'edit', undefined, 'respond', 'delete'),
  async slow(use) {
    await use.defer()
    await use.edit('working')
    const { content } = await bot.rest.getOriginalInteractionResponse(use.token)
    await use.edit(`done after ${content}`)
  },
  secret: (use) => use.respond('psst', { isPrivate: true }),
  file: (use) => use.respond({ content: 'here', files: [{ name: FILE.name, blob: new Blob([FILE.text]) }] }),
  form: (use) =>
    use.respond({
      customId: 'form',
      title: 'Form',
      components: [{ type: 1, components: [{ type: 4, customId: 'name', label: 'Name', style: 1 }] }],
    }),
  button: (use) =>
    use.respond({
      content: 'armed',
      components: [{ type: 1, components: [{ type: 2, style: 4, label: 'Undo', customId: 'undo' }] }],
    }),
  find: (use) => use.respond(`found ${use.data.options[0].value}`),
  config(use) {
    const [group] = use.data.options
    const [command] = group.options
    const { users, channels, roles } = use.data.resolved
    const names = [...users.values(), ...channels.values(), ...roles.values()].map(
      (one) => one.username ?? one.name,
    )
    return use.respond([group.name, command.name, ...names].join(' '))
  },
  Greet: (use) => use.respond(`Hello, ${[...use.data.resolved.users.values()][0].username}`),
}

await bot.start()
