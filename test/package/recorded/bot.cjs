const {
  ActionRowBuilder,
  ButtonBuilder,
  Client,
  Events,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  Partials,
  SlashCommandBuilder,
  TextInputBuilder,
} = require('discord.js')

const HOUR = 3_600_000
const commands = [
  new SlashCommandBuilder()
    .setName('ticket')
    .setDescription('Opens a ticket')
    .addStringOption((one) => one.setName('topic').setDescription('About what').setRequired(true)),
  new SlashCommandBuilder()
    .setName('hello')
    .setNameLocalizations({ de: 'hallo' })
    .setDescription('Says hello')
    .addUserOption((one) => one.setName('to').setDescription('To whom').setRequired(true)),
]
const button = (id, label) => [
  new ActionRowBuilder().addComponents(new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(1)),
]
const hello = { 'en-US': 'Hello', de: 'Guten Tag' }

const client = new Client({
  intents: [
    'Guilds',
    'GuildMessages',
    'MessageContent',
    'DirectMessages',
    'GuildMembers',
    'GuildMessageReactions',
  ],
  partials: [Partials.Channel],
})
const uses = {
  async ticket(interaction) {
    const why = new TextInputBuilder().setCustomId(`why-${interaction.id}`).setStyle(2)
    const label = new LabelBuilder().setLabel('What happened?').setTextInputComponent(why)
    const topic = interaction.options.getString('topic')
    await interaction.showModal(
      new ModalBuilder().setCustomId(`ticket-${topic}`).setTitle('Ticket').addLabelComponents(label),
    )
  },
  hello: (interaction) =>
    interaction.reply(
      `${hello[interaction.locale] ?? hello['en-US']}, ${interaction.options.getUser('to')}!`,
    ),
}
client.once(Events.ClientReady, () => client.application.commands.set(commands))
client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isChatInputCommand()) return uses[interaction.commandName](interaction)
  if (interaction.isModalSubmit()) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    const topic = interaction.customId.split('-')[1]
    const thread = await interaction.channel.threads.create({
      name: `${topic}-${interaction.user.username}`,
    })
    const [why] = interaction.fields.fields.values()
    await thread.send({
      content: `${interaction.user}: ${why.value}`,
      components: button(`claim-${interaction.id}`, 'Claim'),
    })
    await interaction.editReply(`Opened ${thread}`)
    await interaction.followUp({ content: 'A moderator comes soon', flags: MessageFlags.Ephemeral })
    setTimeout(() => thread.send('Still there?'), HOUR)
  } else if (interaction.isButton()) {
    await interaction.update({ content: `Claimed by ${interaction.user.username}`, components: [] })
    const { users } = interaction.client
    const ada = [...users.cache.values()].find((one) => one.username === 'ada') ?? (await users.fetch('3001'))
    await ada.send(`${interaction.user.username} has claimed your ticket`)
  }
})
client.on(Events.MessageCreate, async (message) => {
  if (message.content === 'Buy now') return message.delete()
  const [file] = message.attachments.values()
  if (message.author.bot || file === undefined) return
  await message.react('👀')
  await message.reply(`${file.name}: ${(await (await fetch(file.url)).text()).length} characters`)
})
client.on(Events.GuildMemberAdd, (member) =>
  member.guild.channels.cache.find((one) => one.name === 'general').send(`Welcome, ${member}!`),
)
void client.login(process.env.DISCORD_TOKEN)
