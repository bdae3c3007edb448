/** People act once the bot is done: bots of discord.js in this process, without the clock. */
import { once } from 'node:events'
import net from 'node:net'
import { Client } from 'discord.js'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { fuzz } from 'commandry/fuzz'
import { testbed, type Testbed, type TestbedOptions } from 'commandry/testbed'
import { identify } from '../gateway/serve-gateway.ts'
import { passed, turn } from '../../support/waiting.ts'

const TIMES = 10
const components = [{ type: 1, components: [{ type: 2 as const, style: 1, label: 'Yes', custom_id: 'yes' }] }]
const question = { content: 'Sure?', components }
const done = { content: 'Done', components: [] }

let bed: Testbed
let client: Client
afterEach(async () => {
  await client.destroy()
  await bed.close()
})

type Handlers = Readonly<Record<string, (use: any) => Promise<unknown>>>

/** A bot whose commands and messages have these handlers. */
async function start(handlers: Handlers, options: TestbedOptions = {}): Promise<void> {
  const names = Object.keys(handlers).filter((name) => !name.startsWith('!'))
  const commands = names.map((name) => ({ name, description: 'x' }))
  bed = await testbed({ ws: { WebSocketServer }, commands, ...options })
  client = new Client({
    intents: ['Guilds', 'GuildMessages', 'MessageContent', 'GuildMessageReactions'],
    rest: { api: bed.rest },
  })
  client.on('interactionCreate', (use: any) => void handlers[use.commandName]?.(use)?.catch(() => {}))
  client.on('messageCreate', (message) => void handlers[message.content]?.(message)?.catch(() => {}))
  void client.login(bed.token)
  await bed.online()
}

/** Replies, waits for something else, fetches the reply and awaits a press on it. */
const asking = (wait: () => Promise<unknown>) => async (use: any) => {
  await use.reply(question)
  await wait()
  const message = await use.fetchReply()
  const press = await message.awaitMessageComponent({ time: 60_000 })
  await press.update(done)
}

async function pressedOften(command: string, times = TIMES): Promise<void> {
  for (let time = 0; time < times; time++) {
    const shown = await bed.as('ada').use(`/${command}`)
    await shown.press('Yes')
    expect(shown.content).toBe('Done')
  }
}

const errorOf = (promise: Promise<unknown>) => promise.then(String, ({ message }: Error) => message)

it('online() resolves once the library is ready', async () => {
  await start({})
  expect(client.isReady()).toBe(true)
})

it('loses no press of a bot that fetches its reply before it listens', async () => {
  await start({ ask: asking(async () => {}) })
  await pressedOften('ask')
})

it('loses no press of a bot that awaits a database on a connection from before the testbed', async () => {
  const database = net.createServer((socket) => {
    socket.on('data', () => void passed(20).then(() => socket.write('row')))
  })
  await once(database.listen(0, '127.0.0.1'), 'listening')
  const connection = net.connect((database.address() as net.AddressInfo).port, '127.0.0.1')
  await once(connection, 'connect')
  onTestFinished(() => {
    connection.destroy()
    database.close()
  })
  const query = async () => {
    connection.write('select')
    await once(connection, 'data')
  }
  // The second query is written when the response to the first is read.
  await start({ ask: asking(() => query().then(query)) })
  await pressedOften('ask')
})

it('loses no message and no reaction of a bot that listens once it has sent its own message', async () => {
  await start({
    async '!quiz'({ channel }) {
      await channel.send('2+2?')
      const found = await channel.awaitMessages({
        filter: (one: any) => one.content === '4',
        max: 1,
        time: 60_000,
      })
      await channel.send(`${found.first().author.username} wins`)
    },
    async '!vote'({ channel }) {
      const message = await channel.send('Vote')
      const found = await message.awaitReactions({ max: 1, time: 60_000 })
      await channel.send(`Voted ${found.first().emoji.name}`)
    },
  })
  const ada = bed.as('ada')
  for (let nth = 1; nth <= TIMES; nth++) {
    await ada.say('!quiz')
    await ada.sees('2+2?', nth)
    await bed.as('alan').say('4')
    await ada.sees('alan wins', nth)
    await ada.say('!vote')
    await bed.as('alan').react(await ada.sees(/^Vote(?!d)/, nth), '👍')
    await ada.sees('Voted 👍', nth)
  }
})

it('keeps the pace of people who wait for what nobody can see', async () => {
  // A busy machine is late, so the pace is far above the 30 ms.
  await start({ ask: asking(() => passed(30)) }, { pace: 2_000 })
  await pressedOften('ask', 1)
})

