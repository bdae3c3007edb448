/**
 * What a test of a bot waits for: a login, a use and a press through discord.js, at a testbed and at the least service
 * that does the same. Prints the medians of the ratios inside the turns, as JSON. Time that passes is counted, because
 * people wait for timers as well as for the processor; the two take turns in one process, so that both share its load.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ActionRowBuilder, ButtonBuilder, Client, Events, GatewayIntentBits } from 'discord.js'
import { WebSocket, WebSocketServer } from 'ws'
import { testbed } from 'commandry/testbed'
import { isQuick, median } from './contest.ts'

const LOGINS = isQuick ? 1 : 11
const USES = isQuick ? 2 : 100

const commands = [{ name: 'poll', description: 'Starts a poll' }]

function createBot(rest: string): Client {
  const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: rest } })
  const button = new ButtonBuilder({ customId: 'vote', label: 'Vote', style: 1 })
  const components = [new ActionRowBuilder<ButtonBuilder>().addComponents(button)]
  client.on(Events.InteractionCreate, async (interaction) => {
    if (interaction.isButton()) await interaction.update('1 vote')
    else if (interaction.isChatInputCommand()) await interaction.reply({ content: '0 votes', components })
  })
  return client
}

type Frame = { readonly op: number; readonly t: string | null; readonly d: any }

const bed = await testbed({ commands, ws: { WebSocketServer } })

/** The frames of a login, as the testbed sends them. */
async function loginFrames(): Promise<readonly Frame[]> {
  const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
  const frames: Frame[] = []
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame
      frames.push(frame)
      if (frame.op === 10)
        socket.send(JSON.stringify({ op: 2, d: { token: bed.token, intents: 1, properties: {} } }))
      if (frame.t === 'GUILD_CREATE') resolve()
    })
  })
  socket.close(1000)
  return frames
}

/** Sends the frames of a login and interactions, and takes any answer. */
async function openBare([hello, ready, guild]: readonly Frame[]) {
  let bot: WebSocket | undefined
  let answered = () => {}
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const isCallback = request.url!.includes('/callback')
    const limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 }
    const answer = isCallback
      ? { resource: JSON.parse(body) as unknown }
      : {
          url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
          shards: 1,
          session_start_limit: limit,
        }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    if (isCallback) answered()
  })
  new WebSocketServer({ server }).on('connection', (socket) => {
    bot = socket
    const send = (frame: Frame | undefined) => socket.send(JSON.stringify(frame))
    send(hello)
    socket.on('message', (data) => {
      if ((JSON.parse(String(data)) as Frame).op !== 2) return
      send(ready)
      setImmediate(() => send(guild))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let id = 1_300_000_000_000_000_000n
  return {
    rest: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    /** Sends an interaction, and resolves with the answer. */
    async send(interaction: object) {
      const d = { ...interaction, id: String(++id), token: `token-${id}` }
      const answer = new Promise<void>((resolve) => (answered = resolve))
      bot!.send(JSON.stringify({ op: 0, s: Number(id & 0xffffn) + 10, t: 'INTERACTION_CREATE', d }))
      await answer
    },
    close: () => server.close(),
  }
}

async function login(rest: string): Promise<Client> {
  const client = createBot(rest)
  const isReady = new Promise((resolve) => client.once(Events.ClientReady, resolve))
  await client.login(bed.token)
  await isReady
  return client
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await call()
  return performance.now() - began
}

/** The median of the ratios of two calls in turns. */
async function ratioOf(turns: number, ours: () => Promise<unknown>, floor: () => Promise<unknown>) {
  const ratios: number[] = []
  for (let turn = -5; turn < turns; turn++) {
    const times =
      turn % 2 === 0 ? [await timeOf(ours), await timeOf(floor)] : [await timeOf(floor), await timeOf(ours)]
    const [one, other] = turn % 2 === 0 ? times : times.toReversed()
    if (turn >= 0) ratios.push(one! / other!)
  }
  return median(ratios)
}

const frames = await loginFrames()
const bare = await openBare(frames)
const logging = await ratioOf(
  LOGINS,
  async () => {
    const one = await testbed({ commands, ws: { WebSocketServer } })
    await (await login(one.rest)).destroy()
    await one.close()
  },
  async () => {
    const one = await openBare(frames)
    await (await login(one.rest)).destroy()
    one.close()
  },
)

const clients = [await login(bed.rest), await login(bare.rest)]
const ada = bed.as('ada')
let shown = await ada.use('/poll')
const used = shown.interaction
const pressed = (await shown.press('Vote')).interaction
const use = await ratioOf(
  USES,
  async () => (shown = await ada.use('/poll')),
  () => bare.send(used),
)
shown = await ada.use('/poll')
const press = await ratioOf(
  USES,
  () => shown.press('Vote'),
  () => bare.send(pressed),
)
for (const client of clients) await client.destroy()
bare.close()
await bed.close()
console.log(JSON.stringify({ login: logging, use, press }))
process.exit()
