/** A moderation bot with discord.js, written as for Discord. */
import {
  ActionRowBuilder,
  ApplicationCommandType,
  ButtonBuilder,
  ButtonStyle,
  Client,
  ContextMenuCommandBuilder,
  EmbedBuilder,
  Events,
  GatewayIntentBits,
  MessageFlags,
  ModalBuilder,
  PermissionFlagsBits,
  SlashCommandBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from 'discord.js'

const { BanMembers, KickMembers, ManageMessages, ModerateMembers } = PermissionFlagsBits

const slash = (name, ...options) => {
  const command = new SlashCommandBuilder().setName(name).setDescription(`Runs ${name}`)
  for (const add of options) add(command)
  return command
}
const user = (command) =>
  command.addUserOption((option) => option.setName('user').setDescription('Whom').setRequired(true))
const role = (command) =>
  command.addRoleOption((option) => option.setName('role').setDescription('Which role').setRequired(true))
const text =
  (name, isRequired = true) =>
  (command) =>
    command.addStringOption((option) => option.setName(name).setDescription(name).setRequired(isRequired))
const number = (name) => (command) =>
  command.addIntegerOption((option) => option.setName(name).setDescription(name).setRequired(true))
const needs = (bits) => (command) => command.setDefaultMemberPermissions(bits)

export const commands = [
  slash('ban', user, text('reason', false), needs(BanMembers)),
  slash('unban', user, needs(BanMembers)),
  slash('kick', user, needs(KickMembers)),
  slash('timeout', user, number('minutes'), needs(ModerateMembers)),
  slash('role-add', user, role),
  slash('role-remove', user, role),
  slash('nick', user, text('name')),
  slash('purge', number('count'), needs(ManageMessages)),
  slash('say', text('text')),
  slash('edit', text('text')),
  slash('delete'),
  slash('react'),
  slash('dm', user, text('text')),
  slash('warn', user, text('reason')),
  slash('userinfo', user),
  slash('roles'),
  slash('topic', text('text')),
  slash('lock'),
  slash('poll', text('question')),
  slash('report'),
  slash('inspect'),
  slash('tag', (command) =>
    command.addStringOption((option) =>
      option.setName('name').setDescription('Which').setRequired(true).setAutocomplete(true),
    ),
  ),
  slash('slow'),
  new ContextMenuCommandBuilder().setName('Avatar').setType(ApplicationCommandType.User),
  new ContextMenuCommandBuilder().setName('Pin').setType(ApplicationCommandType.Message),
]

const row = (...components) => new ActionRowBuilder().addComponents(...components)
const button = (id, label, style = ButtonStyle.Primary) =>
  new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style)
const hidden = (content) => ({ content, flags: MessageFlags.Ephemeral })
const tags = ['rules', 'roles', 'help']
const warnings = new Map()

