/** The commands that every bot of these tests deploys; each library answers them with its own API. */
const option = (type, name, more = {}) => ({ type, name, description: 'x', required: true, ...more })
const group = (type, name, options) => ({ type, name, description: 'x', options })
const values = [option(6, 'user'), option(7, 'channel'), option(8, 'role')]

export const commands = [
  { name: 'ping', description: 'Replies' },
  { name: 'slow', description: 'Defers, edits its reply and reads it' },
  { name: 'more', description: 'Replies and follows up' },
  { name: 'secret', description: 'Replies to one person' },
  { name: 'file', description: 'Replies with a file' },
  { name: 'gone', description: 'Replies and deletes the reply' },
  { name: 'form', description: 'Opens a modal' },
  { name: 'button', description: 'Shows a button' },
  { name: 'find', description: 'Suggests', options: [option(3, 'query', { autocomplete: true })] },
  { name: 'config', description: 'Has a group', options: [group(2, 'role', [group(1, 'set', values)])] },
  { type: 2, name: 'Greet' },
]

/** Choices for the typed text. */
export const choicesFor = (typed) =>
  ['apple', 'apricot', 'banana']
    .filter((name) => name.startsWith(typed))
    .map((name) => ({ name, value: name }))

const input = { type: 4, custom_id: 'name', label: 'Name', style: 1 }
export const modal = { custom_id: 'form', title: 'Form', components: [{ type: 1, components: [input] }] }
export const undo = { type: 2, style: 4, label: 'Undo', custom_id: 'undo' }

/**
 * The answers to the commands that only send texts, by the names of a library's methods: those that reply, defer, edit
 * the reply, read it, follow up, and delete the reply.
 */
export const textAnswers = (reply, defer, edit, read, followUp, remove) => ({
  ping: (use) => use[reply]({ content: 'pong' }),
  async slow(use) {
    await use[defer]()
    await use[edit]({ content: 'working' })
    const { content } = await use[read]()
    await use[edit]({ content: `done after ${content}` })
  },
  async more(use) {
    await use[reply]({ content: 'first' })
    await use[followUp]({ content: 'second' })
  },
  secret: (use) => use[reply]({ content: 'psst', flags: 64 }),
  async gone(use) {
    await use[reply]({ content: 'gone' })
    await use[remove]()
  },
})

export const FILE = { name: 'hello.txt', text: 'Hello, file' }

/** The addresses of the service; without these variables, those of Discord. */
export const { BOT_TOKEN, BOT_REST, BOT_APPLICATION } = process.env

/** Signals the test that the bot is logged in and its commands are deployed. */
export const ready = () => console.log('ready')

process.on('unhandledRejection', (error) => console.error(error))
