import { assertValidCommand } from 'commandry/testing'
import * as discord from 'discord.js'
import { createInteraction, validateCallback } from 'commandry/interactions'
import { expect, it } from 'vitest'

it('the matchers accept a builder of discord.js', () => {
  const builder = new discord.SlashCommandBuilder().setName('ping').setDescription('Says pong')
  assertValidCommand(builder)
  expect(() => assertValidCommand({ ...builder.toJSON(), name: 'Ping' })).toThrow('"Ping" has upper case')
})

const created = createInteraction({ name: 'ping' })
const buttons = new discord.ActionRowBuilder<discord.ButtonBuilder>().addComponents(
  new discord.ButtonBuilder().setCustomId('a').setLabel('A').setStyle(discord.ButtonStyle.Primary),
  new discord.ButtonBuilder()
    .setCustomId('b')
    .setEmoji('🔥')
    .setStyle(discord.ButtonStyle.Secondary)
    .setDisabled(true),
  new discord.ButtonBuilder()
    .setURL('https://discord.js.org')
    .setLabel('Docs')
    .setStyle(discord.ButtonStyle.Link),
  new discord.ButtonBuilder().setSKUId('77').setStyle(discord.ButtonStyle.Premium),
)
const menu = new discord.StringSelectMenuBuilder()
  .setCustomId('menu')
  .setPlaceholder('Choose')
  .setMinValues(0)
  .setMaxValues(2)
  .setRequired(false)
  .addOptions({ label: 'One', value: '1', default: true }, { label: 'Two', value: '2', emoji: '🔥' })
const users = new discord.UserSelectMenuBuilder().setCustomId('users').setDefaultUsers('3001')
const channels = new discord.ChannelSelectMenuBuilder().setCustomId('channels').addChannelTypes(0)
const rowOf = (
  one: discord.StringSelectMenuBuilder | discord.UserSelectMenuBuilder | discord.ChannelSelectMenuBuilder,
) => new discord.ActionRowBuilder<typeof one>().addComponents(one)
const embed = new discord.EmbedBuilder()
  .setTitle('Title')
  .setURL('https://discord.js.org')
  .setDescription('Text')
  .setColor('Blurple')
  .setAuthor({ name: 'Author', iconURL: 'https://discord.js.org/a.png', url: 'https://discord.js.org' })
  .setThumbnail('attachment://a.png')
  .setImage('https://discord.js.org/a.png')
  .setFields({ name: 'Name', value: '\u200b' }, { name: 'Name', value: 'Value', inline: true })
  .setFooter({ text: 'Footer' })
  .setTimestamp()
const text = new discord.TextDisplayBuilder().setContent('# Text')
const container = new discord.ContainerBuilder()
  .setAccentColor(0x58_65_f2)
  .addTextDisplayComponents(text)
  .addSectionComponents(
    new discord.SectionBuilder()
      .addTextDisplayComponents(text)
      .setThumbnailAccessory(
        new discord.ThumbnailBuilder({ media: { url: 'https://discord.js.org/a.png' } }),
      ),
  )
  .addSeparatorComponents(new discord.SeparatorBuilder().setDivider(true).setSpacing(2))
  .addMediaGalleryComponents(
    new discord.MediaGalleryBuilder().addItems({ media: { url: 'attachment://a.png' } }),
  )
  .addFileComponents(new discord.FileBuilder().setURL('attachment://a.pdf'))
  .addActionRowComponents(buttons)
const input = () =>
  new discord.TextInputBuilder().setCustomId('why').setStyle(2).setMinLength(1).setMaxLength(4000)
const oldModal = new discord.ModalBuilder()
  .setCustomId('modal')
  .setTitle('Why')
  .addComponents(
    new discord.ActionRowBuilder<discord.TextInputBuilder>().addComponents(input().setLabel('Why')),
  )
const modal = new discord.ModalBuilder()
  .setCustomId('modal')
  .setTitle('Why')
  .addLabelComponents(
    new discord.LabelBuilder().setLabel('Why').setDescription('Tell').setTextInputComponent(input()),
    new discord.LabelBuilder().setLabel('Which').setStringSelectMenuComponent(menu),
  )
  .addTextDisplayComponents(text)

it.each([
  [4, { content: 'x', embeds: [embed], components: [buttons, rowOf(menu), rowOf(users), rowOf(channels)] }],
  [4, { flags: 1 << 15, components: [text, container, rowOf(menu)] }],
  [9, oldModal],
  [9, modal],
])('[2.11-09] an answer of type %i accepts what discord.js builds', (type, data) => {
  const read = created.ok ? validateCallback(created.value, { type, data }) : created
  // No app of a test has a SKU.
  const warnings = read.warnings.filter(({ code }) => code !== 'button.sku')
  expect([read.ok, warnings]).toEqual([true, []])
})