const answers = {
  async ban(use) {
    const target = use.options.getMember('user')
    if (!target.bannable) return use.reply(hidden('I cannot ban them'))
    await use.guild.members.ban(target, { reason: use.options.getString('reason') })
    await use.reply(`Banned ${target.user.username}`)
  },
  async unban(use) {
    await use.guild.bans.remove(use.options.getUser('user'))
    await use.reply('Unbanned')
  },
  async kick(use) {
    const target = use.options.getMember('user')
    if (!target.kickable) return use.reply(hidden('I cannot kick them'))
    await target.kick('by command')
    await use.reply('Kicked')
  },
  async timeout(use) {
    await use.options.getMember('user').timeout(use.options.getInteger('minutes') * 60_000)
    await use.reply('Timed out')
  },
  async 'role-add'(use) {
    await use.options.getMember('user').roles.add(use.options.getRole('role'))
    await use.reply('Added')
  },
  async 'role-remove'(use) {
    await use.options.getMember('user').roles.remove(use.options.getRole('role'))
    await use.reply('Removed')
  },
  async nick(use) {
    await use.options.getMember('user').setNickname(use.options.getString('name'))
    await use.reply('Renamed')
  },
  async purge(use) {
    await use.deferReply({ flags: MessageFlags.Ephemeral })
    const deleted = await use.channel.bulkDelete(use.options.getInteger('count'))
    await use.editReply(`Deleted ${deleted.size}`)
  },
  async say(use) {
    await use.channel.send({ content: use.options.getString('text'), components: [row(button('ok', 'OK'))] })
    await use.reply(hidden('Said'))
  },
  async edit(use) {
    const own = (await use.channel.messages.fetch()).find((one) => one.author.id === use.client.user.id)
    await own.edit(use.options.getString('text'))
    await use.reply(hidden('Edited'))
  },
  async delete(use) {
    const own = (await use.channel.messages.fetch()).find((one) => one.author.id === use.client.user.id)
    await own.delete()
    await use.reply(hidden('Deleted'))
  },
  async react(use) {
    const last = (await use.channel.messages.fetch({ limit: 1 })).first()
    await last.react('👍')
    await use.reply(hidden('Reacted'))
  },
  async dm(use) {
    await use.options.getUser('user').send(use.options.getString('text'))
    await use.reply(hidden('Sent'))
  },
  async warn(use) {
    const { id } = use.options.getUser('user')
    warnings.set(id, [...(warnings.get(id) ?? []), use.options.getString('reason')])
    const embed = new EmbedBuilder()
      .setTitle('Warning')
      .setDescription(`<@${id}>, please stop`)
      .addFields({ name: 'Reason', value: warnings.get(id).join(', ') })
      .setTimestamp()
    await use.reply({ embeds: [embed] })
  },
  async userinfo(use) {
    const { id } = use.options.getUser('user')
    const member = await use.guild.members.fetch({ user: id, force: true })
    const { username } = await use.client.users.fetch(id, { force: true })
    const names = member.roles.cache.map(({ name }) => name).join(', ')
    await use.reply(`${username} (${member.nickname ?? 'no nickname'}): ${names}`)
  },
  async roles(use) {
    const roles = await use.guild.roles.fetch()
    await use.reply([...roles.values()].map(({ name }) => name).join('\n'))
  },
  async topic(use) {
    await use.channel.setTopic(use.options.getString('text'))
    await use.reply('Changed')
  },
  async lock(use) {
    await use.channel.permissionOverwrites.edit(use.guild.roles.everyone, { SendMessages: false })
    await use.reply('Locked')
  },
  async poll(use) {
    const votes = new Map()
    const buttons = row(button('yes', 'Yes', ButtonStyle.Success), button('no', 'No', ButtonStyle.Danger))
    const { resource } = await use.reply({
      content: use.options.getString('question'),
      components: [buttons],
      withResponse: true,
    })
    const filter = (vote) => vote.user.id !== use.user.id
    const collector = resource.message.createMessageComponentCollector({ filter, max: 2 })
    collector.on('collect', async (vote) => {
      votes.set(vote.user.username, vote.customId)
      await vote.reply(hidden(`You voted ${vote.customId}`))
    })
    collector.on('ignore', (vote) => vote.reply(hidden('You may not vote in your own poll')))
    collector.on('end', () => {
      const result = [...votes].map(([name, vote]) => `${name}: ${vote}`).join(', ')
      return use.editReply({ content: result, components: [] })
    })
  },
  report: (use) =>
    use.showModal(
      new ModalBuilder()
        .setCustomId('report')
        .setTitle('Report')
        .addComponents(
          row(new TextInputBuilder().setCustomId('why').setLabel('Why').setStyle(TextInputStyle.Paragraph)),
        ),
    ),
  inspect: (use) =>
    use.reply({ content: 'Whom?', components: [row(new UserSelectMenuBuilder().setCustomId('inspect'))] }),
  tag: (use) => use.reply(`Tag ${use.options.getString('name')}`),
  async slow(use) {
    await use.deferReply()
    await use.editReply('Done')
    await use.followUp('And more')
  },
  Avatar: (use) => use.reply(hidden(`${use.targetMember.displayName} has no picture`)),
  async Pin(use) {
    await use.targetMessage.reply('Look here')
    await use.reply(hidden('Replied'))
  },
}

const components = {
  ok: (use) => use.update({ content: `${use.user.username} agreed`, components: [] }),
  report: (use) => use.reply(hidden(`Reported: ${use.fields.getTextInputValue('why')}`)),
  inspect(use) {
    const member = use.members.first()
    return use.update({
      content: `${member.displayName} has ${member.roles.cache.size - 1} roles`,
      components: [],
    })
  },
}

/** Logs the bot in. `onError` gets what a command throws. */
export async function startBot({ rest, token, onError }) {
  const { Guilds, GuildMembers, GuildMessages, MessageContent } = GatewayIntentBits
  const client = new Client({
    intents: [Guilds, GuildMembers, GuildMessages, MessageContent],
    rest: { api: rest },
  })
  client.on(Events.InteractionCreate, async (use) => {
    try {
      if (use.isAutocomplete()) {
        const typed = use.options.getFocused()
        const found = tags.filter((tag) => tag.startsWith(typed))
        await use.respond(found.map((name) => ({ name, value: name })))
      } else if (use.isCommand()) await answers[use.commandName](use)
      else await components[use.customId]?.(use)
    } catch (error) {
      onError(error)
    }
  })
  client.on(Events.GuildMemberAdd, (member) =>
    member.guild.channels.cache.first().send(`Welcome, ${member}!`),
  )
  client.on(Events.MessageCreate, (message) => {
    if (message.content === '!ping') return message.reply('pong')
  })
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve))
  await client.login(token)
  await ready
  return client
}
