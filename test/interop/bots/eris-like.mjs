/** A bot of eris, or of dysnomia, which began as a copy of it. */
import { choicesFor, commands, FILE, modal, ready, textAnswers, undo } from './commands.mjs'

export async function run(client) {
  const value = (list, name) => list.find((option) => option.name === name).value
  const answers = {
    ...textAnswers(
      'createMessage',
      'defer',
      'editOriginalMessage',
      'getOriginalMessage',
      'createFollowup',
      'deleteOriginalMessage',
    ),
    file(use) {
      const file = Buffer.from(FILE.text)
      // Dysnomia accepts files within the content, eris as a separate argument.
      const isDysnomia = use.createMessage.length === 1
      return isDysnomia
        ? use.createMessage({ content: 'here', attachments: [{ filename: FILE.name, file }] })
        : use.createMessage('here', { name: FILE.name, file })
    },
    form: (use) => use.createModal(modal),
    button: (use) => use.createMessage({ content: 'armed', components: [{ type: 1, components: [undo] }] }),
    find: (use) => use.createMessage(`found ${value(use.data.options, 'query')}`),
    config(use) {
      const [group] = use.data.options
      const [command] = group.options
      const { users, channels, roles } = use.data.resolved
      const things = [
        users.get(value(command.options, 'user')).username,
        // eris resolves channels without their names, which it takes from its servers.
        client.getChannel(channels.get(value(command.options, 'channel')).id).name,
        roles.get(value(command.options, 'role')).name,
      ]
      return use.createMessage([group.name, command.name, ...things].join(' '))
    },
    Greet: (use) =>
      use.createMessage(
        `Hello, ${use.data.resolved.users.get(use.data.target_id ?? use.data.targetID).username}`,
      ),
  }

  client.on('error', console.error)
  client.on('interactionCreate', async (use) => {
    if (use.type === 4) await use.acknowledge(choicesFor(use.data.options[0].value))
    else if (use.type === 3) await use.editParent({ content: 'undone', components: [] })
    else if (use.type === 5) await use.createMessage(`Hello, ${use.data.components[0].components[0].value}`)
    else await answers[use.data.name](use)
  })
  client.once('ready', async () => {
    await client.bulkEditCommands(commands)
    ready()
  })
  await client.connect()
}
