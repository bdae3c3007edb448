/** Idioms of the guide of seyfert. It speaks only TLS on the default port, so it needs commandry/redirect. */
import { Client } from 'seyfert'
import { BOT_TOKEN, button, done, PAGES, question, row } from './idioms.mjs'

const client = new Client({
  getRC: () => ({ token: BOT_TOKEN, intents: 1, locations: { base: '.' }, debug: false }),
})

const commands = {
  async confirm(use) {
    await use.write(question)
    const message = await use.fetchResponse()
    const collector = message.createComponentCollector()
    collector.run('yes', (press) => press.update(done))
    collector.run('no', (press) => press.update({ content: 'Cancelled', components: [] }))
  },
  async awaited(use) {
    const message = await use.write(question, true)
    const collector = message.createComponentCollector()
    const press = await collector.waitFor(['yes', 'no'])
    await press?.update(done)
  },
  async pages(use) {
    let page = 0
    const shown = () => ({ content: PAGES[page], components: [row(button('Next'))] })
    await use.deferReply()
    await use.editResponse(shown())
    const message = await use.fetchResponse()
    message.createComponentCollector().run('next', (press) => {
      page = (page + 1) % PAGES.length
      return press.update(shown())
    })
  },
}

// Its own handler, which has no commands, hears the components of collectors.
client.events.values.INTERACTION_CREATE = {
  data: { name: 'interactionCreate', once: false },
  run: (use) => void commands[use.data?.name]?.(use),
}
client.events.values.BOT_READY = {
  data: { name: 'botReady', once: true },
  run: () => console.log('ready'),
}
await client.start({ token: BOT_TOKEN })
