/** A moderation bot with discord.js, written as for Discord. */
import {
  ActionRowBuilder,
  ApplicationCommandType,
  AuditLogEvent,
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
const named = (name) => (option) => option.setName(name).setDescription(name).setRequired(true)
const user = (command) => command.addUserOption(named('user'))
const role = (command) => command.addRoleOption(named('role'))
const text = (name) => (command) => command.addStringOption(named(name))
const number = (name) => (command) => command.addIntegerOption(named(name))
const reason = (command) => command.addStringOption((option) => named('reason')(option).setRequired(false))
const tag = (command) => command.addStringOption((option) => named('name')(option).setAutocomplete(true))
const needs = (bits) => (command) => command.setDefaultMemberPermissions(bits)

export const commands = [
  slash('ban', user, reason, needs(BanMembers)),
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
  slash('tag', tag),
  slash('slow'),
  slash('case', user, text('reason'), needs(ModerateMembers)),
  slash('log', needs(ModerateMembers)),
  new ContextMenuCommandBuilder().setName('Avatar').setType(ApplicationCommandType.User),
  new ContextMenuCommandBuilder().setName('Pin').setType(ApplicationCommandType.Message),
]

const row = (...components) => new ActionRowBuilder().addComponents(...components)
const button = (id, label, style = ButtonStyle.Primary) =>
  new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style)
const hidden = (content) => ({ content, flags: MessageFlags.Ephemeral })
const tags = ['rules', 'roles', 'help']
const warnings = new Map()

/** Does something, then replies. */
const replying = (reply, act) => async (use) => {
  await act(use)
  await use.reply(reply)
}
const memberOf = (use) => use.options.getMember('user')
const ownMessage = async ({ channel, client }) =>
  (await channel.messages.fetch()).find(({ author }) => author.id === client.user.id)

const answers = {
  async ban(use) {
    const target = memberOf(use)
    if (!target.bannable) return use.reply(hidden('I cannot ban them'))
    await use.guild.members.ban(target, { reason: use.options.getString('reason') })
    await use.reply(`Banned ${target.user.username}`)
  },
  unban: replying('Unbanned', (use) => use.guild.bans.remove(use.options.getUser('user'))),
  async kick(use) {
    const target = memberOf(use)
    if (!target.kickable) return use.reply(hidden('I cannot kick them'))
    await target.kick('by command')
    await use.reply('Kicked')
  },
  timeout: replying('Timed out', (use) => memberOf(use).timeout(use.options.getInteger('minutes') * 60_000)),
  'role-add': replying('Added', (use) => memberOf(use).roles.add(use.options.getRole('role'))),
  'role-remove': replying('Removed', (use) => memberOf(use).roles.remove(use.options.getRole('role'))),
  nick: replying('Renamed', (use) => memberOf(use).setNickname(use.options.getString('name'))),
  async purge(use) {
    await use.deferReply({ flags: MessageFlags.Ephemeral })
    const deleted = await use.channel.bulkDelete(use.options.getInteger('count'))
    await use.editReply(`Deleted ${deleted.size}`)
  },
  say: replying(hidden('Said'), (use) =>
    use.channel.send({ content: use.options.getString('text'), components: [row(button('ok', 'OK'))] }),
  ),
  edit: replying(hidden('Edited'), async (use) =>
    (await ownMessage(use)).edit(use.options.getString('text')),
  ),
  delete: replying(hidden('Deleted'), async (use) => (await ownMessage(use)).delete()),
  react: replying(hidden('Reacted'), async (use) =>
    (await use.channel.messages.fetch({ limit: 1 })).first().react('👍'),
  ),
  dm: replying(hidden('Sent'), (use) => use.options.getUser('user').send(use.options.getString('text'))),
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
  topic: replying('Changed', (use) => use.channel.setTopic(use.options.getString('text'))),
  lock: replying('Locked', (use) =>
    use.channel.permissionOverwrites.edit(use.guild.roles.everyone, { SendMessages: false }),
  ),
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
  async case(use) {
    const target = use.options.getUser('user')
    const why = use.options.getString('reason')
    const thread = await use.channel.threads.create({ name: `case-${target.username}`, reason: why })
    await thread.members.add(target)
    const record = Buffer.from(`${target.username}: ${why}`)
    const first = await thread.send({ content: why, files: [{ attachment: record, name: 'case.txt' }] })
    await first.pin()
    await use.reply(`See ${thread}`)
  },
  async log(use) {
    const { entries } = await use.guild.fetchAuditLogs({ limit: 3 })
    const lines = entries.map(
      ({ action, executor, reason }) => `${AuditLogEvent[action]} by ${executor.username}: ${reason}`,
    )
    await use.reply(hidden(lines.join('\n')))
  },
  Avatar: (use) => use.reply(hidden(`${use.targetMember.displayName} has no picture`)),
  Pin: replying(hidden('Pinned'), (use) => use.targetMessage.pin()),
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

/** Logs the bot in to a testbed. `onError` gets what a command throws. */
export async function startBot({ rest, token }, onError) {
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
