/** What bots may not fill a server with, with Discord's codes. */
import { describe, expect } from 'vitest'
import { completeServer, World } from '../../../support/worlds.ts'
import { MessageLog } from '../../../../src/service/world/message-log.ts'
import { openDirectMessage, slowModeLeft } from '../../../../src/service/world/channels.ts'
import { applicationEmojis, addEmoji } from '../../../../src/service/world/emojis.ts'
import { addBot } from '../../../../src/service/world/members.ts'
import { postMessage, setPinned } from '../../../../src/service/world/messages.ts'
import { addThread, setThread } from '../../../../src/service/world/threads.ts'
import type { WorldMessage } from '../../../../src/service/world/world-message.ts'
import { handClock } from '../../../support/clock.ts'
import { ADA, GENERAL, SERVER, demo, invalid, it, open, worldOf } from './bed.ts'

const guild = `/guilds/${SERVER}`
const messages = `/channels/${GENERAL}/messages`
const refused = (code: number) => ({ status: 400, body: { code } })

/** As many objects with ids as are allowed less one. */
const many = (count: number, first: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(first + index), name: `x${index}` }))

it('remembers no more bots, DMs and emojis of applications than have room', () => {
  const server = completeServer(demo)
  const world = new World([server], handClock(Date.now()))
  const user = (id: string) => ({ id, username: `bot${id}`, bot: true })
  const enter = (id: string) => {
    world.seenBots.set(id, true)
    addBot(world, user(id), [server], [])
    const channel = openDirectMessage(world, id, ADA)
    postMessage(world, channel.id, user(id), { content: 'x' })
    addEmoji(world, applicationEmojis(world, id), {
      name: 'x',
      roles: [],
      animated: false,
      user: user(id),
    })
    world.access.reached(id, 'GET /x')
    return channel.id
  }
  const directs = Array.from({ length: 2_100 }, (_, index) => enter(String(70_000 + index)))
  // The first bots are members of the server, those after them are forgotten, with all they had.
  const has = (index: number) => world.user(String(70_000 + index)) !== undefined
  expect([has(0), has(52), has(300), has(2_099)]).toEqual([true, true, true, true])
  enter('80000')
  expect(world.seenBots.size).toBe(2_048)
  expect([world.directs.size, world.applicationEmojis.size]).toEqual([2_101, 2_101])
  for (let index = 0; index < 300; index++) enter(String(90_000 + index))
  expect([has(0), has(248), has(300), has(353)]).toEqual([true, true, false, true])
  expect([world.channel(directs[300]!), world.messages(directs[300]!)]).toEqual([undefined, []])
  const kept = directs.slice(353)
  expect(kept.map((id) => [world.channel(id) !== undefined, world.messages(id).length])).toEqual(
    kept.map(() => [true, 1]),
  )
  expect(applicationEmojis(world, '70300').emojis).toEqual([])
  expect(world.access.of('70300').routes.size).toBe(0)
})

it('takes 500 channels', async () => {
  const channels = [...demo.channels, ...many(499 - demo.channels.length, 70_000)]
  const { call } = await open(null, { servers: [{ ...demo, channels }] })
  expect((await call('POST', `${guild}/channels`, { name: 'last' })).status).toBe(201)
  expect(await call('POST', `${guild}/channels`, { name: 'x' })).toMatchObject(refused(30013))
})

it('takes 250 roles', async () => {
  // The bot has a role of its own.
  const more = many(248 - demo.roles.length, 80_000).map((role) => ({ ...role, permissions: '0' }))
  const { call } = await open(null, { servers: [{ ...demo, roles: [...demo.roles, ...more] }] })
  expect((await call('POST', `${guild}/roles`)).status).toBe(200)
  expect(await call('POST', `${guild}/roles`)).toMatchObject(refused(30005))
})

it('takes 20 emojis on a message, in which more people may join', async ({ call, bed }) => {
  const { id } = (await call('POST', messages, { content: 'x' })).body
  const react = (index: number) => call('PUT', `${messages}/${id}/reactions/e${index}:${index}/@me`)
  for (let index = 10; index < 30; index++) expect((await react(index)).status).toBe(204)
  expect(await react(30)).toMatchObject(refused(30010))
  await call('DELETE', `${messages}/${id}/reactions/e10:10`)
  expect((await react(30)).status).toBe(204)
  expect(Object.keys(bed.channel('general').messages[0]!.reactions)).toHaveLength(20)
})

it('tells emojis of one name apart by their ids', async ({ call }) => {
  const { id } = (await call('POST', messages, { content: 'x' })).body
  for (const emoji of ['ee:1', 'ee:2', 'ee:1'])
    expect((await call('PUT', `${messages}/${id}/reactions/${emoji}/@me`)).status).toBe(204)
  const { reactions } = (await call('GET', `${messages}/${id}`)).body
  expect(reactions.map(({ emoji, count }: any) => [emoji.id, count])).toEqual([
    ['1', 1],
    ['2', 1],
  ])
})

it('takes 1000 overwrites of a channel', async ({ call }) => {
  const overwrites = many(1_001, 90_000).map(({ id }) => ({ id, type: 1, allow: '0', deny: '0' }))
  const set = (count: number) =>
    call('PATCH', `/channels/${GENERAL}`, { permission_overwrites: overwrites.slice(0, count) })
  expect(await set(1_001)).toMatchObject(refused(30060))
  expect((await set(1_000)).status).toBe(200)
  const put = (id: string) => call('PUT', `/channels/${GENERAL}/permissions/${id}`, { type: 1 })
  expect(await put('99999')).toMatchObject(refused(30060))
  expect((await put('90000')).status).toBe(204)
})

