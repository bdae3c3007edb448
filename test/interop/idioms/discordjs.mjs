/** Idioms of the guide of discord.js, of its newer and its older editions. */
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  ComponentType,
  ModalBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'
import { BOT_REST, BOT_TOKEN, button, done, PAGES, question, row } from './idioms.mjs'

const client = new Client({
  intents: ['Guilds', 'GuildMessages', 'MessageContent', 'GuildMessageReactions'],
  ...(BOT_REST && { rest: { api: BOT_REST } }),
})
const time = 60_000

const commands = {
  async fetched(use) {
    await use.reply(question)
    const message = await use.fetchReply()
    const press = await message.awaitMessageComponent({ filter: (one) => one.user.id === use.user.id, time })
    await press.update(done)
  },
  async resource(use) {
    const response = await use.reply({ ...question, withResponse: true })
    try {
      const filter = (one) => one.user.id === use.user.id
      const press = await response.resource.message.awaitMessageComponent({ filter, time })
      if (press.customId === 'yes') await press.update(done)
      else await press.update({ content: 'Cancelled', components: [] })
    } catch {
      await use.editReply({ content: 'Not confirmed within a minute', components: [] })
    }
  },
  async collector(use) {
    const response = await use.reply({ content: '0', components: [row(button('More'))], withResponse: true })
    let count = 0
    const collector = response.resource.message.createMessageComponentCollector({
      componentType: ComponentType.Button,
      time,
    })
    collector.on('collect', (press) => press.update(String(++count)))
  },
  async menu(use) {
    const menu = new StringSelectMenuBuilder()
      .setCustomId('starter')
      .setPlaceholder('Choose one')
      .addOptions({ label: 'Bulbasaur', value: 'grass' }, { label: 'Squirtle', value: 'water' })
    await use.reply({ content: 'Which?', components: [new ActionRowBuilder().addComponents(menu)] })
    const message = await use.fetchReply()
    message.createMessageComponentCollector({ time }).on('collect', async (choice) => {
      await choice.deferUpdate()
      await choice.editReply(`You chose ${choice.values[0]}`)
    })
  },
  async wizard(use) {
    await use.deferReply()
    const first = await use.editReply(question)
    const press = await first.awaitMessageComponent({ time })
    await press.deferUpdate()
    const second = await use.editReply({ content: 'Really?', components: [row(button('Really'))] })
    const again = await second.awaitMessageComponent({ time })
    await again.update({ content: 'Last one', components: [row(button('Finish'))] })
    const message = await again.fetchReply()
    const last = await message.awaitMessageComponent({ time })
    await last.update(done)
  },
  async pages(use) {
    let page = 0
    const shown = () => {
      const buttons = [button('Back').custom_id, button('Next').custom_id].map((id) =>
        new ButtonBuilder()
          .setCustomId(id)
          .setLabel(id)
          .setStyle(ButtonStyle.Primary)
          .setDisabled(id === 'back' ? page === 0 : page === PAGES.length - 1),
      )
      return {
        embeds: [{ description: PAGES[page] }],
        components: [new ActionRowBuilder().addComponents(buttons)],
      }
    }
    await use.deferReply()
    await use.editReply(shown())
    const message = await use.fetchReply()
    message.createMessageComponentCollector({ idle: time }).on('collect', async (press) => {
      page += press.customId === 'next' ? 1 : -1
      await press.update(shown())
    })
  },
  async form(use) {
    const input = new TextInputBuilder()
      .setCustomId('name')
      .setLabel('Name')
      .setStyle(TextInputStyle.Short)
      .setMaxLength(100)
    const modal = new ModalBuilder().setCustomId(`form-${use.id}`).setTitle('Form')
    await use.showModal(modal.addComponents(new ActionRowBuilder().addComponents(input)))
    const submitted = await use.awaitModalSubmit({ time, filter: (one) => one.customId === `form-${use.id}` })
    await submitted.reply(`Hello, ${submitted.fields.getTextInputValue('name')}`)
  },
  async followed(use) {
    await use.reply('First')
    const message = await use.followUp(question)
    const press = await message.awaitMessageComponent({ time })
    await press.update(done)
  },
  async both(use) {
    await use.reply({ content: 'Edit it', components: [row(button('Edit'))] })
    const message = await use.fetchReply()
    const press = await message.awaitMessageComponent({ time })
    await press.showModal({
      custom_id: `edit-${press.id}`,
      title: 'Edit',
      components: [row({ type: 4, custom_id: 'text', label: 'Text', style: 1, max_length: 100 })],
    })
    const submitted = await press.awaitModalSubmit({ time })
    await submitted.update({ content: submitted.fields.getTextInputValue('text'), components: [] })
  },
}

const messages = {
  async '!quiz'({ channel }) {
    await channel.send('2+2?')
    const found = await channel.awaitMessages({ filter: ({ content }) => content === '4', max: 1, time })
    await channel.send(`${found.first().author.username} wins`)
  },
  async '!vote'({ channel }) {
    const message = await channel.send('Vote')
    await message.react('👍')
    await message.react('👎')
    const filter = (reaction, user) => !user.bot
    const found = await message.awaitReactions({ filter, max: 1, time })
    await channel.send(`Voted ${found.first().emoji.name}`)
  },
}

client.on('interactionCreate', (use) => {
  if (use.isChatInputCommand()) void commands[use.commandName](use)
})
client.on('messageCreate', (message) => void messages[message.content]?.(message))
client.once('clientReady', () => console.log('ready'))
await client.login(BOT_TOKEN)
