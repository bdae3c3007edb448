/** The commands that every bot of these tests deploys; each library answers them with its own API. */
const option = (type, name, more = {}) => ({ type, name, description: 'x', required: true, ...more })

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
  {
    name: 'config',
    description: 'Has a group',
    options: [
      {
        type: 2,
        name: 'role',
        description: 'x',
        options: [
          {
            type: 1,
            name: 'set',
            description: 'x',
            options: [option(6, 'user'), option(7, 'channel'), option(8, 'role')],
          },
        ],
      },
    ],
  },
  { type: 2, name: 'Greet' },
]

/** Choices for the typed text. */
export const choicesFor = (typed) =>
  ['apple', 'apricot', 'banana']
    .filter((name) => name.startsWith(typed))
    .map((name) => ({ name, value: name }))

export const FILE = { name: 'hello.txt', text: 'Hello, file' }

/** The addresses of the service; without these variables, those of Discord. */
export const { BOT_TOKEN, BOT_REST, BOT_APPLICATION } = process.env

/** Signals the test that the bot is logged in and its commands are deployed. */
export const ready = () => console.log('ready')

process.on('unhandledRejection', (error) => console.error(error))
