/** The privileged intents that an application has, and what it gets without them. */
import { expect, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from '../../../support/sockets.ts'
import { ApplicationFlag } from 'commandry'
import { testbed } from 'commandry/testbed'
import { ALL, it, open, SERVER } from './bed.ts'

const MEMBERS = 1 << 1
const CONTENT = 1 << 15
const { GATEWAY_GUILD_MEMBERS, GATEWAY_GUILD_MEMBERS_LIMITED, EMBEDDED } = ApplicationFlag

/** The code with which a login with intents is closed; READY for one that is not. */
async function login(flags: number | undefined, intents: number): Promise<number | 'READY'> {
  const bed = await testbed({ ws: { WebSocketServer }, ...(flags !== undefined && { flags }) })
  onTestFinished(() => bed.close())
  const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ op: 2, d: { token: bed.token, intents, properties: {} } }))
  return new Promise((resolve) => {
    socket.on('close', (code) => resolve(code))
    socket.on('message', (data) => JSON.parse(String(data)).t === 'READY' && resolve('READY'))
  })
}

it.for([
  [undefined, MEMBERS | CONTENT, 'READY'],
  [0, 1, 'READY'],
  [0, MEMBERS, 4014],
  [EMBEDDED, CONTENT, 4014],
  [GATEWAY_GUILD_MEMBERS_LIMITED, MEMBERS, 'READY'],
  [GATEWAY_GUILD_MEMBERS, MEMBERS | CONTENT, 4014],
] as const)(
  '[6-07] an application with flags %o that asks for intents %i gets %s',
  async ([flags, asked, end]) => {
    expect(await login(flags, asked)).toBe(end)
  },
)

it('[6-07] lists of members are refused without GUILD_MEMBERS, and single members are not', async () => {
  const { call } = await open(null, { flags: 0 })
  expect(await call('GET', `/guilds/${SERVER}/members`)).toMatchObject({ status: 403, body: { code: 50001 } })
  expect(await call('GET', `/guilds/${SERVER}/members/3001`)).toMatchObject({ status: 200 })
  const { call: other } = await open(null)
  expect(await other('GET', `/guilds/${SERVER}/members`)).toMatchObject({ status: 200 })
})

it('[6-07] votes reach a bot only with the intents of polls', async () => {
  const { bed, call, names } = await open(ALL)
  const poll = { question: { text: 'q' }, answers: [{ poll_media: { text: 'a' } }] }
  await call('POST', '/channels/4001/messages', { poll })
  await bed.as('ada').vote(bed.channel('general').messages[0]!, 'a')
  await bed.settled()
  expect(names()).not.toContain('MESSAGE_POLL_VOTE_ADD')
})
