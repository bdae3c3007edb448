/** One use of a command through discord.js beside one round trip of a bare WebSocket: `node test/bench/run.mjs gateway`. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { testbed } from '../../src/testbed.ts'

// Not by an import, which the bundler would follow into packages of CommonJS.
const require = createRequire(import.meta.url)
const { Client } = require('discord.js') as typeof import('discord.js')
const { WebSocket, WebSocketServer } = require('ws') as typeof import('ws')

const ROUNDS = 1_000

/** Milliseconds of the median round, and of the slowest in a hundred. */
async function measure(name: string, round: () => Promise<unknown>): Promise<void> {
  for (let warm = 0; warm < 200; warm++) await round()
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const began = performance.now()
    await round()
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const [median, slow] = [times[ROUNDS / 2]!, times[ROUNDS * 0.99]!]
  console.log(`${name}: median ${median.toFixed(2)} ms, p99 ${slow.toFixed(2)} ms`)
}

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
server.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
await once(server, 'listening')
const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
await once(socket, 'open')
const text = 'x'.repeat(1_500)
await measure('a WebSocket that echoes 1,500 bytes', async () => {
  socket.send(text)
  await once(socket, 'message')
})
socket.terminate()
server.close()

const bed = await testbed({ ws: { WebSocketServer }, commands: [{ name: 'ping', description: 'Replies' }] })
const client = new Client({ intents: [], rest: { api: bed.rest } })
client.on('interactionCreate', (use) => {
  if (use.isChatInputCommand()) void use.reply('pong')
})
await client.login(bed.token)
await bed.online()
const ada = bed.as('member')
await measure('a use of a command through discord.js', () => ada.use('/ping'))
await client.destroy()
await bed.close()