it('takes 15 webhooks of a channel and 50 emojis of a server', async ({ call }) => {
  const image = 'data:image/png;base64,iVBORw0KGgo='
  for (const [most, code, create] of [
    [15, 30007, () => call('POST', `/channels/${GENERAL}/webhooks`, { name: 'x' })],
    [50, 30008, () => call('POST', `${guild}/emojis`, { name: 'xx', image })],
  ] as const) {
    for (let count = 0; count < most; count++) expect((await create()).status).toBeLessThan(300)
    expect(await create()).toMatchObject(refused(code))
  }
})

it('takes 250 pins', async ({ bed, call }) => {
  const world = worldOf(bed)
  const bot = world.user(bed.applicationId)!
  for (let count = 0; count < 249; count++)
    setPinned(world, postMessage(world, GENERAL, bot, { content: 'x' }), bot, true)
  const pin = async () => {
    const { id } = (await call('POST', messages, { content: 'x' })).body
    return call('PUT', `${messages}/pins/${id}`)
  }
  expect((await pin()).status).toBe(204)
  expect(await pin()).toMatchObject(refused(30003))
})

describe('a nonce', () => {
  it('has at most 25 characters, as text and as a number', async ({ call }) => {
    for (const nonce of ['n'.repeat(25), 1e24, 7])
      expect((await call('POST', messages, { content: 'x', nonce })).body.nonce).toBe(nonce)
    const tooLong = invalid({ nonce: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH' }] } })
    for (const nonce of ['n'.repeat(26), 'n'.repeat(100_000), 1e25, 1e300])
      expect(await call('POST', messages, { content: 'x', nonce })).toMatchObject(tooLong)
    const notWhole = invalid({ nonce: { _errors: [{ code: 'STRING_TYPE_CONVERT' }] } })
    // The second is infinite in JavaScript.
    for (const number of ['1.5', '9'.repeat(400)]) {
      const body = `{"content":"x","nonce":${number}}`
      const type = { 'Content-Type': 'application/json' }
      expect(await call('POST', messages, body, type)).toMatchObject(notWhole)
    }
  })
})

describe('the messages of a world', () => {
  const message = (id: number, channel: string, content = '') =>
    ({ id: String(id), channel_id: channel, content }) as WorldMessage

  it('are kept within a size for all channels together, the newest', () => {
    const log = new MessageLog()
    const text = 'x'.repeat(1024 * 1024)
    for (let id = 0; id < 100; id++) log.set(message(id, String(id % 10), text))
    const kept = Array.from({ length: 10 }, (_, channel) => log.of(String(channel))).flat()
    // A character takes two bytes.
    expect(kept.length).toBeGreaterThan(25)
    expect(kept.length).toBeLessThan(32)
    expect(log.find('99')).toBeDefined()
    expect(log.find('0')).toBeUndefined()
    // Deleted and changed messages count no more.
    for (const { id, channel_id } of kept) log.delete(channel_id, id)
    for (let id = 200; id < 230; id++) log.set(message(id, 'a', text))
    for (let id = 200; id < 230; id++) log.set(message(id, 'a'))
    for (let id = 300; id < 330; id++) log.set(message(id, 'b', text))
    expect([log.of('a').length, log.of('b').length]).toEqual([30, 30])
  })

  it('are kept 1000 a channel', () => {
    const log = new MessageLog()
    for (let id = 1; id <= 1_002; id++) log.set(message(id, id === 2 ? 'other' : 'a'))
    expect([log.of('a').length, log.of('a')[0]!.id, log.of('other').length]).toEqual([1_000, '3', 1])
  })
})

it('ends slow mode when the clock goes back', () => {
  const clock = handClock(Date.now())
  const channel = { id: GENERAL, name: 'general', type: 0, rate_limit_per_user: 60 }
  const world = new World([completeServer({ ...demo, channels: [channel] })], clock)
  postMessage(world, GENERAL, { id: ADA, username: 'ada' }, { content: 'x' })
  const left = () => slowModeLeft(world, channel, ADA)
  expect(left()).toBe(60_000)
  clock.advance(20_000)
  expect(left()).toBe(40_000)
  clock.advance(-3_600_000)
  expect(left()).toBe(0)
})

it('keeps the last 1000 archived threads of a server, and those that are open', () => {
  const world = new World([completeServer({ id: SERVER, name: 'Ours' })], handClock(Date.now()))
  const parent = { ...world.server(SERVER)!.channels[0]!, guild_id: SERVER }
  const create = (name: string) => addThread(world, parent, { name, type: 11, owner_id: '3001' })
  const open = create('open')
  for (let count = 0; count < 1_100; count++) {
    const { id } = create(`t${count}`)
    postMessage(world, id, { id: '3001', username: 'ada' }, { content: 'x' })
    setThread(world, id, { archived: true })
  }
  create('last')
  const { threads } = world.server(SERVER)!
  expect([threads.length, threads[0], threads.at(-1)!.name]).toEqual([1_002, open, 'last'])
  expect(world.findMessage(threads[1]!.last_message_id!)).toBeDefined()
  const kept = threads.reduce((count, { id }) => count + world.messages(id).length, 0)
  expect(kept).toBe(1_000)
})