it('presses what the message shows when the bot is done with it', async () => {
  const started: (() => void)[] = []
  await start({
    async ask(use) {
      await use.reply(question)
      started.shift()?.()
      await use.editReply({ content: 'Not any more', components: [] })
    },
  })
  const isStarted = new Promise<void>((resolve) => started.push(resolve))
  const shown = await bed.as('ada').use('/ask')
  const pressed = errorOf(shown.press('Yes'))
  await isStarted
  expect(await pressed).toMatch(/no button|Yes/)
  expect(shown.content).toBe('Not any more')
})

it('acts of one turn are at once, and one of the next turn comes before the answer', async () => {
  const order: string[] = []
  await start({
    async ask(use) {
      order.push(use.user.username)
      await use.deferReply()
      order.push('deferred')
      await use.editReply('Hi')
    },
  })
  await Promise.all([bed.as('ada').use('/ask'), bed.as('alan').use('/ask')])
  await bed.settled()
  expect(order.slice(0, 2)).toEqual(['ada', 'alan'])
  order.length = 0
  const first = bed.as('ada').use('/ask')
  await turn()
  await Promise.all([first, bed.as('grace').use('/ask')])
  expect(order.slice(0, 2)).toEqual(['ada', 'grace'])
})

it('settled() resolves when the bot is done with its last edit, and rejects with what is going on', async () => {
  await start({
    async ask(use) {
      await use.deferReply()
      for (const text of ['1', '2', '3']) await use.editReply(text)
    },
  })
  const shown = await bed.as('ada').use('/ask')
  await bed.settled()
  expect(shown.content).toBe('3')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  bed.on('GET /held', () => held)
  const request = client.rest.get('/held').catch(() => {})
  await expect(bed.settled({ timeout: 200 })).rejects.toMatchObject({
    code: 'not_settled',
    message: expect.stringMatching(/^still going on after 0\.2 s: GET \/api\/v10\/held; it sent nothing$/),
  })
  release()
  await request
  await bed.settled()
})

it('a bot that does not read what it is sent is waited for once', async () => {
  await start({ ask: asking(async () => {}) })
  const hung = new WebSocket(`${bed.gateway}/?v=10&encoding=json`, { autoPong: false })
  onTestFinished(() => hung.terminate())
  await once(hung, 'message')
  hung.send(identify(bed.token, 0))
  await once(hung, 'message')
  await bed.settled({ timeout: 400 }).catch(() => {})
  const pings: unknown[] = []
  hung.on('ping', (data) => pings.push(data))
  await pressedOften('ask')
  expect(pings).toEqual([])
})

it('says that a press without any request after it may have come before a listener', async () => {
  await start({ ask: (use) => use.reply(question) })
  const shown = await bed.as('ada').use('/ask')
  const pressed = errorOf(shown.press('Yes'))
  await bed.settled()
  await bed.advance('3s')
  const lines = (await pressed).split('\n')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/ada's use of "Yes".*sent nothing.*no listener.*pace: 100/)
})

it('says that a first follow-up filled in the deferred answer', async () => {
  await start(
    {
      async ask(use) {
        await use.deferReply()
        await use.followUp('done')
      },
    },
    { timeout: 3_000 },
  )
  const shown = await bed.as('ada').use('/ask')
  await bed.settled()
  expect([shown.content, await errorOf(shown.followedUp())]).toEqual([
    'done',
    expect.stringMatching(/first follow-up.*edited\(\)/),
  ])
})

it('shows at most five short lines of what the bot sent since the use', async () => {
  await start({
    async ask(use) {
      for (let count = 0; count < 8; count++) await use.channel.send(`Message ${count}`)
    },
  })
  await bed.as('ada').say('x'.repeat(1_000))
  const unanswered = errorOf(bed.as('ada').use('/ask'))
  await bed.as('ada').sees('Message 7')
  await bed.advance('3s')
  const lines = (await unanswered).split('\n')
  expect(lines[0]).toMatch(/ada's use of ask.*it sent 8 requests, at last:$/)
  expect(lines.slice(1)).toEqual(Array(5).fill('--> POST /api/v10/channels/100000000000004001/messages 200'))
})

it('many testbeds of one process follow its connections once', async () => {
  const warnings: string[] = []
  const listen = ({ name }: Error) => warnings.push(name)
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  await start({ ask: asking(async () => {}) })
  const others = await Promise.all(Array.from({ length: 15 }, () => testbed({ ws: { WebSocketServer } })))
  await pressedOften('ask')
  await Promise.all(others.map((one) => one.close()))
  expect(warnings).toEqual([])
})

it('fuzz does not blame a bot that listens some time after its answer', async () => {
  await start({ soon: asking(() => passed(20)), later: asking(() => passed(100)) })
  const { failures } = await fuzz(bed, { runs: 1, seed: 1 })
  expect(failures).toEqual([])
})
