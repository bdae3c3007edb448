const { SlashCommandBuilder } = require('discord.js')

// The builders accept all of this; Discord does not.
module.exports = [
  {
    data: new SlashCommandBuilder()
      .setName('remind')
      .setDescription('Reminds you')
      .addStringOption((option) => option.setName('what').setDescription('What'))
      .addIntegerOption((option) => option.setName('hours').setDescription('When').setRequired(true)),
    async execute() {},
  },
  {
    data: new SlashCommandBuilder()
      .setName('echo')
      .setDescription('Repeats')
      .addStringOption((option) => option.setName('text').setDescription('What'))
      .addStringOption((option) => option.setName('text').setDescription('Again')),
    async execute() {},
  },
]
