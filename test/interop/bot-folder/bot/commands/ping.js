const { SlashCommandBuilder } = require('discord.js')

module.exports = {
  data: new SlashCommandBuilder()
    .setName('ping')
    .setDescription('Replies with pong')
    .addStringOption((option) => option.setName('text').setDescription('What to reply').setRequired(true)),
  async execute(interaction) {
    await interaction.reply(interaction.options.getString('text'))
  },
}
