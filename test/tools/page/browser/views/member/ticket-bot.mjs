/** A bot of discord.js for the page: it bans after a modal, opens tickets in threads, and reminds. */
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  Events,
  FileUploadBuilder,
  GatewayIntentBits,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'

const MINUTE = 60_000
const intents = ['Guilds', 'GuildMembers', 'GuildMessages', 'MessageContent', 'DirectMessages']
const client = new Client({ intents: intents.map((name) => GatewayIntentBits[name]) })

const commands = [
  {
    name: 'ban',
    description: 'Ban a member',
    default_member_permissions: '4',
    options: [{ type: 6, name: 'user', description: 'Whom to ban', required: true }],
  },
  { name: 'remind', description: 'Remind me in ten minutes' },
  { name: 'ticket', description: 'Ask the team for help' },
]

const text = (id, style = TextInputStyle.Short) => new TextInputBuilder().setCustomId(id).setStyle(style)
const label = (name, description) => new LabelBuilder().setLabel(name).setDescription(description)
const modal = (id, title, ...labels) =>
  new ModalBuilder()
    .setCustomId(id)
    .setTitle(title)
    .addLabelComponents(...labels)
const button = (id, name, style) => new ButtonBuilder().setCustomId(id).setLabel(name).setStyle(style)
const row = (...components) => new ActionRowBuilder().addComponents(...components)

const uses = {
  async ban(use) {
    const { id } = use.options.getUser('user')
    const reason = label('Reason', 'Shown in the audit log').setTextInputComponent(text('reason'))
    await use.showModal(modal(`ban ${id}`, 'Ban a member', reason))
  },
  async remind(use) {
    await use.reply('I will')
    setTimeout(() => use.channel.send(`${use.user}, ten minutes are over`), 10 * MINUTE)
  },
  async ticket(use) {
    const what = label('What happened?', 'One sentence is enough').setTextInputComponent(
      text('what', TextInputStyle.Paragraph),
    )
    const upload = new FileUploadBuilder().setCustomId('picture').setRequired(false)
    await use.showModal(
      modal('ticket', 'New ticket', what, label('Picture', 'Of what you see').setFileUploadComponent(upload)),
    )
  },
}

const submits = {
  async ban(use, id) {
    const reason = use.fields.getTextInputValue('reason')
    const user = await use.client.users.fetch(id)
    await use.guild.members.ban(user, { reason })
    await use.user.send(`You banned **${user.displayName}**: ${reason}`)
    await use.reply(`Banned ${user.displayName}`)
  },
  async ticket(use) {
    const files = [...(use.fields.getUploadedFiles('picture')?.values() ?? [])]
    const thread = await use.channel.threads.create({ name: `ticket-${use.user.username}` })
    await thread.members.add(use.user)
    const attachments = await Promise.all(
      files.map(async ({ name, url }) => ({
        name,
        attachment: Buffer.from(await (await fetch(url)).arrayBuffer()),
      })),
    )
    await thread.send({
      content: `${use.user}: ${use.fields.getTextInputValue('what')}`,
      components: [
        row(button('claim', 'Claim', ButtonStyle.Primary), button('close', 'Close', ButtonStyle.Danger)),
      ],
      files: attachments,
    })
    await use.reply({ content: `Your ticket is ${thread}`, flags: MessageFlags.Ephemeral })
  },
}

const presses = {
  async claim(use) {
    const [{ components }] = use.message.components
    const [, close] = components
    await use.update({
      content: `${use.message.content}\n-# claimed by ${use.member.displayName}`,
      components: [row(ButtonBuilder.from(close))],
    })
  },
  async close(use) {
    await use.reply('Closed')
    await use.channel.setLocked(true)
    await use.channel.setArchived(true)
  },
}

client.on(Events.InteractionCreate, async (use) => {
  if (use.isChatInputCommand()) return uses[use.commandName](use)
  const [name, ...more] = use.customId.split(' ')
  if (use.isModalSubmit()) return submits[name](use, ...more)
  if (use.isButton()) return presses[name](use)
})

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

client.once(Events.ClientReady, async () => {
  await client.user.setAvatar(picture)
  await client.application.commands.set(commands)
})
void client.login(process.env.DISCORD_TOKEN)
