import { assertValidCommand } from 'commandry/testing'
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelSelectMenuBuilder,
  ContainerBuilder,
  EmbedBuilder,
  FileBuilder,
  LabelBuilder,
  MediaGalleryBuilder,
  ModalBuilder,
  SectionBuilder,
  SeparatorBuilder,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  TextInputBuilder,
  ThumbnailBuilder,
  UserSelectMenuBuilder,
} from 'discord.js'
import { createInteraction, validateCallback } from 'commandry/interactions'
import { expect, it } from 'vitest'

it('the matchers accept a builder of discord.js', () => {
  const builder = new SlashCommandBuilder().setName('ping').setDescription('Says pong')
  assertValidCommand(builder)
  expect(() => assertValidCommand({ ...builder.toJSON(), name: 'Ping' })).toThrow('"Ping" has upper case')
})

const created = createInteraction({ name: 'ping' })
const buttons = new ActionRowBuilder<ButtonBuilder>().addComponents(
  new ButtonBuilder().setCustomId('a').setLabel('A').setStyle(ButtonStyle.Primary),
  new ButtonBuilder().setCustomId('b').setEmoji('🔥').setStyle(ButtonStyle.Secondary).setDisabled(true),
  new ButtonBuilder().setURL('https://discord.js.org').setLabel('Docs').setStyle(ButtonStyle.Link),
  new ButtonBuilder().setSKUId('77').setStyle(ButtonStyle.Premium),
)
const menu = new StringSelectMenuBuilder()
  .setCustomId('menu')
  .setPlaceholder('Choose')
  .setMinValues(0)
  .setMaxValues(2)
  .setRequired(false)
  .addOptions({ label: 'One', value: '1', default: true }, { label: 'Two', value: '2', emoji: '🔥' })
const users = new UserSelectMenuBuilder().setCustomId('users').setDefaultUsers('3001')
const channels = new ChannelSelectMenuBuilder().setCustomId('channels').addChannelTypes(0)
const rowOf = (one: StringSelectMenuBuilder | UserSelectMenuBuilder | ChannelSelectMenuBuilder) =>
  new ActionRowBuilder<typeof one>().addComponents(one)
const embed = new EmbedBuilder()
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
const text = new TextDisplayBuilder().setContent('# Text')
const container = new ContainerBuilder()
  .setAccentColor(0x58_65_f2)
  .addTextDisplayComponents(text)
  .addSectionComponents(
    new SectionBuilder()
      .addTextDisplayComponents(text)
      .setThumbnailAccessory(new ThumbnailBuilder({ media: { url: 'https://discord.js.org/a.png' } })),
  )
  .addSeparatorComponents(new SeparatorBuilder().setDivider(true).setSpacing(2))
  .addMediaGalleryComponents(new MediaGalleryBuilder().addItems({ media: { url: 'attachment://a.png' } }))
  .addFileComponents(new FileBuilder().setURL('attachment://a.pdf'))
  .addActionRowComponents(buttons)
const input = () => new TextInputBuilder().setCustomId('why').setStyle(2).setMinLength(1).setMaxLength(4000)
const oldModal = new ModalBuilder()
  .setCustomId('modal')
  .setTitle('Why')
  .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(input().setLabel('Why')))
const modal = new ModalBuilder()
  .setCustomId('modal')
  .setTitle('Why')
  .addLabelComponents(
    new LabelBuilder().setLabel('Why').setDescription('Tell').setTextInputComponent(input()),
    new LabelBuilder().setLabel('Which').setStringSelectMenuComponent(menu),
  )
  .addTextDisplayComponents(text)

it.each([
  [4, { content: 'x', embeds: [embed], components: [buttons, rowOf(menu), rowOf(users), rowOf(channels)] }],
  [4, { flags: 1 << 15, components: [text, container, rowOf(menu)] }],
  [9, oldModal],
  [9, modal],
])('[2.11-09] an answer of type %i accepts what discord.js builds', (type, data) => {
  expect(created.ok && validateCallback(created.value, { type, data })).toMatchObject({
    ok: true,
    warnings: [],
  })
})
