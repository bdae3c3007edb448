/** A testbed with a bot at the gateway that uses no library. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { testbed, type Testbed } from 'commandry/testbed'
import { identify } from './serve-gateway.ts'

const REAL_TOKEN = 'MTIzNDU2Nzg5.REALTOKEN.abcdef'

const it = test.extend<{ bed: Testbed; bot: WebSocket }>({
  bed: async ({}, use) => {
    const commands = [{ name: 'ping', description: 'x' }]
    await using bed = await testbed({ ws: { WebSocketServer }, commands, timeout: 300 })
    await use(bed)
  },
  bot: async ({ bed }, use) => {
    const bot = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
    await once(bot, 'message')
    await use(bot)
    bot.terminate()
  },
})

it.for([
  `{"op": 2, "d": {"token": "${REAL_TOKEN}", "intents": 0, "properties": {}}}`,
  `{"op":2,"d":{"tok\\u0065n":"${REAL_TOKEN}","intents":0,"properties":{}}}`,
  `{ "d": { "token" : "${REAL_TOKEN}", "session_id": "${REAL_TOKEN}", "seq": 1 }, "op": 6 }`,
  `{"op":2,"d":{"token":"${REAL_TOKEN}"`,
])('prints no token of a frame: %s', async (frame, { bed, bot }) => {
  bot.send(frame)
  const told = await bed.online().catch(({ message }) => message)
  expect(bed.transcript()).toContain('--> the bot connects')
  expect(told + bed.transcript()).not.toContain(REAL_TOKEN)
})

it('prints what the bot and the gateway send each other', async ({ bed, bot }) => {
  bot.send(identify(bed.token, 0))
  await bed.online()
  expect(bed.transcript().match(/^(?:-->|<--) \{"op":\d+/gm)).toEqual([
    '<-- {"op":10',
    '--> {"op":2',
    '<-- {"op":0',
  ])
})

it('takes a bot with a token of its own', async ({ bed, bot }) => {
  bot.send(identify(REAL_TOKEN, 0))
  await bed.online()
  const get = (authorization: string) =>
    fetch(`${bed.rest}/v10/applications/@me`, { headers: { authorization } })
  expect(await (await get(`Bot ${REAL_TOKEN}`)).json()).toMatchObject({ id: bed.applicationId })
  expect((await get(`Bearer ${REAL_TOKEN}`)).status).toBe(401)
})

it('sends a press once the bot has read the responses to its requests', async ({ bed }) => {
  const bot = new WebSocket(`${bed.gateway}/?v=10&encoding=json`, { autoPong: false })
  const order: string[] = []
  bot.on('ping', (data) => {
    order.push('ping')
    bot.pong(data)
  })
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Vote', custom_id: 'vote' }] }]
  bot.on('message', async (text) => {
    const { op, t, d } = JSON.parse(String(text))
    if (op === 10) bot.send(identify(bed.token, 0))
    if (t !== 'INTERACTION_CREATE') return
    order.push(d.type === 2 ? 'use' : 'press')
    const body = JSON.stringify({ type: 4, data: { content: 'Vote', components } })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${bed.rest}/v10/interactions/${d.id}/${d.token}/callback`, { method: 'POST', headers, body })
  })
  await bed.online()
  const shown = await bed.as('member').use('/ping')
  // While a request is open, the bot has not read the responses, however slow the machine is.
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let request: Promise<unknown> | undefined
  await new Promise<void>((opened) => {
    bed.on('GET /held', () => {
      opened()
      return held
    })
    request = fetch(`${bed.rest}/v10/held`)
  })
  await shown.press('Vote')
  release()
  await request
  expect(order.slice(order.indexOf('use'), order.indexOf('use') + 2)).toEqual(['use', 'ping'])
  expect(order.at(-1)).toBe('press')
  bot.terminate()
})

it('says that the connection is closed when a bot that has ended does not answer', async ({ bed, bot }) => {
  bot.send(identify(bed.token, 0))
  await bed.online()
  const silent = "the bot did not answer ada's use of ping within 3 seconds"
  const use = () => bed.as('member').use('/ping')
  await expect(use()).rejects.toThrow(`${silent}; it sent`)
  bot.terminate()
  await expect(use()).rejects.toThrow(`${silent}: its connection is closed; it sent`)
  expect(bed.transcript()).toContain('--> the connection closed')
})

it('waits no longer for a bot that has not read what it was sent once its connection closes', async ({
  bed,
}) => {
  const bot = new WebSocket(`${bed.gateway}/?v=10&encoding=json`, { autoPong: false })
  bot.on('message', (text) => {
    if (JSON.parse(String(text)).op === 10) bot.send(identify(bed.token, 0))
  })
  let isLeaving = false
  bot.on('ping', (data) => (isLeaving ? bot.terminate() : bot.pong(data)))
  await bed.online()
  isLeaving = true
  await bed.settled({ timeout: 30_000 })
})

it('rejects every one of many uses while no bot is logged in', async ({ bed }) => {
  const uses = Array.from({ length: 50 }, () => bed.as('member').use('/ping'))
  for (const result of await Promise.allSettled(uses))
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'not_connected', message: expect.stringContaining('online() waits') },
    })
})
