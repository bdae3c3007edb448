/** Builders of discord.js wherever a definition is taken. See `definitions.test-d.ts`. */
import { ContextMenuCommandBuilder, SlashCommandBuilder } from 'discord.js'
import { validateCommand } from 'commandry'
import { createInteraction, readOptions, type ChatClient } from 'commandry/interactions'
import { testbed } from 'commandry/testbed'
import { interactionFor } from 'commandry/testing'

declare const client: ChatClient

const slash = new SlashCommandBuilder()
  .setName('echo')
  .setDescription('Repeats a text')
  .addStringOption((option) => option.setName('text').setDescription('The text'))
const menu = new ContextMenuCommandBuilder().setName('Report').setType(2)

createInteraction(slash, { options: { text: 'x' } })
createInteraction(menu, { target: '1' })
validateCommand(slash)
void client.invoke(slash, { options: { text: 'x' } })
interactionFor(menu)
const used = interactionFor(slash, { options: { text: 'x' } })
if (used.type === 2) readOptions(used, slash).values['text']

export const bed = testbed({ commands: [slash, menu, { name: 'ping', description: 'Says pong' }] })
void bed.then((one) => [one.as('moderator'), one.as('alan')])
export const title = async () => {
  const shown = await (await bed).as('alan').use('/echo text:x')
  return [shown.message?.embeds[0]?.title, shown.message?.components[0]?.components?.[0]?.label]
}
