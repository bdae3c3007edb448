const { PermissionFlagsBits, SlashCommandBuilder } = require('discord.js')

module.exports = {
  data: new SlashCommandBuilder()
    .setName('ban')
    .setDescription('Bans a member')
    .setDefaultMemberPermissions(PermissionFlagsBits.BanMembers)
    .addUserOption((option) => option.setName('user').setDescription('Whom to ban').setRequired(true))
    .addIntegerOption((option) =>
      option.setName('days').setDescription('Messages to delete').addChoices({ name: 'One', value: 1 }),
    ),
  async execute() {},
}
