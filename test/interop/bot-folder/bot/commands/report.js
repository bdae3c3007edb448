const { ApplicationCommandType, ContextMenuCommandBuilder } = require('discord.js')

exports.data = new ContextMenuCommandBuilder()
  .setName('Report message')
  .setType(ApplicationCommandType.Message)
exports.execute = async () => {}
